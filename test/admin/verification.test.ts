import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verificationResource } from '../../src/admin/verification.ts';
import { HandClock } from '../support/clock.ts';
import { aProduct, applied, aStore, registered, type TemporaryStore } from '../support/store.ts';

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
  const { model: _, ...ofAnyModel } = aProduct({ product_id: 'LOCK-T1' });
  await applied(opened.store, { products: [aProduct(), ofAnyModel] });
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
  [
    'a product that nobody gave a model',
    { device_id: 'LOCK-T1_A0001', signature: hex(`LOCK-T1_A0001-${random}-${key}`) },
    true,
  ],
  ['an unknown product', { device_id: 'LOCK_A0001' }, false],
  ['what is no device id', { device_id: 'A0001' }, false],
] as const)('%s: %o gives %s', async (_name, change, yes) => {
  const { verify } = verificationResource.running({ store: opened.store, clock: new HandClock() });
  expect(await verify({ ...genuine, ...change })).toEqual({ genuine: yes });
});

test('the audit log has who verified which device', async () => {
  const subjects: unknown[] = [];
  const caller = { actor: 'app', account: 'app', role: 'viewer', via: 'token', address: '' } as const;
  const call = { caller, hears: null, subject: (about: unknown) => void subjects.push(about), isReadOften: () => {} };
  await verificationResource
    .running({ store: opened.store, clock: new HandClock() })
    .verify({ ...genuine, signature: '0' }, call);
  expect(subjects).toMatchObject([{ reason: 'FACE-T1_A0001: not genuine', code: 'not_genuine' }]);
});

/** Verifies over one box, as callers of these names. */
function aVerifier() {
  const clock = new HandClock();
  const { verify } = verificationResource.running({ store: opened.store, clock });
  const asks = (change: object = {}, actor = 'token app') => {
    const caller = { actor, account: 'mei', role: 'viewer', via: 'token', address: '' } as const;
    return verify({ ...genuine, ...change }, { caller, hears: null, subject: () => {}, isReadOften: () => {} });
  };
  const guess = async (times: number, change: object = {}) => {
    for (let done = 0; done < times; done++)
      expect(await asks({ signature: '0', ...change })).toEqual({ genuine: false });
  };
  return { clock, asks, guess };
}
const tooMany = { problem: { status: 429, title: 'too_many_guesses' }, retryAfterSeconds: 60 };
const anotherDevice = { device_id: 'FACE-T1_A0002', signature: hex(`FACE-T1_A0002-${random}-${key}`) };

test('after ten wrong signatures for a device its caller waits a minute: a right one is not looked at', async () => {
  const { clock, asks, guess } = aVerifier();
  await guess(10);
  await expect(asks()).rejects.toMatchObject(tooMany);
  await expect(asks({ device_id: 'face-t1_a0001', signature: '0' })).rejects.toMatchObject(tooMany);
  await clock.advance(60_000);
  expect(await asks()).toEqual({ genuine: true });
});

test('guesses slow down neither another device of the caller nor another caller', async () => {
  const { asks, guess } = aVerifier();
  await guess(10);
  expect(await asks(anotherDevice)).toEqual({ genuine: true });
  expect(await asks({}, 'token of another app')).toEqual({ genuine: true });
});

test('right answers are not counted', async () => {
  const { asks } = aVerifier();
  for (let done = 0; done < 100; done++) expect(await asks()).toEqual({ genuine: true });
});

test('made-up ids share an allowance of sixty; a device that the box knows does not', async () => {
  const { asks, guess } = aVerifier();
  await registered(opened.store, 'FACE-T1_KNOWN');
  for (let made = 0; made < 59; made++) await guess(1, { device_id: `FACE-T1_MADE${made}` });
  await guess(1, { device_id: 'no device id' });
  await expect(asks(anotherDevice)).rejects.toMatchObject(tooMany);
  const known = { device_id: 'FACE-T1_KNOWN', signature: hex(`FACE-T1_KNOWN-${random}-${key}`) };
  expect(await asks(known)).toEqual({ genuine: true });
});
