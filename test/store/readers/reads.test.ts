import { openStoreForReading } from '../../../src/store/index.ts';
import { readCases } from './reads.cases.ts';

readCases('a running box, through the reader thread', async ({ store }) => ({
  read: store.read,
  [Symbol.asyncDispose]: async () => {},
}));

readCases('a stopped box, on the connection of the command', async ({ store, dataDir }) => {
  await store[Symbol.asyncDispose]();
  return openStoreForReading({ dataDir });
});
