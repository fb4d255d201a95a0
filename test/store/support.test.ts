import { expect, test } from 'vitest';
import type { DeviceNo, Store } from '../../src/store/index.ts';
import { aProduct, append, applied, aStore, registered } from '../support/store.ts';

const at = 1_763_600_000_000;

async function withDevices(store: Store): Promise<{ one: DeviceNo; other: DeviceNo }> {
  await applied(store, { products: [aProduct()] });
  const one = (await registered(store)).deviceNo;
  const other = (await registered(store, 'FACE-T1_A0002')).deviceNo;
  return { one, other };
}

const log = (store: Store, deviceNo: DeviceNo, text: string, logPath = 'FT1/A0001', receivedAt = at) =>
  append(store, { deviceNo, channel: 'log', receivedAt, logPath, marks: {}, payload: Buffer.from(text) });

test('logs are read from the newest back, page by page, and forward from a place', async () => {
  await using temporary = await aStore();
  const { store } = temporary;
  const { one, other } = await withDevices(store);
  for (let turn = 1; turn <= 5; turn++) await log(store, turn % 2 === 0 ? other : one, `log ${turn}`);
  await store.catchUp();
  const texts = (rows: readonly { text: string }[]) => rows.map(row => row.text);
  const first = await store.read.logTail({ limit: 2 });
  expect(texts(first.rows)).toEqual(['log 5', 'log 4']);
  const second = await store.read.logTail({ limit: 2, before: first.before! });
  expect(texts(second.rows)).toEqual(['log 3', 'log 2']);
  const third = await store.read.logTail({ limit: 2, before: second.before! });
  expect([texts(third.rows), third.before]).toEqual([['log 1'], null]);
  expect(texts((await store.read.logTail({ limit: 9, deviceNo: other })).rows)).toEqual(['log 4', 'log 2']);
  const some = async (...nos: number[]) =>
    texts((await store.read.logTail({ limit: 9, deviceNos: new Set(nos as DeviceNo[]) })).rows);
  expect(await some(other)).toEqual(['log 4', 'log 2']);
  expect(await some(one, other, 4000)).toEqual(['log 5', 'log 4', 'log 3', 'log 2', 'log 1']);
  expect(await some(...Array.from({ length: 20 }, (_, index) => 100 + index))).toEqual([]);
  expect(await some()).toEqual([]);
  await log(store, one, 'log 6');
  await store.catchUp();
  const newer = await store.read.logTail({ limit: 9, after: first.rows[0]!.seq });
  expect(texts(newer.rows)).toEqual(['log 6']);
  expect(await store.read.logTail({ limit: 9, after: newer.newest })).toEqual({
    rows: [],
    before: null,
    newest: newer.rows[0]!.seq,
  });
});

test('logs are found by path, words and time, without case; what a person types is no pattern', async () => {
  await using temporary = await aStore();
  const { store } = temporary;
  const { one } = await withDevices(store);
  await log(store, one, 'Door OPEN');
  await log(store, one, '100% sure', 'FT_1/B1', at + 1000);
  await log(store, one, 'reboot', 'FTX1/B1', at + 2000);
  await store.catchUp();
  const found = async (query: object) =>
    (await store.read.logTail({ limit: 9, ...query })).rows.map(({ text }) => text);
  expect(await found({ text: 'door open' })).toEqual(['Door OPEN']);
  expect(await found({ text: '%' })).toEqual(['100% sure']);
  expect(await found({ model: 'ft_1' })).toEqual(['100% sure']);
  expect(await found({ sn: 'b1' })).toEqual(['reboot', '100% sure']);
  expect(await found({ sn: '1' })).toEqual([]);
  expect(await found({ from: at + 1000, to: at + 2000 })).toEqual(['100% sure']);
});

test('a search for a rare word looks at a bounded number of logs, and returns a cursor', async () => {
  await using temporary = await aStore();
  const { store } = temporary;
  const { one } = await withDevices(store);
  await Promise.all([
    log(store, one, 'needle'),
    ...Array.from({ length: 25_000 }, (_, index) => log(store, one, `hay ${index} ${'.'.repeat(100)}`)),
  ]);
  await store.catchUp();
  // How the logs fell into blocks, and how fast they are read, decides where a page ends.
  const pages = [await store.read.logTail({ limit: 10, text: 'needle' })];
  const { newest } = pages[0]!;
  for (let before = pages[0]!.before; before !== null; before = pages.at(-1)!.before) {
    expect(before).toBeLessThan(pages.at(-2)?.before ?? newest);
    pages.push(await store.read.logTail({ limit: 10, text: 'needle', before }));
  }
  expect(pages.length).toBeGreaterThan(1);
  for (const { rows } of pages.slice(0, -1)) expect(rows).toEqual([]);
  expect(pages.at(-1)!.rows.map(row => row.text)).toEqual(['needle']);
});

test('everything that terminals report after a place is listed: of known people, of unknown ones, and at doors', async () => {
  await using temporary = await aStore();
  const { store } = temporary;
  const { one, other } = await withDevices(store);
  await applied(store, {
    departments: [{ ext_id: '0', name: 'Plant' }],
    employees: [{ ext_id: 'e1', name: 'Li Mei', department: { ext_id: '0' } }],
  });
  let turn = 0;
  const report = async (deviceNo: DeviceNo, action: number, data: object) => {
    const mid = `m${++turn}`;
    const payload = Buffer.from(JSON.stringify({ mid, from: 'x', to: 'CLOUD', time: at / 1000, action, data }));
    await append(store, { deviceNo, channel: 'device', receivedAt: at + turn, logPath: '', marks: {}, payload });
    await store.catchUp();
  };
  const punch = (extId: string, more: object = {}) => ({
    records: [{ ext_id: extId, check_type: 'fa', check_time: at / 1000 + turn, ...more }],
  });
  await report(one, 2001, punch('e1'));
  const { punches, place } = await store.read.punchesSince(null, 10);
  expect(punches).toEqual([]);
  await report(one, 2001, punch('e1'));
  await report(other, 2001, punch('nobody'));
  await report(one, 2002, punch('e1', { check_result: 1 }));
  const next = await store.read.punchesSince(place, 10);
  expect(next.punches).toMatchObject([
    { kind: 'checkin', deviceId: 'FACE-T1_A0001', name: 'Li Mei' },
    { kind: 'checkin', deviceId: 'FACE-T1_A0002', name: '' },
    { kind: 'access', deviceId: 'FACE-T1_A0001', name: 'Li Mei' },
  ]);
  expect((await store.read.punchesSince(next.place, 10)).punches).toEqual([]);
});
