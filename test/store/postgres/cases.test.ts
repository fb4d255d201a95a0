import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aPostgresStore } from '../../support/postgres-store.ts';
import { journalCases } from '../journal/journal.cases.ts';
import { directoryCases } from '../readers/directory.cases.ts';
import { readCases } from '../readers/reads.cases.ts';

suiteWithPostgres('the ports of the store', () => {
  const postgres = postgresOfFile();
  const open = async () => aPostgresStore(await postgres());
  journalCases('PostgreSQL', open);
  directoryCases('PostgreSQL', open);
  readCases('PostgreSQL', async fill => {
    const { store } = await open();
    await fill(store);
    return { read: store.read, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  });
});
