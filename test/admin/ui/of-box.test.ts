import { aStore } from '../../support/store.ts';
import { ofBoxCases } from './of-box.cases.ts';

ofBoxCases('SQLite', () => aStore());
