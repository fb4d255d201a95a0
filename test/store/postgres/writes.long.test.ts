import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aPostgresStore } from '../../support/postgres-store.ts';
import { writeCases } from '../writes/writes.cases.ts';

suiteWithPostgres('the writes of the store', () => {
  const postgres = postgresOfFile();
  writeCases('PostgreSQL', async () => aPostgresStore(await postgres()));
});
