import { expect, test } from 'vitest';
import { PersonSync as PeopleSender } from '../../src/attendance/person-sync.ts';
import { actionTable, defaultActions } from '../../src/platform/actions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { over } from '../../src/store/domain.ts';
import type { DeviceNo } from '../../src/store/index.ts';
import {
  type AttendanceBox,
  anAttendanceBox,
  aPullingTerminal,
  aSite,
  type PersonSync,
} from '../support/attendance.ts';
import { aGateway, anHttpDevice } from '../support/gateway.ts';
import { applied } from '../support/store.ts';

/** Not in the site file: it comes in by the key of its product. */
const stranger = 'FACE-T1_S0001';

type Gateway = Pick<AttendanceBox, 'gateway'>;
const deviceNoOf = (box: Gateway, id = stranger): DeviceNo =>
  [...box.gateway.store.directory.devices()].find(({ deviceId }) => deviceId === id)!.deviceNo;

const say = (box: Gateway, word: 'yes' | 'no') =>
  box.gateway.store.write.setPeopleData({ deviceNos: [deviceNoOf(box)], word });

/** What one pull brings about people, once nobody is being told any more. */
async function peopleIn(box: AttendanceBox, device: { pull(): Promise<{ json: Record<string, unknown> }> }) {
  await box.attendance.whenIdle();
  await box.gateway.clock.advance(1000);
  const { json } = await device.pull();
  return (json.data as { action: number; data: PersonSync }[])
    .filter(({ action }) => action === 2101)
    .map(({ data }) => data);
}

const enroll = (box: AttendanceBox, featureType: string, value: string, extId = 'e1') =>
  box.caller.run('feature_update', {
    users: [{ ext_id: extId, feature_type: featureType, feature_alg: 'base64', feature_value: [value] }],
  });

const liMei = { ext_id: 'e1', name: 'Li Mei', employee_num: '1001' };

test('a device that logged in with only the product key receives no people until it is approved', async () => {
  await using box = await anAttendanceBox();
  await enroll(box, 'fa', 'QUJD');
  const device = await aPullingTerminal(box, stranger);
  expect(await peopleIn(box, device)).toEqual([]);
  await say(box, 'yes');
  expect(await device.pulled()).toEqual([
    { upsert: [{ ...liMei, features: [{ feature_type: 'fa', feature_alg: 'base64', value: 'QUJD' }] }], remove: [] },
  ]);
});

test('waiting messages about people are removed when the approval of a device ends, and sent again when it is approved again', async () => {
  await using box = await anAttendanceBox();
  const device = await aPullingTerminal(box, stranger);
  await say(box, 'yes');
  await box.attendance.whenIdle();
  const waiting = () => box.gateway.store.read.inboxCount(deviceNoOf(box));
  expect(await waiting()).toBe(1);
  await box.gateway.devices.deliver(deviceNoOf(box), Buffer.from('{"mid":"other","action":9,"data":{}}'));
  await say(box, 'no');
  expect(await waiting()).toBe(1);
  await enroll(box, 'fa', 'QUJD');
  expect(await peopleIn(box, device)).toEqual([]);
  await say(box, 'yes');
  expect((await device.pulled()).flatMap(({ upsert }) => upsert)).toMatchObject([{ ext_id: 'e1', features: [{}] }]);
});

test('a message about people that is on its way into the inbox while the approval ends does not stay there', async () => {
  await using box = await anAttendanceBox();
  const device = await aPullingTerminal(box, stranger);
  for (let round = 0; round < 20; round++) {
    // Both are on their way to the writer at once.
    await Promise.all([say(box, 'yes'), enroll(box, 'fa', 'QUJD').then(() => say(box, 'no'))]);
    expect(await peopleIn(box, device)).toEqual([]);
  }
});

test('a message about people is not handed to a terminal whose approval ends while it is noted', async () => {
  await using gateway = await aGateway();
  const { store, clock } = gateway;
  await applied(store, aSite);
  await anHttpDevice(gateway, stranger);
  await say({ gateway }, 'yes');
  const noted: unknown[] = [];
  const delivered: Uint8Array[] = [];
  const write = over(store.write, {
    personsSent: async sent => {
      noted.push(sent.delivery);
      await store.write.personsSent(sent);
      await say({ gateway }, 'no');
    },
  });
  const sender = new PeopleSender({
    store: over(store, { write }),
    clock,
    log: silentLog,
    actions: actionTable(defaultActions),
    isOnline: () => true,
    idAsWritten: () => stranger,
    stamp: () => 1_763_600_000,
    deliver: async (_, payload) => delivered.push(payload) > 0,
  });
  sender.device(deviceNoOf({ gateway }));
  await sender.whenIdle();
  expect({ noted, delivered }).toEqual({ noted: [false], delivered: [] });
  await sender.close();
});

test('a device that logged in with its own key receives people, until staff allow the product key again', async () => {
  await using box = await anAttendanceBox();
  const { store, clock } = box.gateway;
  const byProductKey = await aPullingTerminal(box, stranger);
  expect(await peopleIn(box, byProductKey)).toEqual([]);
  await store.write.setDeviceKey({ deviceNo: deviceNoOf(box), accessKey: 'own', at: clock.now(), mid: 'm' });
  expect(await peopleIn(box, byProductKey)).toEqual([]);
  const byOwnKey = await aPullingTerminal(box, stranger, 'own');
  expect(await byOwnKey.pulled()).toHaveLength(1);
  await enroll(box, 'fa', 'QUJD');
  await box.attendance.whenIdle();
  await store.write.openProductKeyWindow({ deviceNo: deviceNoOf(box), until: clock.now() + 900_000 });
  const again = await aPullingTerminal(box, stranger);
  expect(await peopleIn(box, again)).toEqual([]);
  await clock.advance(898_500);
  const late = await aPullingTerminal(box, stranger);
  await clock.advance(1000);
  // The window is over, but who was let in meanwhile is still there: its own key has to be shown
  // first.
  expect(await peopleIn(box, late)).toEqual([]);
  const shown = await aPullingTerminal(box, stranger, 'own');
  expect((await shown.pulled()).flatMap(({ upsert }) => upsert)).toMatchObject([{ features: [{ value: 'QUJD' }] }]);
});

test('a device in the site file receives people unless the file says people_data: no', async () => {
  await using box = await anAttendanceBox({
    site: { ...aSite, devices: [{ device_id: 'FACE-T1_A0001', people_data: false }] },
  });
  const device = await aPullingTerminal(box);
  expect(await peopleIn(box, device)).toEqual([]);
  await applied(box.gateway.store, { devices: [{ device_id: 'FACE-T1_A0001', people_data: true }] });
  expect(await device.pulled()).toHaveLength(1);
  await enroll(box, 'fa', 'QUJD');
  await box.attendance.whenIdle();
  await applied(box.gateway.store, { devices: [{ device_id: 'FACE-T1_A0001', people_data: false }] });
  expect(await peopleIn(box, device)).toEqual([]);
});

test('a removal goes to confirmed devices that had received people before, and to no others', async () => {
  await using box = await anAttendanceBox();
  const terminal = await aPullingTerminal(box);
  await terminal.pulled();
  const device = await aPullingTerminal(box, stranger);
  await box.caller.call('/v2.0/employee/delete', { employee_ext_id: 'e1' });
  expect(await terminal.pulled()).toEqual([{ upsert: [], remove: ['e1'] }]);
  expect(await peopleIn(box, device)).toEqual([]);
  await say(box, 'yes');
  expect(await peopleIn(box, device)).toEqual([]);
});

test('PINs go only to products that allow them, also to devices that received the people without them before', async () => {
  await using box = await anAttendanceBox();
  await enroll(box, 'pass', 'MTIzNA==');
  await enroll(box, 'fa', 'QUJD');
  const device = await aPullingTerminal(box);
  const kinds = async () =>
    (await device.pulled()).flatMap(({ upsert }) =>
      upsert.flatMap(({ features }) => (features as { feature_type: string }[]).map(one => one.feature_type)),
    );
  expect(await kinds()).toEqual(['fa']);
  const product = { product_id: 'FACE-T1', product_key: 's3cret-of-the-product' };
  await applied(box.gateway.store, { products: [{ ...product, pass_features: true }] });
  expect((await kinds()).sort()).toEqual(['fa', 'pass']);
  await applied(box.gateway.store, { products: [{ ...product, pass_features: false }] });
  expect(await kinds()).toEqual(['fa']);
});

test('a device that receives no people is otherwise served as usual', async () => {
  await using box = await anAttendanceBox();
  const device = await anHttpDevice(box.gateway, stranger);
  expect((await device.push({ mid: 't', action: 1002, data: {} })).json).toMatchObject({ code: 0 });
  expect((await device.log('alive')).json).toMatchObject({ code: 0 });
  const records = [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000 }];
  expect((await device.push({ mid: 'c', action: 2001, data: { records } })).json).toMatchObject({ code: 0 });
  await box.gateway.store.catchUp();
  expect(await box.gateway.store.read.checkins({ limit: 9 })).toHaveLength(1);
});
