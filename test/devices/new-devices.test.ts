import { expect, test } from 'vitest';
import type { UpstreamView } from '../../src/devices/index.ts';
import { NewDevices } from '../../src/devices/new-devices.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { HandClock } from '../support/clock.ts';
import { aGateway, connectHttp, connectMqtt, type Gateway } from '../support/gateway.ts';
import { aProduct, applied, aStore, deviceId } from '../support/store.ts';
import { until } from '../support/until.ts';

const hour = 3_600_000;
const perHour = 3;

const comesIn = async (gateway: Gateway, sn: string, key?: string): Promise<boolean> =>
  (await connectHttp(gateway, `FACE-T1_${sn}`, key)).status === 200;

/** As many new devices as are allowed have come. */
async function aFullGateway(change: Parameters<typeof aGateway>[0] = {}): Promise<Gateway> {
  const gateway = await aGateway({ newDevicesPerHour: perHour, ...change });
  for (const sn of ['N1', 'N2', 'N3']) expect(await comesIn(gateway, sn)).toBe(true);
  return gateway;
}

test('beyond so many new devices of a product in an hour further ones are refused with the reason, and known ones come in', async () => {
  await using gateway = await aFullGateway();
  const { status, headers } = await connectHttp(gateway, 'FACE-T1_N4');
  expect([status, headers['retry-after']]).toEqual([429, '5']);
  expect(await connectMqtt(gateway, 'FACE-T1_N5')).toBe(3);
  expect(gateway.store.directory.device(deviceId('FACE-T1_N4'))).toBeUndefined();
  const notes = () => gateway.store.read.refusals({ clientId: 'FACE-T1_N4' });
  await until('it is written down', async () => (await notes()).length > 0);
  expect((await notes())[0]).toMatchObject({ code: 'too_many_new_devices', detail: 'FACE-T1' });
  expect(gateway.devices.newDevices()).toEqual([{ productId: 'FACE-T1', refused: 2, openUntil: null }]);
  expect(await comesIn(gateway, 'N1')).toBe(true);
});

test('an hour later new ones come in again', async () => {
  await using gateway = await aFullGateway();
  expect(await comesIn(gateway, 'N4')).toBe(false);
  await gateway.clock.advance(hour);
  expect(await comesIn(gateway, 'N4')).toBe(true);
});

test('staff let new devices in for an hour, however many', async () => {
  await using gateway = await aFullGateway();
  const openUntil = await gateway.devices.letNewDevicesIn('FACE-T1' as never);
  expect(openUntil).toBe(gateway.clock.now() + hour);
  expect(gateway.devices.newDevices()).toEqual([{ productId: 'FACE-T1', refused: 0, openUntil }]);
  for (let sn = 4; sn < 14; sn++) expect(await comesIn(gateway, `N${sn}`)).toBe(true);
  await gateway.clock.advance(hour);
  expect(gateway.devices.newDevices()).toEqual([]);
  for (const sn of ['M1', 'M2', 'M3']) expect(await comesIn(gateway, sn)).toBe(true);
  expect(await comesIn(gateway, 'M4')).toBe(false);
});

test('another product, a device of the site file, a wrong key and a device that the cloud vouches for are not counted', async () => {
  const upstream: UpstreamView = {
    standsAlone: false,
    isUp: () => true,
    whenUp: async () => true,
    tryLogin: async ({ clientId }) => (clientId === 'FACE-T1_C1' ? 'accepted' : 'refused'),
  };
  await using gateway = await aGateway({ newDevicesPerHour: 1, upstream });
  const { store } = gateway;
  await applied(store, { products: [aProduct({ product_id: 'GATE-X1' })], devices: [{ device_id: 'FACE-T1_L1' }] });
  expect(await comesIn(gateway, 'W1', 'guess')).toBe(false);
  expect(await comesIn(gateway, 'L1')).toBe(true);
  expect(await comesIn(gateway, 'C1', 'of-the-cloud')).toBe(true);
  expect(await comesIn(gateway, 'N1')).toBe(true);
  expect(await comesIn(gateway, 'N2')).toBe(false);
  expect((await connectHttp(gateway, 'GATE-X1_N1')).status).toBe(200);
});

test('after a restart the hour goes on, and so does the time for which staff let them in', async () => {
  const clock = new HandClock();
  await using opened = await aStore({ clock });
  await applied(opened.store, { products: [aProduct()] });
  const product = () => opened.store.directory.product('FACE-T1' as never)!;
  const open = () => NewDevices.open({ store: opened.store, clock, log: silentLog, perHour: 1 });
  const before = await open();
  expect(before.mayCome(product())).toBe(true);
  await opened.store.write.registerDevice({ deviceId: deviceId('FACE-T1_N1'), at: clock.now() });
  await opened.reopen();
  expect((await open()).mayCome(product())).toBe(false);
  await (await open()).letIn('FACE-T1' as never);
  await opened.reopen();
  expect((await open()).mayCome(product())).toBe(true);
  await clock.advance(hour);
  expect((await open()).mayCome(product())).toBe(true);
});
