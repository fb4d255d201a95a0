import { expect, test } from 'vitest';
import type { DeviceNo, Seq } from '../../../src/store/index.ts';
import { append, aStore, inDatabase, registered, type TemporaryStore } from '../../support/store.ts';

const at = 1_763_600_000_000;
const minute = 60_000;

async function aBox() {
  const opened = await aStore({ upstream: false });
  const { deviceNo } = await registered(opened.store);
  const log = (text: string, receivedAt = at) =>
    append(opened.store, {
      ...{ deviceNo, channel: 'log', receivedAt, logPath: 'FT1/A0001', marks: {} },
      payload: Buffer.from(text),
    });
  /** Each in the tables before the next one comes, as while somebody looks. */
  const oneByOne = async (count: number, text: (index: number) => string, receivedAt?: (index: number) => number) => {
    for (let index = 0; index < count; index++) {
      await log(text(index), receivedAt?.(index));
      await opened.store.catchUp();
    }
  };
  return { opened, log, oneByOne };
}

const blocksOf = (opened: TemporaryStore) =>
  inDatabase(opened, database =>
    database.prepare('SELECT first_seq, last_seq, count, bytes FROM log_block ORDER BY first_seq').all(),
  ) as unknown as { first_seq: number; last_seq: number; count: number; bytes: number }[];
const textsOf = async ({ store }: TemporaryStore) => (await store.read.logs({ limit: 1e6 })).map(row => row.text);
const filler = '.'.repeat(1000);

test('logs that come one by one while somebody looks share a block, until it has some kilobytes', async () => {
  const { opened, oneByOne } = await aBox();
  await using _closed = opened;
  await oneByOne(40, index => `${index} ${filler}`);
  const blocks = blocksOf(opened);
  expect(blocks.map(({ count }) => count)).toEqual([17, 17, 6].map(() => expect.any(Number)));
  for (const { bytes } of blocks.slice(0, -1)) expect(bytes).toBeGreaterThan(16 << 10);
  for (const { bytes } of blocks) expect(bytes).toBeLessThan(18 << 10);
  expect(await textsOf(opened)).toEqual(Array.from({ length: 40 }, (_, index) => `${index} ${filler}`));
});

test('many logs at once go into blocks of a quarter of a megabyte', async () => {
  const { opened, log } = await aBox();
  await using _closed = opened;
  await Promise.all(Array.from({ length: 2000 }, (_, index) => log(`${index} ${filler}`)));
  await opened.store.catchUp();
  const blocks = blocksOf(opened);
  expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(2000);
  for (const { bytes } of blocks) expect(bytes).toBeLessThanOrEqual((256 << 10) + 100);
  expect(blocks.length).toBeLessThan(30);
});

test('a block holds logs of an hour at most, so that none of them is kept much longer than it should be', async () => {
  const { opened, oneByOne } = await aBox();
  await using _closed = opened;
  const times = [0, 30, 60, 61, 62, 0, -1000, 61].map(minutes => at + minutes * minute);
  await oneByOne(times.length, String, index => times[index]!);
  expect(blocksOf(opened).map(({ count }) => count)).toEqual([3, 2, 1, 1, 1]);
  expect(await textsOf(opened)).toHaveLength(times.length);
});

test('a damaged block is passed over, counted, and not gone on with; the others are read', async () => {
  const { opened, oneByOne } = await aBox();
  await using _closed = opened;
  await oneByOne(3, index => `first ${index}`);
  await oneByOne(
    2,
    index => `second ${index}`,
    () => at + 90 * minute,
  );
  inDatabase(opened, database =>
    database.exec('UPDATE log_block_content SET sealed_logs = zeroblob(length(sealed_logs)) WHERE first_seq = 4'),
  );
  await oneByOne(
    2,
    index => `third ${index}`,
    () => at + 91 * minute,
  );
  const left = ['first 0', 'first 1', 'first 2', 'third 0', 'third 1'];
  expect(await textsOf(opened)).toEqual(left);
  const tail = await opened.store.read.logTail({ limit: 4 });
  expect(tail.rows.map(row => row.text)).toEqual(left.toReversed().slice(0, 4));
  expect((await opened.store.read.lastLogs(1 as DeviceNo, { limit: 4, after: 2 as Seq })).map(row => row.text)).toEqual(
    left.toReversed().slice(0, 3),
  );
  expect(opened.store.health().unreadable).toMatchObject({ segments: 0, logBlocks: 1 });
});
