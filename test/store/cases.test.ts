import { aStore } from '../support/store.ts';
import { journalCases } from './journal/journal.cases.ts';
import { directoryCases } from './readers/directory.cases.ts';

journalCases('SQLite', () => aStore());
directoryCases('SQLite', () => aStore());
