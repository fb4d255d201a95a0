import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceNo, IncomingRecord, LogRow, Seq, Store } from '../../../src/store/index.ts';
import { seededRandom } from '../../support/clock.ts';
import { aStoreOfRows, aWeekLater, inDatabase } from '../../support/log-stores.ts';
import { append, aStore, registered, type TemporaryStore } from '../../support/store.ts';

/**
 * The same logs as rows, as blocks, and the older half as rows, the newer as blocks: whatever is
 * asked, the three stores answer alike.
 */

const start = Date.UTC(2026, 9, 1);
const minute = 60_000;
const random = seededRandom(19);
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** The last two were never registered. */
const deviceNos = [1, 2, 3, 77, 300] as DeviceNo[];
const paths = ['FT1/A0001', 'ft1/a0001', 'FT_1/B1', 'Ä/ä', 'FT1/', '/A0001', 'FT1/B/1'];
const words = ['Door OPEN', 'door open', 'Ärger', 'ÄRGER', '100%', '锁', 'x'.repeat(900), 'OPEN', '_', '@`[{', ''];

function aRecord(receivedAt: number): IncomingRecord {
  const isLog = random() < 0.8;
  return {
    deviceNo: oneOf(deviceNos),
    channel: isLog ? 'log' : 'device',
    receivedAt,
    logPath: isLog ? oneOf(paths) : '',
    marks: isLog
      ? { truncated: random() < 0.1, repaired: random() < 0.1, clamped: random() < 0.1, local: random() < 0.1 }
      : { invalid: true },
    payload: Buffer.from([oneOf(words), oneOf(words)].filter(Boolean).join(' ')),
  };
}

/** Commits of different sizes; the clock goes on, jumps, and goes back. */
function someCommits(): IncomingRecord[][] {
  let at = start;
  return Array.from({ length: 120 }, () => {
    at += oneOf([10, 1000, minute, minute, 90 * minute, -30 * minute, -100 * minute]);
    return Array.from({ length: oneOf([1, 1, 3, 20, 90]) }, () => aRecord(at++));
  });
}

async function fill(store: Store, commits: readonly (readonly IncomingRecord[])[]): Promise<void> {
  for (const [index, commit] of commits.entries()) {
    await Promise.all(commit.map(record => append(store, record)));
    if (index % 7 === 0) await store.catchUp();
  }
  await store.catchUp();
}

const commits = someCommits();
const records = commits.flat();
const stores: Record<'rows' | 'blocks' | 'both', TemporaryStore> = {} as never;

beforeAll(async () => {
  stores.rows = await aStoreOfRows();
  stores.blocks = await aStore();
  stores.both = await aStoreOfRows();
  for (const { store } of Object.values(stores))
    for (const id of ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003']) await registered(store, id);
  const half = commits.length / 2;
  await fill(stores.rows.store, commits);
  await fill(stores.blocks.store, commits);
  await fill(stores.both.store, commits.slice(0, half));
  await aWeekLater(stores.both);
  await fill(stores.both.store, commits.slice(half));
});

afterAll(async () => {
  for (const store of Object.values(stores)) await store[Symbol.asyncDispose]();
});

const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const times = records.flatMap(({ receivedAt }) => [receivedAt, receivedAt + 1]);
const asked = fc
  .record({
    deviceNo: maybe([...deviceNos, 5 as DeviceNo, 4000 as DeviceNo]),
    model: maybe(['FT1', 'ft1', 'FT', 'Ä', 'ä', '', 'FT1/B']),
    sn: maybe(['A0001', 'a0001', '1', 'b1', 'ä', 'Ä', '']),
    from: maybe(times),
    to: maybe(times),
    text: maybe(['open', 'DOOR', 'ärger', 'ÄRGER', '锁', '%', '_', '@`', 'x'.repeat(900), 'n d', '', 'A0001']),
  })
  .map(filter => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)));
/** Of some devices, as those of a site. */
const ofSome = maybe(
  [[], [1], [1, 3], [2, 5, 4000], [1, 2, 3, 4, 5, 6, 7, 8, 9]].map(nos => new Set(nos as DeviceNo[])),
);
const place = fc.integer({ min: 0, max: records.length + 2 }) as fc.Arbitrary<Seq>;
const limit = fc.integer({ min: 1, max: 400 });

/** Asks all three; the answer of the rows is the one that counts. */
async function alike<T>(ask: (store: Store) => Promise<T>): Promise<void> {
  const [rows, blocks, both] = await Promise.all([stores.rows, stores.blocks, stores.both].map(one => ask(one.store)));
  expect(blocks).toEqual(rows);
  expect(both).toEqual(rows);
}

test('the three stores are what they should be', () => {
  const countsOf = (opened: TemporaryStore) =>
    inDatabase(opened, database =>
      ['device_log', 'log_block', 'log_block_content'].map(
        table => (database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }).count,
      ),
    );
  const logs = records.filter(({ channel }) => channel === 'log').length;
  expect(countsOf(stores.rows)).toEqual([logs, 0, 0]);
  const [none, blocks, contents] = countsOf(stores.blocks);
  expect([none, contents]).toEqual([0, blocks]);
  expect(blocks).toBeGreaterThan(10);
  expect(blocks).toBeLessThan(logs / 10);
  const [older, newer] = countsOf(stores.both);
  expect(older).toBeGreaterThan(logs / 4);
  expect(older).toBeLessThan((logs * 3) / 4);
  expect(newer).toBeGreaterThan(5);
});

test('logs are found from the oldest on, page by page', () =>
  fc.assert(
    fc.asyncProperty(asked, place, limit, (filter, after, most) =>
      alike(async store => {
        const pages: LogRow[][] = [];
        for (let from = after; ; from = pages.at(-1)!.at(-1)!.seq) {
          pages.push(await store.read.logs({ ...filter, after: from, limit: most }));
          if (pages.at(-1)!.length < most || pages.length === 3) return pages;
        }
      }),
    ),
    { numRuns: 300 },
  ));

test('logs are found from the newest back, page by page', () =>
  fc.assert(
    fc.asyncProperty(asked, ofSome, place, place, limit, (filter, deviceNos, after, before, most) =>
      alike(async store => {
        const rows: LogRow[] = [];
        let newest: Seq | undefined;
        for (let down: Seq | null = before; down !== null; ) {
          const page = await store.read.logTail({ ...filter, deviceNos, after, before: down, limit: most });
          rows.push(...page.rows);
          expect(page.before ?? -1).toBeLessThan(down);
          newest = page.newest;
          down = page.before;
        }
        return { rows, newest };
      }),
    ),
    { numRuns: 300 },
  ));

test('every log is found, in order, without a filter', async () => {
  const seqs = (await stores.blocks.store.read.logs({ limit: 1_000_000 })).map(row => row.seq);
  expect(seqs).toEqual(records.flatMap(({ channel }, index) => (channel === 'log' ? [index + 1] : [])));
});

test('the last logs of a device are found, newest first', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...deviceNos, 5 as DeviceNo),
      fc.option(place, { nil: undefined }),
      limit,
      (deviceNo, after, most) =>
        alike(store => store.read.lastLogs(deviceNo, { limit: most, ...(after === undefined ? {} : { after }) })),
    ),
    { numRuns: 150 },
  ));

test('logs that the cloud has confirmed since a moment are counted', async () => {
  for (let round = 0; round < 40; round++) {
    const deviceNo = oneOf(deviceNos.slice(0, 3));
    const upToSeq = Math.ceil(random() * records.length) as Seq;
    const confirmations = [
      { deviceNo, channel: 'log' as const, upToSeq, floorSeq: 0 as Seq, at: round, via: 'mqtt' as const },
    ];
    for (const { store } of Object.values(stores)) await store.write.confirm({ confirmations });
    for (const since of [0, round, round - 3]) await alike(store => store.read.confirmedLogs(deviceNo, since));
  }
});
