import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aPostgresStore } from '../../support/postgres-store.ts';
import { ofBoxCases } from './of-box.cases.ts';

suiteWithPostgres('one site of a region', () => {
  const postgres = postgresOfFile();
  ofBoxCases('PostgreSQL', async () => {
    const { store } = await aPostgresStore(await postgres());
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-of-box-'));
    return {
      ...{ store, dataDir, options: {} as never },
      reopen: () => Promise.reject(new Error('not needed here')),
      async [Symbol.asyncDispose]() {
        await store[Symbol.asyncDispose]();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  });
});
