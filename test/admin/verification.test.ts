import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verificationAdmin } from '../../src/admin/verification.ts';
import { aProduct, applied, aStore, type TemporaryStore } from '../support/store.ts';

const key = 's3cret-of-the-product';
const random = 'n8Kq2Zx1';
const hex = (text: string) => crc32(text).toString(16).padStart(8, '0');
const genuine = {
  device_id: 'FACE-T1_A0001',
  model: 'FT1',
  random,
  signature: hex(`FACE-T1_A0001-${random}-${key}`),
};

let opened: TemporaryStore;
beforeAll(async () => {
  opened = await aStore();
  await applied(opened.store, { products: [aProduct()] });
});
afterAll(() => opened?.[Symbol.asyncDispose]());

test.each([
  ['a device that signed with the key of its product', {}, true],
  ['a signature in capitals', { signature: genuine.signature.toUpperCase() }, true],
  ['a model in small letters', { model: 'ft1' }, true],
  [
    'an id that the device writes in small letters',
    { device_id: 'face-t1_a0001', signature: hex(`face-t1_a0001-${random}-${key}`) },
    true,
  ],
  ['a signature in decimal', { signature: String(crc32(`FACE-T1_A0001-${random}-${key}`)) }, true],
  ['another key', { signature: hex(`FACE-T1_A0001-${random}-other`) }, false],
  ['the signature of another random string', { random: 'n8Kq2Zx2' }, false],
  ['the signature of another device', { device_id: 'FACE-T1_A0002' }, false],
  ['another model', { model: 'FT2' }, false],
  ['an unknown product', { device_id: 'LOCK_A0001' }, false],
  ['what is no device id', { device_id: 'A0001' }, false],
] as const)('%s: %o gives %s', async (_name, change, yes) => {
  const { verify } = verificationAdmin(opened.store.directory);
  expect(await verify({ ...genuine, ...change })).toEqual({ genuine: yes });
});

test('who asked for which device is written down', async () => {
  const subjects: string[] = [];
  const caller = { actor: 'app', account: 'app', role: 'viewer', via: 'token', address: '' } as const;
  const call = { caller, subject: (text: string) => void subjects.push(text), isReadOften: () => {} };
  await verificationAdmin(opened.store.directory).verify({ ...genuine, signature: '0' }, call);
  expect(subjects).toEqual(['FACE-T1_A0001: not genuine']);
});
