import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { applySite } from '../../../src/admin/apply-site.ts';
import type { BoxAdmin, PageParts, Role } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { boxes, boxOperations } from '../../../src/admin/ui/boxes.ts';
import { deviceChangeOperations, deviceChanges } from '../../../src/admin/ui/device-changes.ts';
import { deviceList, deviceListOperations } from '../../../src/admin/ui/devices.ts';
import { peopleDataOf, peopleDataOperations } from '../../../src/admin/ui/people-data.ts';
import { sync, syncOperations } from '../../../src/admin/ui/sync.ts';
import { BoxBackups } from '../../../src/backups/index.ts';
import { defaultActions } from '../../../src/platform/actions.ts';
import type { ProductId } from '../../../src/platform/device-id.ts';
import { countStates, type DeviceState, deviceState } from '../../../src/platform/device-state.ts';
import type { RefusalCode } from '../../../src/platform/refusals.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import type { Device, DeviceNo, IncomingRecord, Seq, Store } from '../../../src/store/index.ts';
import type { Reason } from '../../../src/words/sentences.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { HandClock } from '../../support/clock.ts';
import { lightHash } from '../../support/hash-strength.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

const hour = 3_600_000;
/** In Shanghai it is 13:00. */
const noon = Date.parse('2026-11-20T05:00:00Z');

interface Row {
  readonly device_id: string;
  readonly [field: string]: unknown;
}

/**
 * The routes over a real store; who is online, what waits and who was thrown out is in the hands of
 * the test.
 */
async function aBox(role: Role = 'admin') {
  const clock = new HandClock(noon);
  const opened = await aStore({ clock });
  const { store } = opened;
  const online = new Set<DeviceNo>();
  const heldBack = new Set<DeviceNo>();
  const wereHere = new Set<DeviceNo>();
  const waiting = new Map<DeviceNo, number>();
  const kicked: string[] = [];
  const stateOf = ({ deviceNo, blocked, belongsTo }: Device): DeviceState =>
    deviceState({
      isBlocked: blocked,
      isOnline: online.has(deviceNo),
      isHeldBack: heldBack.has(deviceNo),
      isRefused: false,
      isElsewhere: belongsTo !== null && belongsTo !== 'here',
      wasHere: wereHere.has(deviceNo),
    });
  const admin = {
    apply: input => applySite(store, input, { production: false, clock, hashStrength: lightHash }),
  } as Partial<BoxAdmin> as BoxAdmin;
  const browsers = new Set<string>();
  const parts = {
    admin,
    store,
    clock,
    config: { site: { timezone: 'Asia/Shanghai' }, actions: defaultActions },
    devices: {
      kick: (no: DeviceNo, { reason }: Reason) => void kicked.push(`${no} ${reason}`),
      stateOf,
      keyFitsNobody: () => false,
      status: () => {
        const states = countStates([...store.directory.devices()].map(stateOf));
        return {
          known: [...store.directory.devices()].length,
          online: states.online,
          held_back: states.held_back,
          refused: 0,
          states,
        };
      },
      async letNewDevicesIn(productId: ProductId) {
        await store.write.letNewDevicesIn({ productId, until: noon + hour });
        return noon + hour;
      },
    },
    upstream: { standsAlone: false, waiting: () => waiting, deviceUplink: () => null },
    isBrowser: (address: string) => browsers.has(address),
    isOnline: ({ deviceNo }: Device) => online.has(deviceNo),
    boxBackups: new BoxBackups({
      ...{ place: { folder: opened.dataDir, process: null }, clock, log: silentLog },
      ...{ copiesMax: 5, bytesMax: 1 << 20, leaveBytes: 0 },
    }),
  } as unknown as PageParts;
  const identity = anIdentity(role);
  const app = anAdminApi(admin, identity, routes => {
    serve(routes, deviceListOperations, deviceList(parts));
    serve(routes, deviceChangeOperations, deviceChanges(parts));
    serve(routes, boxOperations, boxes(parts));
    serve(routes, peopleDataOperations, peopleDataOf(parts));
    serve(routes, syncOperations, sync(parts));
  });
  const ask = async <T = { rows: Row[]; cursor: string | null }>(method: string, path: string, body?: object) => {
    const answer = await app.request(path, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
    return { status: answer.status, said: (await answer.json()) as T };
  };
  const get = async <T = { rows: Row[]; cursor: string | null }>(path: string) => (await ask<T>('GET', path)).said;
  const dispose = () => opened[Symbol.asyncDispose]();
  return {
    app,
    boxBackups: parts.boxBackups as BoxBackups,
    ...{ store, clock, browsers, online, heldBack, wereHere, waiting, kicked, ask, get, audited: identity.audited },
    [Symbol.asyncDispose]: dispose,
  };
}

const said = (store: Store, deviceNo: DeviceNo, receivedAt: number, change: Partial<IncomingRecord> = {}) =>
  append(store, {
    deviceNo,
    channel: 'log',
    receivedAt,
    logPath: 'FT1/A0001',
    marks: {},
    payload: Buffer.from(`at ${receivedAt}`),
    ...change,
  });

test('2000 devices are read page by page, each once', async () => {
  await using box = await aBox();
  const devices = Array.from({ length: 2000 }, (_, index) => ({
    device_id: `FACE-T1_${String(index).padStart(5, '0')}`,
    name: index % 100 === 0 ? `Gate ${index}` : '',
  }));
  await applied(box.store, { products: [aProduct()], devices });
  for (const { deviceNo } of box.store.directory.devices()) if (deviceNo % 2 === 0) box.online.add(deviceNo);
  const events = vi.spyOn(box.store.read, 'events');
  await box.get('/device-list?limit=50');
  expect(events, 'the events of the devices that are shown, of no others').toHaveBeenCalledTimes(50);

  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { rows: Row[]; cursor: string | null } = await box.get(`/device-list?limit=300&cursor=${cursor}`);
    seen.push(...page.rows.map(row => row.device_id));
    cursor = page.cursor;
  }
  expect(seen).toEqual(devices.map(({ device_id }) => device_id));

  const named = await box.get('/device-list?search=gATE%2019');
  expect(named.rows.map(row => row.name)).toEqual(['Gate 1900']);
  const online = await box.get('/device-list?search=_0000&state=online');
  expect(online.rows).toHaveLength(5);
  expect(await box.get('/device-counts')).toMatchObject({
    known: 2000,
    states: { online: 1000, held_back: 0, refused: 0, elsewhere: 0, silent: 0, never: 1000, blocked: 0 },
    products: [{ product_id: 'FACE-T1', devices: 2000 }],
  });
});

test('the list is sorted by any column, page by page, each device once', async () => {
  await using box = await aBox();
  const names = ['Gate 10', 'Gate 2', '北门', '', 'Gate 2'];
  const devices = names.map((name, index) => ({ device_id: `FACE-T1_A${index}`, name }));
  await applied(box.store, { products: [aProduct()], devices });
  const no = (id: string) => [...box.store.directory.devices()].find(one => one.deviceId === id)!.deviceNo;
  box.waiting.set(no('FACE-T1_A3'), 9);
  box.waiting.set(no('FACE-T1_A1'), 10);
  box.online.add(no('FACE-T1_A2'));
  const sorted = async (sort: string) => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { rows: Row[]; cursor: string | null; total?: number } = await box.get(
        `/device-list?limit=2&sort=${sort}&cursor=${encodeURIComponent(cursor)}`,
      );
      expect(page.total).toBe(5);
      seen.push(...page.rows.map(row => row.device_id.slice(-2)));
      cursor = page.cursor;
    }
    return seen.join(' ');
  };
  expect(await sorted('name')).toBe('A2 A3 A1 A4 A0');
  expect(await sorted('-name')).toBe('A0 A4 A1 A3 A2');
  expect(await sorted('-waiting')).toBe('A1 A3 A4 A2 A0');
  expect(await sorted('state')).toBe('A2 A0 A1 A3 A4');
  expect(await sorted('-id')).toBe('A4 A3 A2 A1 A0');
  expect((await box.ask('GET', '/device-list?sort=size')).status).toBe(400);
  expect((await box.ask('GET', '/device-list?sort=name&cursor=made-up')).status).toBe(200);
});

test('a device that is disconnected because the disk was full is held back, not silent', async () => {
  await using box = await aBox();
  const { deviceNo } = await registered(box.store);
  box.heldBack.add(deviceNo);
  expect((await box.get('/device-list')).rows.map(row => row.state)).toEqual(['held_back']);
  expect((await box.get('/device-list?state=silent')).rows).toEqual([]);
  expect(await box.get<object>('/device-counts')).toMatchObject({ states: { held_back: 1, silent: 0 } });
});

test('a device is listed in its state; blocked comes before any other', async () => {
  await using box = await aBox();
  await applied(box.store, { products: [aProduct()] });
  const came = await registered(box.store, 'FACE-T1_A0001');
  await registered(box.store, 'FACE-T1_A0002');
  const blocked = await registered(box.store, 'FACE-T1_A0003');
  box.online.add(blocked.deviceNo);
  await box.store.write.setBlocked({ deviceNo: blocked.deviceNo, blocked: true });
  await box.store.write.noteEvents({
    events: [{ at: noon, deviceNo: came.deviceNo, kind: 'foreign_subscribe', detail: '#' }],
  });
  box.wereHere.add(came.deviceNo);
  box.waiting.set(came.deviceNo, 7);
  const { rows } = await box.get('/device-list');
  expect(rows.map(row => row.state)).toEqual(['silent', 'never', 'blocked']);
  expect(rows[0]).toMatchObject({ waiting: 7, notes: ['foreign_subscribe'], product: 'Face terminal' });
});

test('records of a device are counted from midnight of the site on, incrementally', async () => {
  await using box = await aBox();
  await applied(box.store, { products: [aProduct()] });
  const { deviceNo } = await registered(box.store);
  const midnight = Date.parse('2026-11-19T16:00:00Z');
  for (const at of [midnight - hour, midnight - 1, midnight, midnight + 1, midnight + hour])
    await said(box.store, deviceNo, at);
  const today = async () => (await box.get('/device-list')).rows[0]!.today;
  expect(await today()).toBe(3);
  await said(box.store, deviceNo, noon);
  expect(await today()).toBe(4);
  box.clock.set(noon + 24 * hour);
  expect(await today()).toBe(0);
});

test('a refused device is listed with a remedy until it logs in or a day has passed', async () => {
  await using box = await aBox();
  await applied(box.store, { products: [aProduct()] });
  const known = await registered(box.store, 'FACE-T1_A0001');
  const refuse = (clientId: string, code: RefusalCode, at: number) =>
    box.store.write.noteRefusal({ at, door: 'mqtt', clientId, address: '10.0.0.9', code, detail: '' });
  await refuse('FACE-T1_A0009', 'wrong_password', noon - 25 * hour);
  await refuse('GATE-X1_K1', 'unknown_product', noon - 4000);
  await refuse('face-t1_a0002', 'wrong_password', noon - 3000);
  await refuse('FACE-T1_A0001', 'old_key_after_activation', noon - 2000);
  await refuse('not an id', 'bad_device_id', noon - 1000);
  const refusedDevices = async () => (await box.get('/refused-devices')).rows.map(row => [row.client_id, row.remedy]);
  expect(await refusedDevices()).toEqual([
    ['not an id', 'none'],
    ['FACE-T1_A0001', 'accept_product_key'],
    ['face-t1_a0002', 'set_key'],
    ['GATE-X1_K1', 'add_product'],
  ]);
  await box.store.write.noteEvents({
    events: [{ at: noon, deviceNo: known.deviceNo, kind: 'connected', detail: '' }],
  });
  expect(await refusedDevices()).not.toContainEqual(['FACE-T1_A0001', 'accept_product_key']);
  // Of a product that is known by now: its next try is checked again.
  await box.ask('PUT', '/products/GATE-X1', { product_key: 'k', access: 'mqtt' });
  expect((await refusedDevices()).map(([client]) => client)).toEqual(['not an id', 'face-t1_a0002']);
});

test('a browser that does not trust the certificate is no refused device; a terminal that does not is one', async () => {
  await using box = await aBox();
  const note = (door: 'mqtt' | 'http', address: string) =>
    box.store.write.noteRefusal({
      ...{ at: noon - 1000, door, clientId: `TLS ${address}`, address, code: 'tls' },
      detail: 'it does not trust the certificate of this box',
    });
  await note('http', '10.0.0.7');
  await note('http', '10.0.0.8');
  await note('mqtt', '10.0.0.9');
  box.browsers.add('10.0.0.7').add('10.0.0.9');
  const { rows } = await box.get('/refused-devices');
  expect(rows.map(row => row.address).sort()).toEqual(['10.0.0.8', '10.0.0.9']);
});

test('a change of one thing leaves the others as they are, and is written down without the key', async () => {
  await using box = await aBox();
  await applied(box.store, { products: [aProduct()] });
  const { deviceNo, deviceId } = await registered(box.store);
  await box.store.write.setBlocked({ deviceNo, blocked: true });
  const now = () => box.store.directory.device(deviceId)!;
  expect((await box.ask('PUT', `/devices/${deviceId}`, { name: 'Gate 3' })).status).toBe(200);
  expect(now()).toMatchObject({ name: 'Gate 3', blocked: true, accessKey: null });
  await box.ask('PUT', `/devices/${deviceId.toLowerCase()}`, { access_key: 'a-key-of-its-own' });
  expect(now()).toMatchObject({ name: 'Gate 3', blocked: true, accessKey: 'a-key-of-its-own', keyConfirmedAt: noon });
  await box.ask('PUT', `/devices/${deviceId}`, { blocked: false });
  expect(now()).toMatchObject({ name: 'Gate 3', blocked: false, accessKey: 'a-key-of-its-own' });
  expect(box.kicked).toEqual([]);
  await box.ask('PUT', `/devices/${deviceId}`, { blocked: true });
  expect(box.kicked).toEqual([`${deviceNo} blocked by an administrator`]);
  await box.ask('POST', `/devices/${deviceId}/accept-product-key`);
  expect(now().productKeyUntil).toBe(noon + 15 * 60_000);
  expect(box.audited).toHaveLength(5);
  expect(box.audited[1]).toMatchObject({ actor: 'mei', subject: deviceId, outcome: 'done' });
  const page = await box.get(`/devices/${deviceId}/page`);
  expect(page).toMatchObject({ state: 'blocked', key: 'device key', product_key_until: noon + 15 * 60_000 });
  expect(JSON.stringify([box.audited, page])).not.toContain('a-key-of-its-own');
});

test('a box is added to the list and removed from it, devices are moved between boxes, and it is all written down', async () => {
  await using box = await aBox();
  await applied(box.store, { products: [aProduct(), aProduct({ product_id: 'GATEHOUSE' })] });
  const below = await registered(box.store, 'GATEHOUSE_000002');
  const { deviceNo, deviceId } = await registered(box.store);
  await box.store.write.noteRefusal({
    ...{ at: noon - 1000, door: 'http', clientId: 'GATEHOUSE_000002', address: '10.0.0.9' },
    ...{ code: 'box_not_listed', detail: '' },
  });
  // It has logged in since: its batches are refused, not its login.
  await box.store.write.noteEvents({ events: [{ at: noon, deviceNo: below.deviceNo, kind: 'connected', detail: '' }] });
  expect((await box.get('/refused-devices')).rows).toMatchObject([
    { client_id: 'GATEHOUSE_000002', remedy: 'list_box' },
  ]);
  expect((await box.ask('PUT', '/boxes/gatehouse_000002', { name: 'Hall 2' })).status).toBe(200);
  expect((await box.get('/refused-devices')).rows).toEqual([]);
  await box.ask('PUT', '/boxes/GATEHOUSE_000003', {});
  expect((await box.ask('PUT', `/devices/${deviceId}/box`, { box_id: 'gatehouse_000002' })).status).toBe(200);
  expect(box.store.directory.deviceByNo(deviceNo)).toMatchObject({ belongsTo: 'GATEHOUSE_000002', belongsBy: 'staff' });
  expect(await box.get(`/devices/${deviceId}/page`)).toMatchObject({ belongs_to: 'GATEHOUSE_000002' });
  const idsOf = async (of: string) => (await box.get(`/device-list?box=${of}`)).rows.map(({ device_id: id }) => id);
  expect(await idsOf('gatehouse_000002')).toEqual([deviceId]);
  expect(await idsOf('here')).toEqual(['GATEHOUSE_000002']);
  expect(await idsOf('GATEHOUSE_000003')).toEqual([]);
  expect((await box.get('/box-names')).rows).toEqual([
    { box_id: 'GATEHOUSE_000003', name: '' },
    { box_id: 'GATEHOUSE_000002', name: 'Hall 2' },
  ]);
  box.online.add(below.deviceNo);
  const third = { box_id: 'GATEHOUSE_000003', name: '', online: false, devices: 0, backups: [] };
  const second = { box_id: 'GATEHOUSE_000002', name: 'Hall 2', online: true, devices: 1, backups: [] };
  expect(await box.get('/boxes')).toEqual({ rows: [third, second], total: 2, cursor: null });
  expect(await box.get('/boxes?box=gatehouse_000002')).toEqual({ rows: [second], total: 1, cursor: null });
  const first = await box.get('/boxes?limit=1');
  expect(first).toMatchObject({ rows: [third], total: 2 });
  const cursor = encodeURIComponent(String(first.cursor));
  expect(await box.get(`/boxes?limit=1&cursor=${cursor}`)).toEqual({ rows: [second], total: 2, cursor: null });
  await box.ask('PUT', `/devices/${deviceId}/box`, { box_id: null });
  expect(box.store.directory.deviceByNo(deviceNo)).toMatchObject({ belongsTo: 'here', belongsBy: 'staff' });
  expect((await box.ask('DELETE', '/boxes/GATEHOUSE_000003')).status).toBe(200);
  expect(box.audited).toMatchObject([
    { action: 'PUT /boxes/gatehouse_000002', subject: 'GATEHOUSE_000002' },
    { action: 'PUT /boxes/GATEHOUSE_000003', subject: 'GATEHOUSE_000003' },
    { action: 'PUT /devices/FACE-T1_A0001/box', subject: 'FACE-T1_A0001 to GATEHOUSE_000002' },
    { action: 'PUT /devices/FACE-T1_A0001/box', subject: 'FACE-T1_A0001 to this gateway' },
    { action: 'DELETE /boxes/GATEHOUSE_000003', subject: 'GATEHOUSE_000003' },
  ]);
  expect((await box.ask('DELETE', '/boxes/GATEHOUSE_000003')).status).toBe(404);
  expect((await box.ask('PUT', '/boxes/hall', {})).status).toBe(400);
  expect((await box.ask('PUT', '/devices/NONE_1/box', { box_id: null })).status).toBe(404);
  expect((await box.ask('PUT', `/devices/${deviceId}/box`, { box_id: 'GATEHOUSE_000009' })).status).toBe(404);
});

test('an admin downloads and deletes the backups of a box below; others see only that there are some', async () => {
  const name = 'gatehouse-0a1b2c3d-2026-11-23T023000Z.gh';
  const path = `/boxes/gatehouse_000002/backups/${name}`;
  const kept = async (box: Awaited<ReturnType<typeof aBox>>) => {
    await applied(box.store, {
      products: [aProduct({ product_id: 'GATEHOUSE' })],
      boxes: [{ box_id: 'GATEHOUSE_000002' }],
    });
    const sha256 = createHash('sha256').update('sealed').digest('hex');
    const body = Readable.from([Buffer.from('sealed')]);
    await box.boxBackups.take('GATEHOUSE_000002' as never, { name, bytes: 6, sha256 }, body);
    const [row] = (await box.get('/boxes')).rows;
    expect(row!.backups).toMatchObject([{ name, bytes: 6, received_at: expect.any(Number) }]);
  };
  await using box = await aBox();
  await kept(box);
  const got = await box.app.request(path);
  expect([got.status, got.headers.get('content-length'), await got.text()]).toEqual([200, '6', 'sealed']);
  for (const wrong of ['/boxes/GATEHOUSE_000002/backups/..%2f..%2fgatehouse.db', '/boxes/..%2f_1/backups/x.gh'])
    expect((await box.ask('GET', wrong)).status, wrong).toBe(404);
  expect((await box.ask('DELETE', path)).status).toBe(200);
  expect((await box.ask('DELETE', path)).status).toBe(404);
  expect((await box.get('/boxes')).rows[0]!.backups).toEqual([]);
  expect(box.audited).toMatchObject([
    { action: `GET ${path}`, subject: name },
    { action: `DELETE ${path}`, subject: name, outcome: 'done' },
  ]);
  await using seen = await aBox('staff');
  await kept(seen);
  expect((await seen.ask('GET', path)).status).toBe(403);
  expect((await seen.ask('DELETE', path)).status).toBe(403);
});

test('what cannot be done is refused with the reason', async () => {
  await using box = await aBox();
  await applied(box.store, { products: [aProduct()] });
  const problem = async (method: string, path: string, body: object = {}) => {
    const { status, said: problem } = await box.ask<{ detail: string }>(method, path, body);
    return `${status} ${problem.detail}`;
  };
  expect(await problem('PUT', '/devices/nonsense', { name: 'x' })).toBe('400 that is no device id');
  expect(await problem('PUT', '/devices/NONE_A1', { name: 'x' })).toBe(
    '422 device_id: no such product: add NONE under products',
  );
  expect(await problem('PUT', '/products/GATE-X1', { name: 'x' })).toMatch(/^422 product_key: missing: /);
  expect(await problem('PUT', '/products/GATE-X1', { product_key: 'k', model: 'a b' })).toMatch(/^422 model: /);
  expect(await problem('PUT', '/products/a_b', { product_key: 'k' })).toBe('400 that is no product id');
  expect(await problem('POST', '/devices/FACE-T1_A9/accept-product-key')).toBe('404 there is no such device');
  expect((await box.ask('GET', '/devices/FACE-T1_A9/page')).status).toBe(404);
  expect(box.audited).toEqual([]);
});

test('staff and viewers can read, and change nothing', async () => {
  for (const role of ['staff', 'viewer'] as const) {
    await using box = await aBox(role);
    await applied(box.store, { products: [aProduct()] });
    const { deviceId } = await registered(box.store);
    expect((await box.ask('GET', `/devices/${deviceId}/page`)).status).toBe(200);
    expect((await box.ask('PUT', `/devices/${deviceId}`, { blocked: true })).status).toBe(403);
    expect((await box.ask('PUT', '/products/FACE-T1', { product_key: 'mine' })).status).toBe(403);
    expect((await box.ask('PUT', '/boxes/GATEHOUSE_2', {})).status).toBe(403);
    expect((await box.ask('PUT', `/devices/${deviceId}/box`, { box_id: null })).status).toBe(403);
    expect((await box.ask('POST', `/devices/${deviceId}/accept-product-key`)).status).toBe(403);
    expect(box.store.directory.device(deviceId)).toMatchObject({ blocked: false, productKeyUntil: null });
  }
});

test('new devices of a product that were held back are listed with the button that lets them in, which staff may press', async () => {
  await using box = await aBox('staff');
  await applied(box.store, { products: [aProduct()] });
  const note = { door: 'mqtt', address: '10.0.0.9', code: 'too_many_new_devices', detail: 'FACE-T1' } as const;
  await box.store.write.noteRefusal({ ...note, at: noon - 1000, clientId: 'FACE-T1_N9' });
  const refusedDevices = async () => (await box.get('/refused-devices')).rows.map(row => [row.client_id, row.remedy]);
  expect(await refusedDevices()).toEqual([['FACE-T1_N9', 'admit_new']]);
  expect((await box.ask('POST', '/products/FACE-T9/admit-new')).status).toBe(404);
  const { status, said } = await box.ask<{ until: number }>('POST', '/products/face-t1/admit-new');
  expect([status, said.until]).toEqual([200, noon + hour]);
  expect(await refusedDevices()).toEqual([]);
  expect(box.audited.at(-1)).toMatchObject({ actor: 'mei', subject: 'new devices of FACE-T1 for an hour' });
});

test('the records, the log and what is parked are read page by page', async () => {
  await using box = await aBox();
  await applied(box.store, { products: [aProduct()] });
  const { deviceNo, deviceId } = await registered(box.store);
  const other = await registered(box.store, 'FACE-T1_A0002');
  for (let index = 0; index < 30; index++)
    await said(box.store, index % 3 === 2 ? other.deviceNo : deviceNo, noon + index);
  await box.store.catchUp();
  const first = await box.get<{ rows: { seq: number }[]; cursor: number }>(`/devices/${deviceId}/ledger?limit=12`);
  expect(first.rows).toHaveLength(12);
  const rest = await box.get<{ rows: { seq: number }[]; cursor: null }>(
    `/devices/${deviceId}/ledger?limit=12&cursor=${first.cursor}`,
  );
  expect([...first.rows, ...rest.rows].map(row => row.seq)).toEqual(
    Array.from({ length: 30 }, (_, index) => 30 - index).filter(seq => seq % 3 !== 0),
  );
  expect(rest.cursor).toBeNull();

  const log = async (query: string) =>
    (await box.get<{ rows: { seq: number }[] }>(`/devices/${deviceId}/logs?${query}`)).rows.map(row => row.seq);
  expect(await log('limit=3')).toEqual([26, 28, 29]);
  expect(await log('after=26')).toEqual([28, 29]);

  for (const seq of [4, 5, 7])
    await box.store.write.park({ seq: seq as Seq, deviceNo, channel: 'device', at: noon, code: 400, reason: 'bad' });
  const parked = await box.get<{ rows: { seq: number }[]; cursor: number }>('/sync/parked?limit=2');
  expect(parked).toMatchObject({ rows: [{ seq: 4, device_id: deviceId, reason: 'bad' }, { seq: 5 }], cursor: 5 });
  expect(await box.get('/sync/parked?limit=2&cursor=5')).toMatchObject({ rows: [{ seq: 7 }], cursor: null });
});

test("staff approve devices to receive people's data, one by one or all that are shown; it is written down, and ends the same way", async () => {
  await using box = await aBox('staff');
  await applied(box.store, { products: [aProduct(), aProduct({ product_id: 'SENSOR', face_features: false })] });
  for (const id of ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003', 'SENSOR_S0001']) await registered(box.store, id);
  const waiting = async () => (await box.get('/device-list?people_data=waits')).rows.map(row => row.device_id);
  expect(await waiting()).toEqual(['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003']);
  expect(await box.get('/device-counts')).toMatchObject({ people_data_waits: 3 });
  const decide = (device_ids: string[], allowed: boolean) =>
    box.ask<object>('POST', '/devices/people-data', { device_ids, allowed });
  expect((await decide(['FACE-T1_A0001', 'face-t1_a0002'], true)).said).toEqual({ changed: 2 });
  expect(await waiting()).toEqual(['FACE-T1_A0003']);
  await decide(['FACE-T1_A0002'], false);
  expect(await waiting()).toEqual(['FACE-T1_A0003']);
  expect(await box.get('/devices/FACE-T1_A0001/page')).toMatchObject({ people_data: 'allowed' });
  expect(await box.get('/devices/FACE-T1_A0002/page')).toMatchObject({ people_data: 'refused' });
  expect(await box.get('/devices/SENSOR_S0001/page')).toMatchObject({ people_data: 'none' });
  expect((await decide(['FACE-T1_Z9999'], true)).status).toBe(404);
  expect(box.audited).toMatchObject([
    { subject: 'approved for personal data: FACE-T1_A0001, FACE-T1_A0002', outcome: 'done' },
    { subject: 'personal data stopped: FACE-T1_A0002', outcome: 'done' },
  ]);
});

test('a viewer approves no device', async () => {
  await using box = await aBox('viewer');
  await applied(box.store, { products: [aProduct()] });
  await registered(box.store);
  const answer = await box.ask('POST', '/devices/people-data', { device_ids: ['FACE-T1_A0001'], allowed: true });
  expect(answer.status).toBe(403);
  expect((await box.get('/device-list?people_data=waits')).rows).toHaveLength(1);
});

test('a device that came by the product key and is given a name waits for its approval all the same', async () => {
  await using box = await aBox();
  await applied(box.store, { products: [aProduct()] });
  await registered(box.store);
  await box.ask('PUT', '/devices/FACE-T1_A0001', { name: 'North gate' });
  expect((await box.get('/device-list?people_data=waits')).rows).toMatchObject([{ name: 'North gate' }]);
  // Whoever adds a device that has not been here yet means it.
  await box.ask('PUT', '/devices/FACE-T1_A0002', { name: 'South gate' });
  expect(await box.get('/devices/FACE-T1_A0002/page')).toMatchObject({ people_data: 'allowed' });
  expect((await box.store.read.site({ withSecrets: false })).devices).toMatchObject([
    { device_id: 'FACE-T1_A0001', people_data: false },
    { device_id: 'FACE-T1_A0002' },
  ]);
});
