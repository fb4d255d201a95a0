import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import type { DeviceNo } from '../../../src/store/index.ts';
import { oldestWriterOf, schemaVersion } from '../../../src/store/schema/migrate.ts';
import { migrations } from '../../../src/store/schema/migrations.generated.ts';
import { append, aStore, registered, type TemporaryStore } from '../../support/store.ts';

const updatedAt = Date.UTC(2026, 10, 23);
const day = 24 * 3600 * 1000;
const at = (now: number) => ({ clock: { ...realClock, now: () => now } });
const versionOf = (migration: string) => migrations.findIndex(({ name }) => name.endsWith(migration)) + 1;
const version = versionOf('_segment_format');
const oldestReader = versionOf('_log_blocks');
const text = 'match: score 0.97 in 84 ms; '.repeat(200);

const inDatabase = <T>({ dataDir }: TemporaryStore, act: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { timeout: 5000 });
  try {
    return act(database);
  } finally {
    database.close();
  }
};

/** Writes one log and returns how many bytes its segment has. */
async function segmentBytes(opened: TemporaryStore): Promise<number> {
  const { deviceNo } = await registered(opened.store);
  const aLog = { channel: 'log' as const, receivedAt: updatedAt, logPath: 'FT1/A0001', marks: {} };
  await append(opened.store, { ...aLog, deviceNo: deviceNo as DeviceNo, payload: Buffer.from(text) });
  return inDatabase(opened, database => {
    const newest = 'SELECT length(sealed_records) AS bytes FROM segment ORDER BY first_seq DESC LIMIT 1';
    return Number(database.prepare(newest).get()!.bytes);
  });
}

/** As the program from before leaves its store. */
async function fromBefore(): Promise<TemporaryStore> {
  const opened = await aStore(at(updatedAt));
  await opened.store[Symbol.asyncDispose]();
  inDatabase(opened, database => {
    const added = migrations.slice(version - 1).flatMap(({ statements }) => statements);
    for (const statement of added.toReversed()) {
      const [, table, column] = /^ALTER TABLE `(\w+)` ADD `(\w+)`/.exec(statement) ?? [];
      if (table !== undefined) {
        database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
        continue;
      }
      const [, what, name] = /^CREATE (?:UNIQUE )?(TABLE|INDEX) `(\w+)`/.exec(statement)!;
      database.exec(`DROP ${what} ${name}`);
    }
    database.exec("DELETE FROM meta WHERE key = 'oldest_schema_version'");
    database.exec(`PRAGMA user_version = ${version - 1}`);
  });
  return opened;
}

test('a new store compresses its segments, and says that programs which cannot read them must not write to it', async () => {
  await using opened = await aStore(at(updatedAt));
  expect(await segmentBytes(opened)).toBeLessThan(text.length / 10);
  expect(inDatabase(opened, oldestWriterOf)).toBe(oldestReader);
});

test('after an update the program from before may come back for a week: until then it can read everything', async () => {
  await using opened = await fromBefore();
  await opened.reopen(at(updatedAt));
  expect(await segmentBytes(opened)).toBeGreaterThan(text.length);
  await opened.reopen(at(updatedAt + 6 * day));
  expect(await segmentBytes(opened)).toBeGreaterThan(text.length);
  expect(inDatabase(opened, oldestWriterOf)).toBeLessThan(version);
  await opened.reopen(at(updatedAt + 7 * day));
  expect(await segmentBytes(opened)).toBeLessThan(text.length / 10);
  expect(inDatabase(opened, oldestWriterOf)).toBe(oldestReader);
  expect(schemaVersion).toBeGreaterThanOrEqual(oldestReader);
});

test('logs stay rows for a week after an update; from then on they go into blocks, whatever the clock says', async () => {
  await using opened = await fromBefore();
  const stored = () =>
    inDatabase(opened, database =>
      ['device_log', 'log_block'].map(table => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n)),
    );
  const startAt = async (now: number) => {
    await opened.reopen(at(now));
    await segmentBytes(opened);
    await opened.store.catchUp();
  };
  await startAt(updatedAt);
  await startAt(updatedAt + 7 * day - 1);
  expect(stored()).toEqual([2, 0]);
  expect(inDatabase(opened, oldestWriterOf)).toBeLessThan(oldestReader);
  await startAt(updatedAt + 7 * day);
  expect(stored()).toEqual([2, 1]);
  // A box without a battery for its clock: a row now would be newer than a block.
  await startAt(0);
  expect(stored()).toEqual([2, 1]);
  expect((await opened.store.read.logs({ limit: 9 })).map(row => row.seq)).toEqual([1, 2, 3, 4]);
});

test('segments of both formats are read side by side', async () => {
  await using opened = await fromBefore();
  await opened.reopen(at(updatedAt));
  await segmentBytes(opened);
  await opened.reopen(at(updatedAt + 8 * day));
  await segmentBytes(opened);
  await opened.store.catchUp();
  const { records } = await opened.store.journal.read(0 as never, { bytesMax: 1 << 20 });
  expect(records.map(({ payload }) => Buffer.from(payload).toString())).toEqual([text, text]);
  expect((await opened.store.read.logs({ limit: 9 })).map(row => row.text)).toEqual([text, text]);
});

test('a clock that was ahead at the update does not put it off for years', async () => {
  await using opened = await fromBefore();
  await opened.reopen(at(updatedAt + 3650 * day));
  expect(await segmentBytes(opened)).toBeGreaterThan(text.length);
  await opened.reopen(at(updatedAt));
  await opened.reopen(at(updatedAt + 7 * day));
  expect(await segmentBytes(opened)).toBeLessThan(text.length / 10);
});
