import { expect, test } from 'vitest';
import { parseDeviceId, parseProductId, productOf, serialOf } from '../../src/platform/device-id.ts';
import { parseLogTopic } from '../../src/platform/log-topic.ts';

test('a device id is kept in upper case, with its product and serial', () => {
  const read = parseDeviceId('face-t1_a0001');
  if (!read.ok) throw new Error('refused');
  expect([read.value, productOf(read.value), serialOf(read.value)]).toEqual(['FACE-T1_A0001', 'FACE-T1', 'A0001']);
});

test.each([
  ['no underscore', 'FACEA0001'],
  ['two underscores', 'FACE_A_1'],
  ['no serial', 'FACE_'],
  ['no product', '_A1'],
  ['a product of 17 characters', `${'P'.repeat(17)}_1`],
  ['65 characters', `P_${'1'.repeat(63)}`],
  ['a space', 'FACE_A 1'],
  ['a letter outside ASCII', 'FÄCE_1'],
])('a device id with %s is refused', (_name, id) => {
  expect(parseDeviceId(id)).toMatchObject({ ok: false, refusal: { code: 'bad_device_id' } });
});

test('a product_id has at most 16 characters', () => {
  expect(parseProductId('P'.repeat(16)).ok).toBe(true);
  expect(parseProductId('P'.repeat(17)).ok).toBe(false);
});

test.each([
  ['log/FT1/A0001', { model: 'FT1', sn: 'A0001' }],
  ['log/FT1', null],
  ['log//A', null],
  ['log/FT1/', null],
  ['log/FT1/A/B', null],
  ['device', null],
])('the topic %s is read as %o', (topic, expected) => {
  expect(parseLogTopic(topic)).toEqual(expected);
});
