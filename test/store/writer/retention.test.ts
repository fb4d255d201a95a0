import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DeviceNo, openStore, type Seq, type Store } from '../../../src/store/index.ts';
import { openForWriting } from '../../../src/store/schema/database.ts';
import { Retention } from '../../../src/store/writer/retention.ts';
import { append, aStore, inDatabase, registered, type TemporaryStore } from '../../support/store.ts';

const day = 24 * 3600 * 1000;
const at = Date.UTC(2026, 5, 1);
const in2036 = Date.UTC(2036, 0, 1);
const in1970 = 5_000;

const log = (store: Store, deviceNo: DeviceNo, receivedAt: number) =>
  append(store, {
    deviceNo,
    channel: 'log',
    receivedAt,
    logPath: 'FT1/A0001',
    marks: {},
    payload: Buffer.from(String(receivedAt)),
  });

/** A store of a box that stands alone, with one log for each of these times of receipt. */
async function aBoxThatHeard(...times: number[]) {
  const opened = await aStore({ upstream: false });
  const { deviceNo } = await registered(opened.store);
  for (const time of times) await log(opened.store, deviceNo, time);
  await opened.store.catchUp();
  return { opened, deviceNo };
}
const countOf = (opened: TemporaryStore, table: string) =>
  inDatabase(
    opened,
    database => (database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }).count,
  );
const logsOf = async (store: Store) => (await store.read.logs({ limit: 100 })).map(row => row.received_at);

test.each([
  ['in 2036', in2036],
  ['in 1970', in1970],
])('segments that a clock %s dated stop nothing, and go with the next that tell how old they are', async (_, wrong) => {
  const { opened } = await aBoxThatHeard(at, wrong, at + day, at + 2 * day);
  await using _closed = opened;
  const { store } = opened;
  expect(await store.write.retire({ now: at + 7 * day + 1 })).toMatchObject({ segments: 1 });
  expect(await store.write.retire({ now: at + 8 * day })).toMatchObject({ segments: 0 });
  expect(await store.write.retire({ now: at + 8 * day + 1 })).toMatchObject({ segments: 2 });
  expect(await store.write.retire({ now: at + 9 * day + 1 })).toMatchObject({ segments: 1 });
});

test.each([
  ['in 2036', in2036],
  ['in 1970', in1970],
])('logs that a clock %s dated are kept as long as those around them', async (_, wrong) => {
  const { opened } = await aBoxThatHeard(at, wrong, wrong + 1, at + 2, at + day);
  await using _closed = opened;
  const { store } = opened;
  expect(await store.write.retire({ now: at + 90 * day })).toMatchObject({ logs: 0 });
  expect(await store.write.retire({ now: at + 90 * day + 1 })).toMatchObject({ logs: 1 });
  expect(await store.write.retire({ now: at + 90 * day + 3 })).toMatchObject({ logs: 3 });
  expect(await logsOf(store)).toEqual([at + day]);
});

test('logs go by their age, a block as a whole by its newest log', async () => {
  const { opened } = await aBoxThatHeard(at, at + 1, at + day);
  await using _closed = opened;
  const { store } = opened;
  const old = async (before: number) => await store.read.olderThan('logs', before);
  expect(await old(at + 1)).toMatchObject({ items: 0, bytes: 0 });
  expect(await old(at + 2)).toMatchObject({ items: 2, at_least: false });
  expect((await old(at + 2 * day)).bytes).toBeGreaterThan((await old(at + 2)).bytes);
  expect(await store.write.retire({ now: at + 90 * day + 1 })).toMatchObject({ logs: 0 });
  expect(await store.write.retire({ now: at + 90 * day + 2 })).toMatchObject({ logs: 2 });
  expect(await logsOf(store)).toEqual([at + day]);
  expect(['log_block', 'log_block_content'].map(table => countOf(opened, table))).toEqual([1, 1]);
});

test('on a full disk a block goes with the last of the segments that its logs came in', async () => {
  const { opened } = await aBoxThatHeard(at, at + 1, at + 2, at + day, at + day + 1);
  await using _closed = opened;
  await opened.store[Symbol.asyncDispose]();
  const connection = openForWriting(opened.dataDir, readFileSync(join(opened.dataDir, 'keys', 'seal.key')));
  const blocks = () => connection.sql('SELECT first_seq, count FROM log_block ORDER BY first_seq').all();
  const drop = (most: number) =>
    new Retention(connection, false).dropForwardedSegments(5, {
      now: at + 2 * day,
      receivedBefore: at + 2 * day,
      withLogs: true,
      most,
    });
  expect(blocks()).toEqual([
    { first_seq: 1, count: 3 },
    { first_seq: 4, count: 2 },
  ]);
  expect(drop(2)).toMatchObject({ records: 2 });
  expect(blocks()).toHaveLength(2);
  expect(drop(1)).toMatchObject({ records: 1 });
  expect(blocks()).toEqual([{ first_seq: 4, count: 2 }]);
  // One that has lost its segments to their age stays: it goes with the oldest logs.
  connection.database.exec('DELETE FROM segment WHERE first_seq < 5');
  expect(drop(1)).toMatchObject({ records: 1 });
  expect(blocks()).toEqual([]);
  expect(connection.sql('SELECT count(*) AS count FROM log_block_content').get()).toEqual({ count: 0 });
  connection.database.close();
});

test('of the oldest logs whole blocks go, one at least', async () => {
  await using opened = await aStore({ upstream: true });
  const { deviceNo } = await registered(opened.store);
  for (const time of [at, at + 1, at + 2, at + day, at + 2 * day]) await log(opened.store, deviceNo, time);
  await opened.store.catchUp();
  await opened.store[Symbol.asyncDispose]();
  const connection = openForWriting(opened.dataDir, readFileSync(join(opened.dataDir, 'keys', 'seal.key')));
  connection.database.exec('DELETE FROM segment WHERE first_seq < 5');
  const retention = new Retention(connection, true);
  const count = () => (connection.sql('SELECT count(*) AS count FROM log_block').get() as { count: number }).count;
  const dropped = [1, 1_000_000].map(bytes => [retention.dropOldestLogs(bytes), count()]);
  expect(dropped).toEqual([
    [3, 2],
    [2, 0],
  ]);
  expect(retention.dropOldestLogs(1)).toBe(0);
  connection.database.close();
});

test('the last resort before records are refused takes segments of logs alone, and none with a message in it', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  await log(store, deviceNo, at);
  const punch = { deviceNo, receivedAt: at, logPath: '', marks: {}, payload: Buffer.from('{"action":9}') };
  await Promise.all([log(store, deviceNo, at), append(store, { ...punch, channel: 'device' })]);
  for (const time of [at, at + 1]) await log(store, deviceNo, time);
  await store[Symbol.asyncDispose]();
  const connection = openForWriting(opened.dataDir, readFileSync(join(opened.dataDir, 'keys', 'seal.key')));
  const segments = () => connection.sql('SELECT first_seq AS seq, channels FROM segment ORDER BY first_seq').all();
  const [logs, both] = [2, 3];
  expect(segments()).toEqual([
    { seq: 1, channels: logs },
    { seq: 2, channels: both },
    { seq: 4, channels: logs },
    { seq: 5, channels: logs },
  ]);
  new Retention(connection, true).dropOldestLogs(1_000_000);
  expect(segments()).toEqual([
    { seq: 2, channels: both },
    { seq: 5, channels: logs },
  ]);
  connection.database.close();
});

test('what was reported, waits for devices and was confirmed goes with its neighbours, whatever date a clock of 2036 gave it', async () => {
  const { opened, deviceNo } = await aBoxThatHeard();
  await using _closed = opened;
  const { store } = opened;
  let seq = 0;
  const happens = async (when: number) => {
    const envelope = {
      mid: `m${when}`,
      from: '',
      to: 'system',
      time: 0,
      action: 2001,
      data: { records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1 }] },
    };
    await append(store, {
      deviceNo,
      channel: 'device',
      receivedAt: when,
      logPath: '',
      marks: {},
      payload: Buffer.from(JSON.stringify(envelope)),
    });
    await store.write.putInbox({ deviceNo, payload: Buffer.from('{}'), at: when, max: 100 });
    await store.write.confirm({
      confirmations: [
        { deviceNo, channel: null, upToSeq: ++seq as never, floorSeq: seq as never, at: when, via: 'mqtt' },
      ],
    });
    await store.catchUp();
  };
  for (const when of [at, in2036, at + 1, at + 20 * day]) await happens(when);
  const counts = () => ['report_seen', 'inbox', 'confirmation'].map(table => countOf(opened, table));
  await store.write.retire({ now: at + 7 * day + 1 });
  expect(counts()).toEqual([3, 3, 4]);
  await store.write.retire({ now: at + 7 * day + 2 });
  expect(counts()).toEqual([1, 1, 4]);
  for (let now = at + 8 * day; now <= at + 91 * day; now += day) await store.write.retire({ now });
  expect(counts()).toEqual([0, 0, 1]);
});

test('a segment stays as long as a record in it is parked, however old it is', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  await log(store, deviceNo, at);
  const seq = 1 as Seq;
  await store.write.park({ seq, deviceNo, channel: 'log', at, code: 400, reason: 'no' });
  await store.catchUp();
  expect(await store.write.retire({ now: at + 30 * day })).toMatchObject({ segments: 0 });
  expect(await store.read.record(seq)).not.toBeNull();
  await store.write.settleParked({ seq, outcome: 'confirmed', at });
  expect(await store.write.retire({ now: at + 30 * day })).toMatchObject({ segments: 1 });
});

test('a clock that jumps ahead takes nothing until it has gone on from there for two days', async () => {
  const { opened } = await aBoxThatHeard(at);
  await using _closed = opened;
  const { store } = opened;
  const retire = (now: number) => store.write.retire({ now });
  expect(await retire(at + 1)).toMatchObject({ logs: 0 });
  const nothing = { segments: 0, logs: 0, events: 0, isClockTrusted: false };
  for (const now of [in2036, in2036 + day]) expect(await retire(now)).toEqual(nothing);
  // It was wrong for a day.
  expect(await retire(at + 2 * day)).toMatchObject({ segments: 0, logs: 0 });
  expect(await logsOf(store)).toEqual([at]);
  // The box was off for half a year.
  const later = at + 180 * day;
  for (const now of [later, later + 2 * day - 1]) expect(await retire(now)).toEqual(nothing);
  expect(await retire(later + 2 * day)).toMatchObject({ segments: 1, logs: 1 });
});

test('a device that was heard by a clock in 2036 was last heard when it was last heard', async () => {
  const { opened, deviceNo } = await aBoxThatHeard(in2036, at);
  await using _closed = opened;
  expect((await opened.store.read.seen(deviceNo))?.at).toBe(at);
  await log(opened.store, deviceNo, in2036);
  await opened.store.catchUp();
  await log(opened.store, deviceNo, at + 5);
  await opened.store.catchUp();
  expect((await opened.store.read.seen(deviceNo))?.at).toBe(at + 5);
});

test('refused logins that a clock in 2036 wrote down make room for those of today', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const note = (clientId: string, when: number) =>
    store.write.noteRefusal({ at: when, door: 'mqtt', clientId, address: '', code: 'wrong_password', detail: '' });
  await Promise.all(Array.from({ length: 5000 }, (_, index) => note(`OLD_${index}`, in2036)));
  await note('NEW_1', at);
  await store.write.retire({ now: at + 1 });
  expect(await store.read.refusals({ clientId: 'NEW_1' })).toHaveLength(1);
  expect(countOf(opened, 'refusal')).toBe(5000);
});

test('on a full disk the newest segment stays, whatever it holds: its number is never given out again', async () => {
  const { opened, deviceNo } = await aBoxThatHeard(at, at + 1, at + 2);
  await using _closed = opened;
  await opened.store[Symbol.asyncDispose]();
  const connection = openForWriting(opened.dataDir, readFileSync(join(opened.dataDir, 'keys', 'seal.key')));
  // The tables have not taken them: the segments alone tell which numbers are given out.
  connection.database.exec(
    'UPDATE projection_cursor SET seq = 0; DELETE FROM log_block; DELETE FROM log_block_content',
  );
  expect(new Retention(connection, true).dropOldestLogs(Number.POSITIVE_INFINITY)).toBe(2);
  expect(connection.sql('SELECT first_seq FROM segment').all()).toEqual([{ first_seq: 3 }]);
  connection.database.close();
  opened.store = await openStore(opened.options);
  const { store } = opened;
  expect(store.journal.lastSeq).toBe(3);
  await log(store, deviceNo, at + 3);
  expect(store.journal.lastSeq).toBe(4);
});

test('a damaged message in an inbox keeps the others back from nobody', async () => {
  await using opened = await aStore();
  const { deviceNo } = await registered(opened.store);
  for (const text of ['1', '2', '3'])
    await opened.store.write.putInbox({ deviceNo, payload: Buffer.from(text), at, max: 10 });
  inDatabase(opened, database =>
    database.exec('UPDATE inbox SET sealed_message = zeroblob(length(sealed_message)) WHERE id = 2'),
  );
  const found = await opened.store.read.inbox(deviceNo, { limit: 10, bytesMax: 1000 });
  expect(found.map(({ payload }) => Buffer.from(payload).toString())).toEqual(['1', '3']);
});
