import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { DeviceNo, JournalRecord, Seq, Store } from '../../../src/store/index.ts';
import { append, aStore, registered, type TemporaryStore } from '../../support/store.ts';

const at = 1_763_600_000_000;

const textOf = ({ payload }: JournalRecord): string => Buffer.from(payload).toString().slice(0, 12);

const log = (store: Store, deviceNo: DeviceNo, text: string): Promise<void> =>
  append(store, { deviceNo, channel: 'log', receivedAt: at, logPath: '', marks: {}, payload: Buffer.from(text) });

/** A page of a table, by what it is for, of which the disk gives back something else. */
function damagePage(
  dataDir: string,
  table: string,
  pick: (pages: { no: number; type: string; path: string }[]) => number,
) {
  const file = join(dataDir, 'gatehouse.db');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { page_size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  const pages = database
    .prepare('SELECT pageno AS no, pagetype AS type, path FROM dbstat WHERE name = ? ORDER BY path')
    .all(table) as { no: number; type: string; path: string }[];
  const no = pick(pages);
  database.close();
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(page_size, 0xff), 0, page_size, (no - 1) * page_size);
  closeSync(opened);
}

/** The tables have still to be filled. */
function tablesAtTheStart(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  database.exec('UPDATE projection_cursor SET seq = 0; DELETE FROM log_block; DELETE FROM log_block_content');
  database.close();
}

/** All records that can be read, as the forwarder reads them. */
async function readAll({ journal }: Store): Promise<string[]> {
  const texts: string[] = [];
  for (let after = 0 as Seq; after < journal.lastSeq; ) {
    const { records, through } = await journal.read(after, { bytesMax: 1000 });
    texts.push(...records.map(textOf));
    after = through;
  }
  return texts;
}

async function filled(opened: TemporaryStore, texts: readonly string[]): Promise<DeviceNo> {
  const { deviceNo } = await registered(opened.store);
  for (const text of texts) await log(opened.store, deviceNo, text);
  await opened.store[Symbol.asyncDispose]();
  return deviceNo;
}

test('a segment whose bytes the disk does not give back is passed over, named, and stops neither the start nor the tables', async () => {
  await using opened = await aStore();
  const large = `large ${randomBytes(20_000).toString('hex')}`;
  await filled(opened, ['one', large, 'three']);
  tablesAtTheStart(opened.dataDir);
  damagePage(opened.dataDir, 'segment', pages => pages.filter(({ type }) => type === 'overflow')[3]!.no);
  const store = await opened.reopen();
  expect(await readAll(store)).toEqual(['one', 'three']);
  await store.catchUp();
  expect((await store.read.logs({ limit: 10 })).map(row => row.text)).toEqual(['one', 'three']);
  const { state, unreadable } = store.health();
  expect(state).toBe('ok');
  expect(unreadable).toEqual({ segments: 1, records: 1, from: at, to: at, logBlocks: 0, tables: '' });
});

test('where the disk does not give back which segments there are, reading goes on behind them', async () => {
  await using opened = await aStore();
  const texts = Array.from({ length: 120 }, (_, index) => `record ${index}`);
  const deviceNo = await filled(opened, texts);
  tablesAtTheStart(opened.dataDir);
  damagePage(opened.dataDir, 'segment', pages => pages.filter(({ type }) => type === 'leaf')[3]!.no);
  const store = await opened.reopen();
  const read = await readAll(store);
  expect(read.length).toBeGreaterThan(90);
  expect(read.length).toBeLessThan(texts.length);
  const missing = texts.filter(text => !read.includes(text));
  // One stretch in the middle, and nothing else.
  expect(read).toEqual([
    ...texts.slice(0, texts.indexOf(missing[0]!)),
    ...texts.slice(texts.indexOf(missing.at(-1)!) + 1),
  ]);
  await log(store, deviceNo, 'and another');
  await store.catchUp();
  expect((await store.read.logs({ limit: 1000 })).map(row => row.text)).toEqual([...read, 'and another']);
  const ledger = await store.read.ledger(deviceNo, { limit: 1000 });
  expect(ledger.map(({ seq }) => seq).toReversed()).toEqual(
    [...texts, 'and another'].flatMap((text, at) => (missing.includes(text) ? [] : at + 1)),
  );
  expect(store.health()).toMatchObject({ state: 'ok', unreadable: { records: missing.length } });
});

test('a write whose table cannot be read fails alone: the records of its moment are committed', async () => {
  await using opened = await aStore();
  const deviceNo = await filled(opened, ['one']);
  const store = await opened.reopen();
  const remember = (key: string) => store.write.remember({ service: 'a', key, value: 'x'.repeat(200), at });
  const keys = Array.from({ length: 300 }, (_, index) => `key ${100 + index}`);
  for (const key of keys) await remember(key);
  await store.catchUp();
  damagePage(opened.dataDir, 'remembered', pages => pages.filter(({ type }) => type === 'leaf')[3]!.no);
  // Makes the store read its pages again.
  const other = new DatabaseSync(join(opened.dataDir, 'gatehouse.db'), { timeout: 5000 });
  other.exec("INSERT INTO meta (key, value) VALUES ('changed', 'by another')");
  other.close();
  const fails: string[] = [];
  for (const key of keys) await remember(key).catch(() => fails.push(key));
  expect(fails.length).toBeGreaterThan(2);
  expect(fails.length).toBeLessThan(keys.length / 2);
  for (let turn = 0; turn < 50; turn++) {
    const writes = await Promise.allSettled([
      remember(fails[0]!),
      remember(fails[1]!),
      log(store, deviceNo, `at ${turn}`),
      remember(fails[2]!),
    ]);
    expect(writes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'rejected']);
  }
  expect(store.health().state).toBe('ok');
  expect(await readAll(store)).toHaveLength(51);
});

test('tables that cannot be filled any more are named, and hold nobody back: the journal takes and gives all', async () => {
  await using opened = await aStore({ lagBound: { records: 5, ms: 1000 } });
  const { store } = opened;
  const { deviceNo } = await registered(store);
  await log(store, deviceNo, 'one');
  await store.catchUp();
  damagePage(opened.dataDir, 'last_seen', pages => pages[0]!.no);
  const other = new DatabaseSync(join(opened.dataDir, 'gatehouse.db'), { timeout: 5000 });
  other.exec("INSERT INTO meta (key, value) VALUES ('changed', 'by another')");
  other.close();
  await log(store, deviceNo, 'two');
  await store.catchUp();
  expect(store.health()).toMatchObject({ state: 'ok', unreadable: { tables: expect.stringContaining('malformed') } });
  for (let turn = 0; turn < 20; turn++) await log(store, deviceNo, `more ${turn}`);
  expect(store.health()).toMatchObject({ state: 'ok', heldBack: false });
  expect(await readAll(store)).toHaveLength(22);
});
