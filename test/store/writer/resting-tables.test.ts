import { expect, test } from 'vitest';
import { type DeviceNo, openStoreForReading } from '../../../src/store/index.ts';
import { append, aStore, registered, type TemporaryStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const at = 1_763_600_000_000;
const anHour = 3_600_000;

const aLog = (deviceNo: DeviceNo, text: string) => ({
  deviceNo,
  channel: 'log' as const,
  receivedAt: at,
  logPath: 'FT1/A0001',
  marks: {},
  payload: Buffer.from(text),
});
const message = (deviceNo: DeviceNo, action: number, data: object) => ({
  deviceNo,
  channel: 'device' as const,
  receivedAt: at,
  logPath: '',
  marks: {},
  payload: Buffer.from(JSON.stringify({ mid: `m${action}`, from: 'x', to: 'system', time: 1, action, data })),
});

/** A store whose tables rest until somebody asks; its first record is in them, so that they rest. */
async function resting() {
  const opened = await aStore({ tablesRestMs: anHour });
  const { deviceNo } = await registered(opened.store);
  await append(opened.store, aLog(deviceNo, 'the first'));
  await until('the first record is in the tables', () => opened.store.health().lagRecords === 0);
  return { opened, deviceNo };
}

const texts = async ({ store }: TemporaryStore) => (await store.read.logs({ limit: 9999 })).map(row => row.text);

test('the first record after a rest is in the tables at once; those that follow wait until somebody asks', async () => {
  const { opened, deviceNo } = await resting();
  await using _closed = opened;
  for (const text of ['two', 'three', 'four']) await append(opened.store, aLog(deviceNo, text));
  expect(opened.store.health().lagRecords).toBe(3);
  expect(await texts(opened)).toEqual(['the first']);
  await opened.store.level();
  expect(await texts(opened)).toEqual(['the first', 'two', 'three', 'four']);
  await append(opened.store, aLog(deviceNo, 'five'));
  expect(opened.store.health().lagRecords).toBe(1);
});

test('when the rest is over the tables are filled, though nobody asked', async () => {
  await using opened = await aStore({ tablesRestMs: 300 });
  const { deviceNo } = await registered(opened.store);
  for (const text of ['one', 'two', 'three']) await append(opened.store, aLog(deviceNo, text));
  await until('the tables are level', () => opened.store.health().lagRecords === 0);
  expect(await texts(opened)).toEqual(['one', 'two', 'three']);
});

test('a thousand records behind are not kept waiting: each costs the same however many come with it', async () => {
  const { opened, deviceNo } = await resting();
  await using _closed = opened;
  await Promise.all(Array.from({ length: 1000 }, (_, index) => append(opened.store, aLog(deviceNo, `log ${index}`))));
  await until('the tables are level', () => opened.store.health().lagRecords === 0);
});

test.each([
  ['a feature', 2003, { ext_id: 'e1', feature_type: 'fa', feature_alg: 'a1', values: ['v'] }],
  ['the result of sending a person', 2102, { users: [] }],
])('%s of a terminal does not wait for somebody to look: others are told of it', async (_what, action, data) => {
  const { opened, deviceNo } = await resting();
  await using _closed = opened;
  await append(opened.store, aLog(deviceNo, 'waits'));
  await append(opened.store, message(deviceNo, action, data));
  await until('the tables are level', () => opened.store.health().lagRecords === 0);
});

test('a check-in waits, whatever digits it has', async () => {
  const { opened, deviceNo } = await resting();
  await using _closed = opened;
  const checkin = { ext_id: '2003', check_type: 'fa', check_time: 1_763_600_000, check_data: { note: '2102' } };
  await append(opened.store, message(deviceNo, 2001, { records: [checkin] }));
  await append(opened.store, aLog(deviceNo, 'the last'));
  expect(opened.store.health().lagRecords).toBe(2);
  await opened.store.catchUp();
  expect(await opened.store.read.unresolvedPeople(9)).toMatchObject({ records: 1 });
});

test('a store that is closed while its tables rest holds everything in them', async () => {
  const { opened, deviceNo } = await resting();
  await using _closed = opened;
  await append(opened.store, aLog(deviceNo, 'the last'));
  await opened.store[Symbol.asyncDispose]();
  await using stopped = await openStoreForReading({ dataDir: opened.dataDir });
  const rows = await stopped.read.logs({ limit: 9 });
  expect(rows.map(row => row.text)).toEqual(['the first', 'the last']);
});

test('who asks under load does not wait: the tables do not rest then', async () => {
  await using opened = await aStore();
  const { deviceNo } = await registered(opened.store);
  const behind = new Promise<number>(resolve => {
    for (let sent = 0; sent < 5000; sent++)
      opened.store.journal.append(aLog(deviceNo, `log ${sent}`), {
        onCommitted: () => {
          // In the turn of the acknowledgement, when all are behind.
          if (sent === 4999) void opened.store.level().then(() => resolve(opened.store.health().lagRecords));
        },
      });
  });
  expect(await behind).toBeGreaterThan(1000);
});
