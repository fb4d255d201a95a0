import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BroadcastName,
  broadcastName,
  broadcastNameOfModel,
  namesDevice,
  readBroadcastName,
} from '../../src/platform/broadcast-name.ts';
import type { DeviceId, ProductId } from '../../src/platform/device-id.ts';

const named = (deviceId: string, vendor = 'VENDOR') => broadcastName({ vendor, deviceId: deviceId as DeviceId });
const product = (productId: string, model = productId) => ({ productId: productId as ProductId, model });
const products = [product('FACE-T1', 'FT1'), product('FACE', 'FACE_PRO9'), product('LOCK')];
const read = (name: string) => readBroadcastName(name, { vendor: 'VENDOR', products });

const aDevice = (productId: string, tail: string, shortened = false) => ({
  kind: 'device',
  productId,
  tail,
  shortened,
});
const aModel = (model: string, shortened = false) => ({ kind: 'model', model, shortened });

test.each([
  ['a serial number of six characters or more', 'FACE-T1_A0001234', 'VENDOR_FACE-T1_001234'],
  ['a short one: the underscore of the id counts', 'FACE-T1_A0001', 'VENDOR_FACE-T1__A0001'],
  ['a very short one: the product counts too', 'FACE-T1_1', 'VENDOR_FACE-T1_E-T1_1'],
  ['an id shorter than six characters: zeros in front', 'P_1', 'VENDOR_P_000P_1'],
])('the name of a device with %s', (_name, deviceId, name) => {
  expect(named(deviceId)).toBe(name);
});

test('the prefix is written as configured, as is the model of a device without id', () => {
  expect(named('P_ABCDEF', 'Acme')).toBe('Acme_P_ABCDEF');
  expect(broadcastNameOfModel({ vendor: 'Acme', model: 'Ft1_x' })).toBe('Acme_Ft1_x');
});

test.each<[string, string, unknown]>([
  ['a device', 'VENDOR_FACE-T1_001234', aDevice('FACE-T1', '001234')],
  ['any letter case', 'vendor_face-t1_abcdef', aDevice('FACE-T1', 'ABCDEF')],
  ['an underscore in the tail', 'VENDOR_FACE-T1__A0001', aDevice('FACE-T1', '_A0001')],
  ['a product that begins like another', 'VENDOR_FACE_001234', aDevice('FACE', '001234')],
  ['a known product before a model that reads the same', 'VENDOR_LOCK_ABCDEF', aDevice('LOCK', 'ABCDEF')],
  ['a known model', 'VENDOR_ft1', aModel('FT1')],
  ['a known model with an underscore', 'VENDOR_FACE_PRO9', aModel('FACE_PRO9')],
  ['a model that is the product_id', 'VENDOR_LOCK', aModel('LOCK')],
  ['a model that nobody knows', 'VENDOR_Gate_7', aModel('Gate_7')],
  ['too much behind a product', 'VENDOR_LOCK_1234567', aModel('LOCK_1234567')],
  ['a name cut in the tail', 'VENDOR_FACE-T1_001', aDevice('FACE-T1', '001', true)],
  ['a name cut behind the product', 'VENDOR_FACE-T1_', aDevice('FACE-T1', '', true)],
  ['a name cut in the product', 'VENDOR_FACE-', aDevice('FACE-T1', '', true)],
  ['a name cut in the model', 'VENDOR_FT', aModel('FT1', true)],
  ['a name cut so short that it fits several', 'VENDOR_FA', aModel('FA', true)],
  ['another prefix', 'ACME_FACE-T1_001234', null],
  ['a longer prefix', 'VENDORS_FACE-T1_001234', null],
  ['the prefix alone', 'VENDOR_', null],
  ['part of the prefix', 'VEND', null],
  ['what no name has', 'VENDOR_FT1\u001b[2J', null],
  ['nothing', '', null],
])('%s is read', (_name, name, expected) => {
  expect(read(name)).toEqual(expected);
});

test.each<[string, string, string, boolean]>([
  ['the last characters of its id', 'VENDOR_FACE-T1__A0001', 'FACE-T1_A0001', true],
  ['those of its serial number, padded', 'VENDOR_FACE-T1_0A0001', 'FACE-T1_A0001', true],
  ['its serial number as it is', 'VENDOR_FACE-T1_A0001', 'FACE-T1_A0001', true],
  ['small letters', 'vendor_face-t1_ab0001', 'FACE-T1_XAB0001', true],
  ['a shortened name as far as it goes', 'VENDOR_FACE-T1_AB0', 'FACE-T1_XAB0001', true],
  ['a name cut behind the product', 'VENDOR_FACE-T1_', 'FACE-T1_XAB0001', true],
  ['another serial number', 'VENDOR_FACE-T1_AB0002', 'FACE-T1_XAB0001', false],
  ['another product', 'VENDOR_FACE_AB0001', 'FACE-T1_XAB0001', false],
  ['its model alone', 'VENDOR_FT1', 'FACE-T1_XAB0001', false],
])('a device is matched by %s', (_name, name, deviceId, expected) => {
  expect(namesDevice(read(name)!, deviceId as DeviceId)).toBe(expected);
});

const word = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'ABXYZ019-'), minLength: 1, maxLength });

test('the name of a device of a known product is read back, whole or cut, and names it', () => {
  fc.assert(
    fc.property(word(16), word(40), fc.array(word(16)), fc.nat(10), (id, sn, others, cut) => {
      const deviceId = `${id}_${sn}` as DeviceId;
      const known = [...new Set([...others, id])].map(one => product(one, `model.${one}`));
      const whole = named(deviceId);
      const back = readBroadcastName(whole, { vendor: 'VENDOR', products: known });
      expect(back).toMatchObject({ kind: 'device', productId: id, shortened: false });
      expect(namesDevice(back as BroadcastName, deviceId)).toBe(true);
      const short = readBroadcastName(whole.slice(0, -Math.min(cut, 6) || whole.length), {
        vendor: 'VENDOR',
        products: known,
      });
      expect(namesDevice(short as BroadcastName, deviceId)).toBe(true);
    }),
  );
});

test('any name at all is read or is none of ours, never thrown', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 40 }).map(rest => `VENDOR_${rest}`),
    fc.array(fc.constantFrom('VENDOR', '_', 'FACE', '-T1', 'FT1', '0', 'é')).map(parts => parts.join('')),
  );
  fc.assert(
    fc.property(names, name => {
      const back = read(name);
      if (back) expect(namesDevice(back, 'FACE-T1_A0001' as DeviceId)).toBeTypeOf('boolean');
    }),
    { numRuns: 2000 },
  );
});
