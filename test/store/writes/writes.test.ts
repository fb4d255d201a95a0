import { aStore } from '../../support/store.ts';
import { writeCases } from './writes.cases.ts';

writeCases('SQLite', () => aStore());
