import { DatabaseSync } from 'node:sqlite';
import { databaseFile, openStoreForReading } from '../../../src/store/index.ts';
import { aStore } from '../../support/store.ts';
import { manyRecords, ofDevicesCases, prepareForMany } from './of-devices.cases.ts';
import { readCases } from './reads.cases.ts';

readCases('a running box, through the reader thread', async fill => {
  const opened = await aStore();
  await fill(opened.store);
  return { read: opened.store.read, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
});

readCases('a stopped box, on the connection of the command', async fill => {
  await using parts = new AsyncDisposableStack();
  const opened = parts.use(await aStore());
  await fill(opened.store);
  await opened.store[Symbol.asyncDispose]();
  const { read } = parts.use(await openStoreForReading({ dataDir: opened.dataDir }));
  const held = parts.move();
  return { read, [Symbol.asyncDispose]: () => held.disposeAsync() };
});

ofDevicesCases('SQLite', async () => {
  await using parts = new AsyncDisposableStack();
  const opened = parts.use(await aStore());
  await prepareForMany(opened.store);
  await opened.store[Symbol.asyncDispose]();
  {
    using database = new DatabaseSync(databaseFile(opened.dataDir));
    for (const statement of manyRecords) database.exec(statement);
  }
  await opened.reopen();
  const held = parts.move();
  return { read: opened.store.read, [Symbol.asyncDispose]: () => held.disposeAsync() };
});
