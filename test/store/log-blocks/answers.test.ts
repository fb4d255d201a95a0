import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceNo, IncomingRecord, LogRow, Seq, Store } from '../../../src/store/index.ts';
import { seededRandom } from '../../support/clock.ts';
import { append, aStore, inDatabase, registered, type TemporaryStore } from '../../support/store.ts';

/** Whatever is asked, a store answers as a search through the plain list of its logs would. */

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
let opened: TemporaryStore;
let logs: readonly LogRow[];

beforeAll(async () => {
  opened = await aStore();
  for (const id of ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003']) await registered(opened.store, id);
  const half = commits.length / 2;
  await fill(opened.store, commits.slice(0, half));
  await opened.reopen();
  await fill(opened.store, commits.slice(half));
  logs = await opened.store.read.logs({ limit: 1_000_000 });
});

afterAll(() => opened[Symbol.asyncDispose]());

const lower = (text: string): string => text.replace(/[A-Z]/g, letter => letter.toLowerCase());

interface Asked {
  readonly deviceNo?: DeviceNo;
  readonly deviceNos?: ReadonlySet<DeviceNo> | undefined;
  readonly model?: string;
  readonly sn?: string;
  readonly from?: number;
  readonly to?: number;
  readonly text?: string;
}

/** Letters of ASCII match in either case. */
const matching = ({ deviceNo, deviceNos, model, sn, from, to, text }: Asked, after: number, before: number): LogRow[] =>
  logs.filter(log => {
    const path = lower(`${log.model}/${log.sn}`);
    return (
      log.seq > after &&
      log.seq < before &&
      (deviceNo === undefined || log.deviceNo === deviceNo) &&
      (deviceNos === undefined || deviceNos.has(log.deviceNo)) &&
      (model === undefined || path.startsWith(`${lower(model)}/`)) &&
      (sn === undefined || path.endsWith(`/${lower(sn)}`)) &&
      (from === undefined || log.received_at >= from) &&
      (to === undefined || log.received_at < to) &&
      (text === undefined || lower(log.text).includes(lower(text)))
    );
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

test('every log is found, in order and as it came, without a filter', () => {
  const came = records.flatMap(({ channel, deviceNo, receivedAt, logPath, marks, payload }, index) =>
    channel === 'log' ? [{ seq: index + 1, deviceNo, receivedAt, logPath, marks, text: payload.toString() }] : [],
  );
  expect(
    logs.map(({ seq, deviceNo, received_at: receivedAt, model, sn, text }) => ({
      ...{ seq, deviceNo, receivedAt, logPath: `${model}/${sn}`, text },
    })),
  ).toEqual(came.map(({ marks: _marks, ...log }) => log));
  expect(logs.map(({ truncated, repaired, clamped }) => ({ truncated, repaired, clamped }))).toEqual(
    came.map(({ marks: { local: _local, ...marks } }) => marks),
  );
});

test('logs share blocks', () => {
  const count = (table: string): number =>
    inDatabase(opened, database => Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()!.count));
  expect(count('log_block_content')).toBe(count('log_block'));
  expect(count('log_block')).toBeGreaterThan(10);
  expect(count('log_block')).toBeLessThan(logs.length / 10);
});

test('logs are found from the oldest on, page by page', () =>
  fc.assert(
    fc.asyncProperty(asked, place, limit, async (filter, after, most) => {
      const expected = matching(filter, after, Number.POSITIVE_INFINITY);
      for (let from = 0; from <= most * 2; from += most) {
        const page = await opened.store.read.logs({
          ...filter,
          after: from === 0 ? after : expected[from - 1]!.seq,
          limit: most,
        });
        expect(page).toEqual(expected.slice(from, from + most));
        if (page.length < most) return;
      }
    }),
    { numRuns: 300 },
  ));

test('logs are found from the newest back, page by page', () =>
  fc.assert(
    fc.asyncProperty(asked, ofSome, place, place, limit, async (filter, deviceNos, after, before, most) => {
      const rows: LogRow[] = [];
      for (let down: Seq | null = before; down !== null; ) {
        const page = await opened.store.read.logTail({ ...filter, deviceNos, after, before: down, limit: most });
        rows.push(...page.rows);
        expect(page.before ?? -1).toBeLessThan(down);
        expect(page.newest).toBe(logs.at(-1)!.seq);
        down = page.before;
      }
      expect(rows).toEqual(matching({ ...filter, deviceNos }, after, before).toReversed());
    }),
    { numRuns: 300 },
  ));

test('the last logs of a device are found, newest first', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...deviceNos, 5 as DeviceNo),
      fc.option(place, { nil: undefined }),
      limit,
      async (deviceNo, after, most) => {
        const found = await opened.store.read.lastLogs(deviceNo, {
          limit: most,
          ...(after === undefined ? {} : { after }),
        });
        const expected = matching({ deviceNo }, after ?? -1, Number.POSITIVE_INFINITY).toReversed();
        expect(found).toEqual(expected.slice(0, most));
      },
    ),
    { numRuns: 150 },
  ));

test('logs that the cloud has confirmed since a moment are counted', async () => {
  const confirmed = new Map<DeviceNo, { readonly upToSeq: number; readonly at: number }[]>();
  const { read, write } = opened.store;
  for (let round = 0; round < 40; round++) {
    const deviceNo = oneOf(deviceNos.slice(0, 3));
    const upToSeq = Math.ceil(random() * records.length) as Seq;
    const confirmations = [
      { deviceNo, channel: 'log' as const, upToSeq, floorSeq: 0 as Seq, at: round, via: 'mqtt' as const },
    ];
    await write.confirm({ confirmations });
    const all = confirmed.get(deviceNo) ?? [];
    confirmed.set(deviceNo, all);
    if (upToSeq > (all.at(-1)?.upToSeq ?? 0)) all.push({ upToSeq, at: round });
    const through = all.at(-1)!.upToSeq;
    for (const since of [0, round, round - 3]) {
      const after = all.findLast(one => one.at < since)?.upToSeq ?? 0;
      const expected = matching({ deviceNo }, after, through + 1).length;
      expect(await read.confirmedLogs(deviceNo, since)).toBe(expected);
    }
  }
});
