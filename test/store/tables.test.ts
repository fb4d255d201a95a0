import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Channel, DeviceNo, IncomingRecord, Seq, Store } from '../../src/store/index.ts';
import { backedUpTo } from '../support/backups.ts';
import { incompressible } from '../support/incompressible.ts';
import { aProduct, append, applied, aStore, registered } from '../support/store.ts';

const at = 1_763_600_000_000;
const day = 24 * 3600 * 1000;

const say = (store: Store, deviceNo: DeviceNo, action: number, data: object, mid = 'm1', receivedAt = at, marks = {}) =>
  append(store, {
    deviceNo,
    channel: 'device',
    receivedAt,
    logPath: '',
    marks,
    payload: Buffer.from(JSON.stringify({ mid, from: 'x', to: 'system', time: 0, action, data })),
  });
const checkin = (person: string, type = 'fa') => ({
  records: [{ ext_id: person, check_type: type, check_time: 1_763_600_000 }],
});
const people = async (store: Store) => {
  await store.catchUp();
  return (await store.read.checkins({ limit: 100 })).map(row => row.extId);
};

test('a report sent again with the same mid, action and data is stored once; the same mid with other data is a new one, noted', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  await say(store, deviceNo, 2001, checkin('e1'));
  await say(store, deviceNo, 2001, checkin('e1'));
  await say(store, deviceNo, 2001, checkin('e2'));
  expect(await people(store)).toEqual(['e1', 'e2']);
  expect((await store.read.events(deviceNo, 10)).map(one => one.kind)).toEqual(['mid_reused']);
});

test('a record with the same id is stored once for each device, whatever mid it comes with; other data under the id is another record, noted once', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const record = (id: string, person = 'e1') => ({ id, ...checkin(person).records[0]! });
  for (const device of ['FACE-T1_A0001', 'FACE-T1_A0002']) {
    const { deviceNo } = await registered(store, device);
    await say(store, deviceNo, 2001, { records: [record('r1'), record('r1')] }, 'first');
    await say(store, deviceNo, 2001, { records: [record('r1'), record('r2', 'e2')] }, 'packed again');
    for (const person of ['e3', 'e4']) await say(store, deviceNo, 2001, { records: [record('r1', person)] }, person);
  }
  expect(await people(store)).toEqual(['e1', 'e2', 'e3', 'e4', 'e1', 'e2', 'e3', 'e4']);
  const { deviceNo } = await registered(store, 'FACE-T1_A0002');
  expect(await store.read.events(deviceNo, 10)).toMatchObject([{ kind: 'record_id_reused', detail: 'r1' }]);
});

test('a check-in has the name, the department and the terminal that stood when it came, also where one before it had others', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo, deviceId } = await registered(store);
  const organization = (name: string, department: string, terminal: string) => ({
    products: [aProduct()],
    devices: [{ device_id: deviceId, name: terminal }],
    departments: [{ ext_id: department, name: department }],
    employees: [{ ext_id: 'e1', name, department: { ext_id: department } }],
  });
  await store.write.initCheckIns({ at });
  for (const [index, [name, department, terminal]] of (
    [
      ['Li Lei', 'Paint', 'Gate'],
      ['Li Lei', 'Paint', 'Gate'],
      ['Li Lei 2', 'Press', 'Door'],
    ] as const
  ).entries()) {
    if (index !== 1) await applied(store, organization(name, department, terminal));
    await say(store, deviceNo, 2001, checkin('e1'), `m${index}`);
    await store.catchUp();
  }
  const said = (await store.read.checkins({ limit: 100 })).map(row => row.checkData);
  expect(said).toMatchObject([
    { member_name: 'Li Lei', dept_name: 'Paint', device_name: 'Gate' },
    { member_name: 'Li Lei', dept_name: 'Paint', device_name: 'Gate' },
    { member_name: 'Li Lei 2', dept_name: 'Press', device_name: 'Door' },
  ]);
});

test('an access record with the same id is stored once', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const record = { id: 'p1', door_id: 'd', check_type: 'card', check_time: 1_763_600_000, check_result: 2 };
  for (const mid of ['1', '2']) await say(store, deviceNo, 2002, { records: [record] }, mid);
  await store.catchUp();
  expect(await store.read.accessRecords({ limit: 10 })).toHaveLength(1);
});

test('the terminal id of a record is the phone that its report names, beside check_data or in it', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await applied(store, {
    departments: [{ ext_id: '0', name: 'Plant' }],
    employees: [
      { ext_id: 'e1', name: 'Li Mei', mobile: '13800000000', employee_num: '1', department: { ext_id: '0' } },
    ],
  });
  const { deviceNo } = await registered(store);
  const one = (check_type: string, more: object, ext_id = 'e1') => ({
    ext_id,
    check_type,
    check_time: 1_763_600_000,
    ...more,
  });
  const records = [
    one('wifi', { terminal_id: 'phone-1', check_data: { ssid: 'Plant' } }),
    one('gps', { check_data: { terminal_id: 'phone-2' } }),
    one('out_work', { terminal_id: 77 }),
    one('app_scan', { terminal_id: 'phone-3' }),
    one('fa', { terminal_id: 'phone-4' }),
    one('reissue', { terminal_id: 'phone-5' }),
    one('wifi', { terminal_id: 'phone-6' }, 'unknown'),
  ];
  await say(store, deviceNo, 2001, { records });
  await store.catchUp();
  const found = await store.read.checkins({ limit: 10 });
  expect(found.map(row => row.terminalId)).toEqual(['phone-1', 'phone-2', '77', 'A0001', 'A0001', 'apply', 'A0001']);
  expect(found[0]!.checkData).not.toHaveProperty('terminal_id');
});

test('the same report of another device is another report', async () => {
  await using opened = await aStore();
  const { store } = opened;
  for (const id of ['FACE-T1_A0001', 'FACE-T1_A0002'])
    await say(store, (await registered(store, id)).deviceNo, 2001, checkin('e1'));
  expect(await people(store)).toEqual(['e1', 'e1']);
});

test('after 7 days a repeat is taken for a new report', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  await say(store, deviceNo, 2001, checkin('e1'));
  await store.catchUp();
  await store.write.retire({ now: at + 7 * day + 1 });
  await say(store, deviceNo, 2001, checkin('e1'), 'm1', at + 7 * day + 2);
  expect(await people(store)).toEqual(['e1', 'e1']);
});

test('what is malformed or invalid is kept and fills no table', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  await say(store, deviceNo, 2001, checkin('e1'), 'a', at, { malformed: true });
  await say(store, deviceNo, 2001, checkin('e2'), 'b', at, { invalid: true });
  expect(await people(store)).toEqual([]);
  expect(store.journal.lastSeq).toBe(2);
});

test('tables follow the journal to its end after a restart, and nothing twice', async () => {
  await using opened = await aStore();
  const { deviceNo } = await registered(opened.store);
  for (let turn = 0; turn < 50; turn++) await say(opened.store, deviceNo, 2001, checkin(`e${turn}`), `m${turn}`);
  const store = await opened.reopen();
  expect(await people(store)).toEqual(Array.from({ length: 50 }, (_, turn) => `e${turn}`));
});

test('a site that renamed its codes has its reports read by its own', async () => {
  const { defaultActions } = await import('../../src/platform/actions.ts');
  await using opened = await aStore({ actions: { ...defaultActions, checkin_report: 41 } });
  const { deviceNo } = await registered(opened.store);
  await say(opened.store, deviceNo, 41, checkin('e1'));
  await say(opened.store, deviceNo, 2001, checkin('e2'), 'm2');
  expect(await people(opened.store)).toEqual(['e1']);
});

test('an access record keeps its capture, and the ledger says where each record is', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const record = { ext_id: 'e1', check_type: 'card', check_time: 1_763_600_000, check_result: 1, capture_img: 'QUJD' };
  await say(store, deviceNo, 2002, { records: [record] });
  await say(store, deviceNo, 2001, checkin('e1'), 'm2');
  await store.catchUp();
  expect(await store.read.accessRecords({ limit: 10 })).toMatchObject([
    { checkResult: 1, captureImg: 'QUJD', doorId: 'A0001', deviceId: 'FACE-T1_A0001' },
  ]);
  await store.write.confirm({
    confirmations: [{ deviceNo, channel: null, upToSeq: 1 as never, floorSeq: 0 as never, at: at + 5000, via: 'mqtt' }],
  });
  expect(await store.read.ledger(deviceNo, { limit: 10 })).toMatchObject([
    { seq: 2, mid: 'm2', state: 'waiting', receivedAt: at },
    { seq: 1, mid: 'm1', action: 2002, state: 'confirmed', confirmedAt: at + 5000, via: 'mqtt' },
  ]);
  await store.write.park({ seq: 2 as never, deviceNo, channel: 'device', at, code: 400, reason: 'no' });
  expect((await store.read.ledger(deviceNo, { limit: 1 }))[0]).toMatchObject({
    state: 'parked',
    reason: { reason: 'no' },
  });
  expect((await store.read.waiting()).total).toBe(0);
});

/** One bit of a sealed column turned, as a bad sector does. */
function damage({ dataDir }: { dataDir: string }, update: string): void {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { timeout: 5000 });
  database.exec(update);
  database.close();
}

test('one damaged capture hides neither the other records of its page nor its own', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const record = { ext_id: 'e1', check_type: 'card', check_time: 1_763_600_000, check_result: 0, capture_img: 'QUJD' };
  for (const mid of ['a', 'b', 'c']) await say(store, deviceNo, 2002, { records: [{ ...record, id: mid }] }, mid);
  await store.catchUp();
  damage(opened, "UPDATE access_record SET sealed_capture_img = zeroblob(40) WHERE record_id = 'b'");
  const rows = await store.read.accessRecords({ limit: 10 });
  expect(rows.map(row => row.captureImg)).toEqual(['QUJD', null, 'QUJD']);
  const page = await store.read.accessEvents({ limit: 10, lookMax: 100 });
  expect(page.rows.map(row => row.photo)).toEqual([true, true, true]);
  const photos = await Promise.all(rows.map(({ id }) => store.read.accessPhoto(id)));
  expect(photos.map(photo => photo?.state)).toEqual(['there', 'damaged', 'there']);
});

test('a feature that is damaged is replaced by the next report of it, and stops nothing', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const report = (value: string, mid: string) =>
    say(store, deviceNo, 2003, { ext_id: 'e1', feature_type: 'fa', feature_alg: '', values: [value] }, mid);
  await report('QUJD', 'a');
  await store.catchUp();
  damage(opened, 'UPDATE feature SET sealed_values = zeroblob(40)');
  await report('REVG', 'b');
  await say(store, deviceNo, 2001, checkin('e1'), 'c');
  expect(await people(store)).toEqual(['e1']);
  expect(store.health().state).toBe('ok');
});

test('logs are found by model, serial, time and text', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const log = (text: string, receivedAt: number, logPath = 'FT1/A0001') =>
    append(store, {
      deviceNo,
      channel: 'log',
      receivedAt,
      logPath,
      marks: { truncated: text.length > 20 },
      payload: Buffer.from(text),
    });
  await log('Door OPEN', at);
  await log('door closed', at + 1000);
  await log('reboot', at + 2000, 'OTHER/B1');
  await log('a text of more than twenty characters 门', at + 3000);
  await store.catchUp();
  const texts = async (query: object) => (await store.read.logs({ limit: 10, ...query })).map(row => row.text);
  expect(await texts({ text: 'door' })).toEqual(['Door OPEN', 'door closed']);
  expect(await texts({ text: '门' })).toEqual(['a text of more than twenty characters 门']);
  expect(await texts({ model: 'OTHER' })).toEqual(['reboot']);
  expect(await texts({ sn: 'A0001', from: at + 1000, to: at + 3000 })).toEqual(['door closed']);
  expect((await store.read.logs({ limit: 10, text: 'twenty' }))[0]).toMatchObject({
    truncated: true,
    model: 'FT1',
    sn: 'A0001',
  });
  expect((await store.read.logCounts('2025-11-20')).get(deviceNo)).toBe(4);
});

test('no key, feature value, picture or message stands in the database file in clear', async () => {
  await using opened = await aStore();
  const { store, dataDir } = opened;
  const secret = (name: string) => `TOP-SECRET-${name}-0123456789`;
  await applied(store, {
    products: [aProduct({ product_key: secret('product') })],
    devices: [{ device_id: 'FACE-T1_A0001', access_key: secret('device') }],
    apps: [{ app_id: 'hr', app_key: secret('app') }],
    attendance_callers: [{ app_key: 'ak', app_secret: secret('attendance') }],
    oauth_clients: [{ client_id: 'c', client_secret: secret('oauth'), redirect_uris: [] }],
  });
  const { deviceNo } = await registered(store);
  await store.write.setPresentedPassword({ deviceNo, password: secret('password') });
  await store.write.putInbox({ deviceNo, payload: Buffer.from(secret('inbox')), at, max: 10 });
  await say(store, deviceNo, 2003, {
    ext_id: 'e1',
    feature_type: 'fa',
    feature_alg: 'base64',
    values: [secret('feature')],
  });
  await say(
    store,
    deviceNo,
    2002,
    { records: [{ check_type: 'fa', check_time: 1, check_result: 0, capture_img: secret('picture') }] },
    'm2',
  );
  await say(store, deviceNo, 9999, { anything: secret('unknown') }, 'm3');
  await store.catchUp();
  const bytes = ['gatehouse.db', 'gatehouse.db-wal']
    .map(name => readFileSync(join(dataDir, name)).toString('latin1'))
    .join('');
  expect(bytes).toContain('FACE-T1_A0001');
  expect(bytes).not.toContain('TOP-SECRET');
});

test('the inbox keeps the newest, oldest first', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  let dropped = 0;
  for (let turn = 0; turn < 5; turn++)
    dropped += (await store.write.putInbox({ deviceNo, payload: Buffer.from(`${turn}`), at, max: 3 })).dropped;
  const messages = await store.read.inbox(deviceNo, { limit: 10, bytesMax: 1 << 20 });
  expect(messages.map(one => Buffer.from(one.payload).toString())).toEqual(['2', '3', '4']);
  expect(dropped).toBe(2);
  await store.write.removeInbox({ ids: [messages[0]!.id] });
  expect(await store.read.inbox(deviceNo, { limit: 10, bytesMax: 1 })).toHaveLength(1);
});

test('retention drops segments that every cursor has passed, and no other', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const one = await registered(store, 'FACE-T1_A0001');
  const other = await registered(store, 'FACE-T1_A0002');
  await say(store, one.deviceNo, 2001, checkin('e1'));
  await say(store, other.deviceNo, 2001, checkin('e2'));
  await store.catchUp();
  await store.write.confirm({
    confirmations: [
      { deviceNo: one.deviceNo, channel: null, upToSeq: 1 as never, floorSeq: 0 as never, at, via: 'mqtt' },
    ],
  });
  expect(await store.write.retire({ now: at + 8 * day })).toMatchObject({ segments: 1 });
  expect(await store.read.record(1 as never)).toBeNull();
  expect(await store.read.record(2 as never)).not.toBeNull();
  await store.write.park({ seq: 2 as never, deviceNo: other.deviceNo, channel: 'device', at, code: 400, reason: 'no' });
  expect(await store.write.retire({ now: at + 8 * day })).toMatchObject({ segments: 0 });
  expect(await people(store)).toEqual(['e1', 'e2']);
});

test('a segment stays while logs of it wait, though its messages have gone up, and a receipt tells them apart', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store, 'FACE-T1_A0001');
  const log = { deviceNo, channel: 'log', receivedAt: at, logPath: 'FT1/A0001', marks: {}, payload: Buffer.from('l') };
  await Promise.all([
    append(store, log as IncomingRecord),
    say(store, deviceNo, 2001, checkin('e1')),
    append(store, log as IncomingRecord),
  ]);
  await store.catchUp();
  const confirmed = (channel: Channel, upToSeq: number, floorSeq: number) =>
    store.write.confirm({
      confirmations: [{ deviceNo, channel, upToSeq: upToSeq as Seq, floorSeq: floorSeq as Seq, at, via: 'mqtt' }],
    });
  await confirmed('device', 2, 0);
  expect((await store.read.waiting()).byDevice.get(deviceNo)).toBe(2);
  const states = async () => (await store.read.ledger(deviceNo, { limit: 9 })).map(row => [row.channel, row.state]);
  expect(await states()).toEqual([
    ['log', 'waiting'],
    ['device', 'confirmed'],
    ['log', 'waiting'],
  ]);
  expect(await store.write.retire({ now: at + 8 * day })).toMatchObject({ segments: 0 });
  await confirmed('log', 3, 3);
  expect((await store.read.waiting()).total).toBe(0);
  expect((await states()).map(([, state]) => state)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  const gone = await store.write.retire({ now: at + 8 * day });
  expect(gone.segments).toBeGreaterThan(0);
});

test('a batch is taken once, however often it comes', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const box = await registered(store, 'GATEHOUSE_000002');
  const { deviceNo } = await registered(store);
  const batch = (from: number, to: number) => ({
    boxNo: box.deviceNo,
    epoch: 'e',
    ackedSeq: to,
    refused: [],
    records: Array.from({ length: to - from + 1 }, (_, index) => ({
      seq: from + index,
      record: {
        deviceNo,
        channel: 'log' as const,
        receivedAt: at,
        logPath: 'FT1/A0001',
        marks: {},
        payload: Buffer.from(`${from + index}`),
      },
    })),
  });
  expect(await store.write.receiveBatch(batch(1, 3))).toEqual({ stored: 3 });
  expect(await store.write.receiveBatch(batch(1, 3))).toEqual({ stored: 0 });
  expect(await store.write.receiveBatch(batch(2, 5))).toEqual({ stored: 2 });
  await store.catchUp();
  expect((await store.read.logs({ limit: 10 })).map(row => row.text)).toEqual(['1', '2', '3', '4', '5']);
  expect(await store.read.batchCursor(box.deviceNo, 'e')).toBe(5);
  expect(await store.read.batchCursor(box.deviceNo, 'another epoch')).toBe(0);
});

test('a device that lags does not keep the segments of the others', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const lagging = await registered(store, 'FACE-T1_A0001');
  const other = await registered(store, 'FACE-T1_A0002');
  for (let turn = 0; turn < 520; turn++) await say(store, lagging.deviceNo, 9999, {}, `l${turn}`);
  await say(store, other.deviceNo, 9999, {}, 'o');
  await store.catchUp();
  const upToSeq = store.journal.lastSeq;
  await store.write.confirm({
    confirmations: [{ deviceNo: other.deviceNo, channel: null, upToSeq, floorSeq: 0 as never, at, via: 'mqtt' }],
  });
  expect(await store.write.retire({ now: at + 8 * day })).toMatchObject({ segments: 1 });
});

test('a backup ends while records keep coming', async () => {
  await using opened = await aStore();
  const { store, dataDir } = opened;
  const { deviceNo } = await registered(store);
  let working = true;
  const pad = incompressible(20_000);
  const work = (async () => {
    for (let turn = 0; working; turn++) await say(store, deviceNo, 9999, { pad }, `m${turn}`);
  })();
  for (; store.journal.lastSeq < 300; ) await new Promise(resolve => setImmediate(resolve));
  const file = `${dataDir}-busy.gh`;
  expect((await backedUpTo(store, file)).bytes).toBeGreaterThan(1_000_000);
  working = false;
  await work;
  await rm(file);
});
