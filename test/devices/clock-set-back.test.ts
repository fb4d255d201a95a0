import { expect, test } from 'vitest';
import { aGateway, anHttpDevice, connectHttp, type Gateway } from '../support/gateway.ts';
import { aProduct, deviceId } from '../support/store.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const productKey = aProduct().product_key;
const year = 365 * 24 * 3_600_000;
const minute = 60_000;

const opens = async (gateway: Gateway, key: string, device = id): Promise<boolean> =>
  (await connectHttp(gateway, device, key)).status === 200;

/** Activates the device; returns the key that it was given, which it has not used yet. */
async function activated(gateway: Gateway): Promise<string> {
  const device = await anHttpDevice(gateway, id, productKey);
  await device.push({ mid: 'first', action: 1001, data: {} });
  const answer = await until('the answer', async () => {
    await gateway.clock.advance(1000);
    return ((await device.pull()).json.data as { data: { access_key: string } }[])[0];
  });
  return answer.data.access_key;
}

test('a quarter of an hour for the product key that began in 2036 does not last until 2036 when the clock is right again', async () => {
  await using gateway = await aGateway();
  const own = await activated(gateway);
  expect(await opens(gateway, own)).toBe(true);
  expect(await opens(gateway, productKey)).toBe(false);
  const { deviceNo } = gateway.store.directory.device(deviceId(id))!;
  const now = gateway.clock.now();
  gateway.clock.set(now + 10 * year);
  await gateway.store.write.openProductKeyWindow({ deviceNo, until: gateway.clock.now() + 15 * minute });
  expect(await opens(gateway, productKey)).toBe(true);
  gateway.clock.set(now);
  expect(await opens(gateway, productKey)).toBe(false);
  // The device is not shut out by it.
  expect(await opens(gateway, own)).toBe(true);
});

test('a device key that was issued in 2036 leaves the product key in force for a day, not for ten years', async () => {
  await using gateway = await aGateway();
  const now = gateway.clock.now();
  gateway.clock.set(now + 10 * year);
  const own = await activated(gateway);
  expect(await opens(gateway, productKey)).toBe(true);
  gateway.clock.set(now);
  expect(await opens(gateway, productKey)).toBe(false);
  expect(await opens(gateway, own)).toBe(true);
});

test('the hour in which all new devices come in ends with a clock that is set back by years', async () => {
  await using gateway = await aGateway({ newDevicesPerHour: 1 });
  const now = gateway.clock.now();
  gateway.clock.set(now + 10 * year);
  await gateway.devices.letNewDevicesIn('FACE-T1' as never);
  gateway.clock.set(now);
  expect(gateway.devices.newDevices()).toEqual([]);
  const came = [];
  for (const sn of ['N1', 'N2', 'N3']) came.push(await opens(gateway, productKey, `FACE-T1_${sn}`));
  expect(came).toEqual([true, false, false]);
});
