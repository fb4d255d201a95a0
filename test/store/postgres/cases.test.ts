import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aPostgresStore, openedPostgresStore, postgresUrl } from '../../support/postgres-store.ts';
import { journalCases } from '../journal/journal.cases.ts';
import { directoryCases } from '../readers/directory.cases.ts';
import { manyRecords, ofDevicesCases, prepareForMany } from '../readers/of-devices.cases.ts';
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
  ofDevicesCases('PostgreSQL', async () => {
    const server = await postgres();
    const database = server.create();
    const store = await openedPostgresStore(postgresUrl(server, database));
    await prepareForMany(store);
    server.run(database, `${manyRecords.join(';\n')}; ANALYZE`);
    return { read: store.read, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  });
});
