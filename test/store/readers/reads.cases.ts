import { expect, test } from 'vitest';
import type { DeviceNo, StoreReader } from '../../../src/store/index.ts';
import { aProduct, append, applied, registered } from '../../support/store.ts';
import type { PortStore } from '../writes/case.ts';

/** In milliseconds, and in seconds. */
const at = 1_763_600_000_000;
const seconds = at / 1000;
const refused = { door: 'mqtt', clientId: 'X_1', address: '10.0.0.1', code: 'unknown_product', detail: '' } as const;

export interface Reading extends AsyncDisposable {
  readonly read: StoreReader;
}

/**
 * What every implementation of the reading port returns from the same store. `make` has a new store
 * filled, and opens what reads it; it may close the store that was written.
 */
export function readCases(name: string, make: (fill: (store: PortStore) => Promise<void>) => Promise<Reading>): void {
  /** Two terminals, six logs, three check-ins of which one is a stranger's, one passage. */
  const reading = async (
    more: (store: PortStore) => Promise<void> = async () => {},
  ): Promise<{ read: StoreReader; deviceNo: DeviceNo } & AsyncDisposable> => {
    let deviceNo = 0 as DeviceNo;
    const made = await make(async store => {
      deviceNo = await fill(store);
      await more(store);
    });
    return { read: made.read, deviceNo, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() };
  };

  test(`${name}: logs are found by text, time, device, model and serial, in order and in pages`, async () => {
    await using it = await reading();
    const texts = async (query: Partial<Parameters<StoreReader['logs']>[0]>) =>
      (await it.read.logs({ limit: 10, ...query })).map(row => row.text);
    expect(await texts({})).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 5', 'line 6']);
    expect(await texts({ text: 'LINE 4' })).toEqual(['line 4']);
    expect(await texts({ from: at + 2, to: at + 4 })).toEqual(['line 2', 'line 3']);
    expect(await texts({ deviceNo: it.deviceNo })).toEqual(['line 1', 'line 3', 'line 5']);
    expect(await texts({ model: 'ft1', sn: 'a0002' })).toEqual(['line 2', 'line 4', 'line 6']);
    expect(await texts({ text: 'nowhere' })).toEqual([]);
    const [first, second] = await it.read.logs({ limit: 2 });
    expect(await texts({ after: second!.seq, limit: 2 })).toEqual(['line 3', 'line 4']);
    expect(first).toMatchObject({ device_id: 'FACE-T1_A0001', model: 'FT1', sn: 'A0001', received_at: at + 1 });
  });

  test(`${name}: the newest logs stand first, and a page says where the next one begins`, async () => {
    await using it = await reading();
    const { rows, before } = await it.read.logTail({ limit: 2 });
    expect(rows.map(row => row.text)).toEqual(['line 6', 'line 5']);
    const next = await it.read.logTail({ limit: 10, before: before! });
    expect(next.rows.map(row => row.text)).toEqual(['line 4', 'line 3', 'line 2', 'line 1']);
    expect(next.before).toBeNull();
    const deviceNos = new Set([rows[0]!.deviceNo]);
    const all = [...rows, ...next.rows];
    const ofOne = all.filter(({ deviceNo }) => deviceNos.has(deviceNo));
    expect(ofOne.length).toBeLessThanOrEqual(all.length);
    expect((await it.read.logTail({ limit: 10, deviceNos })).rows).toEqual(ofOne);
    expect((await it.read.logTail({ limit: 10, deviceNos: new Set([999 as DeviceNo]) })).rows).toEqual([]);
  });

  test(`${name}: check-ins and passages are found by check time, those of strangers among them`, async () => {
    await using it = await reading();
    const found = await it.read.checkins({ limit: 10 });
    expect(found.map(row => [row.extId, row.checkTime, row.deviceId])).toEqual([
      ['e1', seconds, 'FACE-T1_A0001'],
      ['e2', seconds + 60, 'FACE-T1_A0001'],
      ['stranger', seconds + 120, 'FACE-T1_A0001'],
    ]);
    const later = await it.read.checkins({ from: seconds + 60, to: seconds + 120, limit: 10 });
    expect(later.map(row => row.extId)).toEqual(['e2']);
    expect((await it.read.checkins({ after: found[0]!.id, limit: 1 })).map(row => row.extId)).toEqual(['e2']);
    expect(await it.read.accessRecords({ limit: 10 })).toMatchObject([{ extId: 'e1', captureImg: 'QUJD' }]);
    expect(await it.read.accessRecords({ to: seconds, limit: 10 })).toEqual([]);
  });

  test(`${name}: a report names people and departments, and is cut to a department`, async () => {
    await using it = await reading();
    const rows = await it.read.checkInReport({ limit: 10 });
    expect(rows.map(row => [row.name, row.department])).toEqual([
      ['Li Mei', 'Assembly'],
      ['Wang', 'Paint'],
      ['', ''],
    ]);
    const ids = (await it.read.departmentTree(10)).filter(one => one.extId === 'd2').map(({ id }) => id);
    const stoodIn = { departmentIds: ids, from: '2025-11-20', to: '2025-11-20' };
    const paint = await it.read.checkInReport({ stoodIn, limit: 10 });
    expect(paint.map(row => row.name)).toEqual(['Wang']);
    expect(await it.read.dayCounts({ from: seconds, to: seconds + 3600 })).toEqual({ people: 2, here: 2, unknown: 1 });
    expect(await it.read.checkinPeople({ from: seconds, to: seconds + 3600 })).toBe(2);
  });

  test(`${name}: whoever moved twice stood in one department on each day`, async () => {
    await using it = await reading(async store => {
      const move = (department: string, since: string) =>
        store.write.putEmployee({ extId: 'e1', department: { extId: department, since }, at, queue: null });
      await move('d2', '2025-11-10');
      await move('0', '2025-11-18');
    });
    const idOf = new Map((await it.read.departmentTree(10)).map(({ extId, id }) => [extId, id]));
    const stood = async (extId: string, from: string, to = from) => {
      const stoodIn = { departmentIds: [idOf.get(extId)!], from, to };
      return (await it.read.checkInReport({ stoodIn, limit: 10 })).map(row => row.extId).join(' ');
    };
    const each = async (date: string) => [await stood('d1', date), await stood('d2', date), await stood('0', date)];
    expect(await each('2025-11-09')).toEqual(['e1', 'e2', '']);
    expect(await each('2025-11-10')).toEqual(['', 'e1 e2', '']);
    expect(await each('2025-11-18')).toEqual(['', 'e2', 'e1']);
    expect([await stood('d1', '2025-11-01', '2025-11-30'), await stood('d1', '2025-11-10', '2025-11-30')]).toEqual([
      ...['e1', ''],
    ]);
    const [passage] = (await it.read.accessEvents({ limit: 10, lookMax: 100 })).rows;
    expect(passage!.stands!.department).toBe(idOf.get('0'));
    const people = await it.read.people({ limit: 10 });
    const ids = people.map(({ place }) => place.id);
    const former = await it.read.formerDepartments({ ids, since: '2025-11-10' });
    expect([...former.values()]).toEqual([[{ until: '2025-11-17', departmentId: idOf.get('d2') }]]);
  });

  test(`${name}: access records are found by door, device and result`, async () => {
    await using it = await reading();
    const count = async (query: Partial<Parameters<StoreReader['accessEvents']>[0]>) =>
      (await it.read.accessEvents({ limit: 10, lookMax: 100, ...query })).rows.length;
    expect(await count({})).toBe(1);
    expect(await count({ result: 'refused' })).toBe(1);
    expect(await count({ result: 'passed' })).toBe(0);
    expect(await count({ result: 1 })).toBe(1);
    expect(await count({ door: { text: 'north', deviceNos: [] } })).toBe(1);
    expect(await count({ door: { text: 'nowhere', deviceNos: [it.deviceNo] } })).toBe(1);
    expect(await count({ door: { text: 'nowhere', deviceNos: [] } })).toBe(0);
  });

  test(`${name}: the ledger, waiting records and refusals are read alike`, async () => {
    await using it = await reading();
    const ledger = await it.read.ledger(it.deviceNo, { limit: 2 });
    expect(ledger.map(row => [row.channel, row.state])).toEqual([
      ['device', 'waiting'],
      ['device', 'waiting'],
    ]);
    expect((await it.read.waiting()).total).toBe(6 + 4);
    expect(await it.read.refusals({ clientId: 'x_1' })).toMatchObject([{ code: 'unknown_product', count: 1 }]);
    expect((await it.read.site({ withSecrets: false })).departments).toHaveLength(2);
    expect((await it.read.unresolvedPeople(10)).people).toMatchObject([{ extId: 'stranger', records: 1 }]);
  });
}

async function fill(store: PortStore): Promise<DeviceNo> {
  const person = (ext_id: string, name: string, department: string) => ({
    ...{ ext_id, name, mobile: '', employee_num: ext_id },
    department: { ext_id: department, title: '' },
  });
  await applied(store, {
    products: [aProduct()],
    departments: [
      { ext_id: 'd1', name: 'Assembly' },
      { ext_id: 'd2', name: 'Paint' },
    ],
    employees: [person('e1', 'Li Mei', 'd1'), person('e2', 'Wang', 'd2')],
  });
  const { deviceNo } = await registered(store, 'FACE-T1_A0001');
  const other = (await registered(store, 'FACE-T1_A0002')).deviceNo;
  for (let number = 1; number <= 6; number++)
    await append(store, {
      deviceNo: number % 2 ? deviceNo : other,
      channel: 'log',
      receivedAt: at + number,
      logPath: number % 2 ? 'FT1/A0001' : 'FT1/A0002',
      marks: {},
      payload: Buffer.from(`line ${number}`),
    });
  const say = (action: number, mid: string, record: object) =>
    append(store, {
      ...({ deviceNo, channel: 'device', receivedAt: at + 10, logPath: '', marks: {} } as const),
      payload: Buffer.from(
        JSON.stringify({ mid, from: 'x', to: 'system', time: 0, action, data: { records: [record] } }),
      ),
    });
  const people = ['e1', 'e2', 'stranger'];
  for (const [index, ext_id] of people.entries())
    await say(2001, `m${index}`, { ext_id, check_type: 'fa', check_time: seconds + 60 * index });
  const passage = { ext_id: 'e1', check_type: 'card', check_time: seconds, check_result: 1, capture_img: 'QUJD' };
  await say(2002, 'p', { ...passage, door_id: 'North gate' });
  await store.write.noteRefusal({ at, ...refused });
  await store.catchUp();
  return deviceNo;
}
