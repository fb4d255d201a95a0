import { expect, test } from 'vitest';
import { keyFitsNobody } from '../../src/devices/product-key.ts';
import { mqttPassword } from '../../src/platform/signature.ts';
import type { Device, Product } from '../../src/store/index.ts';

const product = { productId: 'FACE-T1', productKey: 'mistyped' } as Product;
const deviceId = 'FACE-T1_A1';
const aDevice = (change: Partial<Device> = {}): Device =>
  ({ deviceId, productId: 'FACE-T1', deviceNo: 1, presentedPassword: null, ...change }) as Device;
const madeWith = (accessKey: string, id = deviceId, productId = 'FACE-T1') =>
  mqttPassword({ deviceId: id, productId, accessKey });

test.each([
  ['no device has been here', [], false],
  ["only the cloud's word let its device in", [aDevice({ presentedPassword: madeWith('right') })], true],
  [
    'one of its devices has logged in with it',
    [aDevice({ presentedPassword: madeWith('right') }), aDevice({ deviceId: 'FACE-T1_A2' as never })],
    false,
  ],
  ['the key was corrected since', [aDevice({ presentedPassword: madeWith('mistyped') })], false],
  [
    'the key was corrected since, and the device writes its id in lower case',
    [aDevice({ presentedPassword: madeWith('mistyped', 'face-t1_a1', 'face-t1') })],
    false,
  ],
  ['the device is of another product', [aDevice({ productId: 'GATE-X1' as never, presentedPassword: 'x' })], false],
])('%s', (_, devices, fitsNobody) => {
  expect(keyFitsNobody(product, devices, () => true)).toBe(fitsNobody);
});

test('a device that is listed and was never here says nothing of the key', () => {
  const devices = [aDevice({ presentedPassword: madeWith('right') }), aDevice({ deviceId: 'FACE-T1_A2' as never })];
  expect(keyFitsNobody(product, devices, ({ deviceId: id }) => id === deviceId)).toBe(true);
});
