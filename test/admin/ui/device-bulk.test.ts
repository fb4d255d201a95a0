import { expect, test } from 'vitest';
import type { BoxAdmin, Role } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { deviceBulk, deviceBulkOperations } from '../../../src/admin/ui/device-bulk.ts';
import { type DeviceState, deviceState } from '../../../src/platform/device-state.ts';
import { bulkGroupMax, type Device, type DeviceNo } from '../../../src/store/index.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { HandClock } from '../../support/clock.ts';
import { aProduct, applied, aStore, deviceId, registered } from '../../support/store.ts';

const noon = Date.parse('2026-11-20T05:00:00Z');
const week = 7 * 24 * 3_600_000;

interface Answer {
  readonly id: number;
  readonly changed: number;
  readonly unchanged: readonly { why: string; count: number; ids: string[] }[];
}

/** The routes over a real store; `ask` calls them with a role. */
async function aBox() {
  const clock = new HandClock(noon);
  const opened = await aStore({ clock });
  const { store } = opened;
  await applied(store, { products: [aProduct(), aProduct({ product_id: 'LOCK-T1', face_features: false })] });
  const kicked: DeviceNo[] = [];
  const stateOf = ({ blocked }: Device): DeviceState =>
    deviceState({
      ...{ isBlocked: blocked, isOnline: false, isHeldBack: false, isRefused: false, isElsewhere: false },
      wasHere: false,
    });
  const devices = { kick: (no: DeviceNo) => void kicked.push(no), stateOf };
  const audited: object[] = [];
  const ask = async (role: Role, path: string, body?: object) => {
    const identity = anIdentity(role);
    const app = anAdminApi({} as BoxAdmin, identity, routes =>
      serve(routes, deviceBulkOperations, deviceBulk({ store, devices, clock })),
    );
    const answer = await app.request(path, {
      method: 'POST',
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
    audited.push(...identity.audited);
    return { status: answer.status, said: (await answer.json()) as Answer };
  };
  const approved = () =>
    [...store.directory.devices()].filter(one => one.peopleData === 'yes').map(one => one.deviceId as string);
  return { store, clock, kicked, audited, ask, approved, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

test('many devices are approved at once, and those that are not say why', async () => {
  await using box = await aBox();
  for (const id of ['FACE-T1_A1', 'FACE-T1_A2', 'FACE-T1_A3', 'LOCK-T1_K1']) await registered(box.store, id);
  const { deviceNo } = box.store.directory.device(deviceId('FACE-T1_A3'))!;
  await box.store.write.setPeopleData({ deviceNos: [deviceNo], word: 'yes' });
  const { status, said } = await box.ask('staff', '/devices/bulk', {
    action: 'approve',
    device_ids: ['face-t1_a1', 'FACE-T1_A1', 'FACE-T1_A2', 'FACE-T1_A3', 'LOCK-T1_K1', 'FACE-T1_X9'],
  });
  expect(status).toBe(200);
  expect(said).toEqual({
    id: expect.any(Number),
    changed: 2,
    unchanged: [
      { why: 'unknown', count: 1, ids: ['FACE-T1_X9'] },
      { why: 'already', count: 1, ids: ['FACE-T1_A3'] },
      { why: 'no_people_data', count: 1, ids: ['LOCK-T1_K1'] },
    ],
  });
  expect(box.approved()).toEqual(['FACE-T1_A1', 'FACE-T1_A2', 'FACE-T1_A3']);
  expect(box.audited).toMatchObject([
    { action: 'POST /devices/bulk', subject: 'approved for personal data: FACE-T1_A1, FACE-T1_A2', outcome: 'done' },
  ]);

  expect((await box.ask('staff', `/devices/bulk/${said.id}/undo`)).said).toEqual({ changed: 2, unchanged: [] });
  expect(box.approved(), 'that of before it').toEqual(['FACE-T1_A3']);
  expect((await box.ask('staff', `/devices/bulk/${said.id}/undo`)).status).toBe(404);
});

test('all that match are chosen but for the exceptions, and none that registered after the list was read', async () => {
  await using box = await aBox();
  const many = bulkGroupMax * 2 + 7;
  const ids = Array.from({ length: many }, (_, index) => deviceId(`FACE-T1_A${String(index).padStart(4, '0')}`));
  await box.store.write.bringDevices({ deviceIds: ids, to: 'here', at: noon });
  await box.store.write.registerDevice({ deviceId: deviceId('FACE-T1_LATER'), at: noon + 1 });
  await registered(box.store, 'LOCK-T1_K1');
  const matching = { product: 'FACE-T1', except: ['FACE-T1_A0000', 'face-t1_a0001'], as_of: noon };
  const { said } = await box.ask('admin', '/devices/bulk', { action: 'block', matching });
  expect(said).toMatchObject({ changed: many - 2, unchanged: [] });
  expect(box.kicked, 'each is sent away').toHaveLength(many - 2);
  const open = () => [...box.store.directory.devices()].filter(one => !one.blocked).map(one => one.deviceId as string);
  expect(open()).toEqual(['FACE-T1_A0000', 'FACE-T1_A0001', 'FACE-T1_LATER', 'LOCK-T1_K1']);
  expect(box.audited).toMatchObject([{ subject: expect.stringMatching(/^blocked: FACE-T1_A0002, .* and 385 more$/) }]);

  // Somebody lets one in meanwhile, and one is named: that is no reason to leave it.
  const { deviceNo } = box.store.directory.device(ids[5]!)!;
  await box.store.write.setBlocked({ deviceNo, blocked: false });
  const undone = await box.ask('admin', `/devices/bulk/${said.id}/undo`);
  expect(undone.said).toEqual({
    changed: many - 3,
    unchanged: [{ why: 'changed_since', count: 1, ids: ['FACE-T1_A0005'] }],
  });
  expect(open()).toHaveLength(many + 2);
});

test('staff approve, but only an admin blocks, and undoes that', async () => {
  await using box = await aBox();
  await registered(box.store, 'FACE-T1_A1');
  const block = { action: 'block', device_ids: ['FACE-T1_A1'] };
  expect((await box.ask('viewer', '/devices/bulk', { ...block, action: 'approve' })).status).toBe(403);
  expect((await box.ask('staff', '/devices/bulk', block)).status).toBe(403);
  expect((await box.ask('staff', '/devices/bulk', { ...block, action: 'unblock' })).status).toBe(403);
  const { said } = await box.ask('admin', '/devices/bulk', block);
  expect((await box.ask('staff', `/devices/bulk/${said.id}/undo`)).status).toBe(403);
  expect(box.store.directory.device(deviceId('FACE-T1_A1'))).toMatchObject({ blocked: true });
  expect((await box.ask('admin', `/devices/bulk/${said.id}/undo`)).said).toMatchObject({ changed: 1 });
});

test('after a week a change of many cannot be undone, and a selection is either named or asked for', async () => {
  await using box = await aBox();
  await registered(box.store, 'FACE-T1_A1');
  const named = { action: 'approve', device_ids: ['FACE-T1_A1'] };
  const { said } = await box.ask('staff', '/devices/bulk', named);
  box.clock.set(noon + week + 1);
  expect((await box.ask('staff', `/devices/bulk/${said.id}/undo`)).status).toBe(404);
  expect((await box.ask('staff', '/devices/bulk', { ...named, matching: { as_of: noon } })).status).toBe(400);
  expect((await box.ask('staff', '/devices/bulk', { action: 'approve' })).status).toBe(400);
});

test('while many devices are changed, what devices send is written in between', async () => {
  await using box = await aBox();
  const ids = Array.from({ length: 1000 }, (_, index) => deviceId(`FACE-T1_A${String(index).padStart(4, '0')}`));
  await box.store.write.bringDevices({ deviceIds: ids, to: 'here', at: noon });
  const changing = box.ask('staff', '/devices/bulk', { action: 'approve', matching: { as_of: noon } });
  let left = ids.length;
  while (box.approved().length === 0)
    await box.store.write.noteAddresses({ addresses: [{ deviceNo: 1 as DeviceNo, address: '10.0.0.7' }] });
  left -= box.approved().length;
  expect(left, 'a write was done while some still waited').toBeGreaterThan(0);
  expect((await changing).said).toMatchObject({ changed: 1000 });
});
