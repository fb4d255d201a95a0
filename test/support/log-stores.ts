import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { realClock } from '../../src/runtime/real-world.ts';
import type { StoreOptions } from '../../src/store/index.ts';
import { aStore, type TemporaryStore } from './store.ts';

export const updatedAt = Date.UTC(2026, 10, 23);
const week = 7 * 24 * 3600 * 1000;

export const inDatabase = <T>({ dataDir }: TemporaryStore, act: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { timeout: 5000 });
  try {
    return act(database);
  } finally {
    database.close();
  }
};

const clockAt = (now: number) => ({ clock: { ...realClock, now: () => now } });

/** A store that keeps a row for each log: one that was updated less than a week ago. */
export async function aStoreOfRows(change: Partial<StoreOptions> = {}): Promise<TemporaryStore> {
  const opened = await aStore({ ...clockAt(updatedAt), ...change });
  await opened.store[Symbol.asyncDispose]();
  inDatabase(opened, database =>
    database.exec(`UPDATE segment_format SET known_since = ${updatedAt} WHERE version = 3`),
  );
  await opened.reopen();
  return opened;
}

/** Starts it again a week later: from then on it packs logs into blocks. */
export const aWeekLater = (opened: TemporaryStore) => opened.reopen(clockAt(updatedAt + week));
