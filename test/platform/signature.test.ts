import { expect, test } from 'vitest';
import { diagnosePassword } from '../../src/platform/diagnosis.ts';
import { explainRefusal } from '../../src/platform/refusals.ts';
import { mqttPassword, mqttStringToSign, sameDigest } from '../../src/platform/signature.ts';
import { refusalTexts } from '../../src/words/refusals.ts';

const parts = { deviceId: 'FACE-T1_A0001', productId: 'FACE-T1', accessKey: 's3cret' };

test('the password is the MD5 of SPEC 5.1', () => {
  expect(mqttStringToSign(parts)).toBe('FACE-T1_A0001-FACE-T1-s3cret');
  // printf %s FACE-T1_A0001-FACE-T1-s3cret | md5sum
  expect(mqttPassword(parts)).toBe('96427847d854e0a2f75c80babc428556');
});

test('digests are compared without case', () => {
  expect(sameDigest('ABCDEF', 'abcdef')).toBe(true);
  expect(sameDigest('abcdef', 'abcdee')).toBe(false);
  expect(sameDigest('abc', 'abcdef')).toBe(false);
});

const facts = {
  deviceId: parts.deviceId,
  productId: parts.productId,
  productKey: 's3cret',
  otherEnvironmentKey: 'production-key',
  accessKey: 'device-key',
  activated: true,
};

test.each([
  ['old_key_after_activation', mqttPassword(parts)],
  ['key_of_other_environment', mqttPassword({ ...parts, accessKey: 'production-key' })],
  ['password_is_the_key', 's3cret'],
  [
    'password_without_device_id',
    mqttPassword({ deviceId: 'FACE-T1', productId: 'FACE-T1_A0001', accessKey: 's3cret' }),
  ],
  ['password_padded', `${mqttPassword(parts)}\n`],
  ['password_padded', `${mqttPassword({ ...parts, accessKey: 'device-key' })}\r\n`],
  ['password_padded', `${mqttPassword(parts)}\0`],
  ['password_padded', mqttPassword({ ...parts, accessKey: 'device-key\n' })],
  ['password_padded', mqttPassword({ ...parts, accessKey: 's3cret\0' })],
  ['password_is_the_key', 's3cret\n'],
  ['wrong_password', `${mqttPassword({ ...parts, accessKey: 'guess' })}\n`],
  ['wrong_password', mqttPassword({ ...parts, accessKey: 'guess' })],
  ['missing_password', ''],
] as const)('the mistake behind a wrong password is named: %s', (code, password) => {
  expect(diagnosePassword({ ...facts, password })).toBe(code);
});

test('every refusal says what, and what to do', () => {
  for (const [code, { message, en }] of Object.entries(refusalTexts)) {
    expect(message.length, code).toBeGreaterThan(10);
    expect(en({ detail: '' }).length - message.length, code).toBeGreaterThan(10);
  }
  expect(explainRefusal({ code: 'unknown_product', detail: 'FACE-T9' }).reason).toBe(
    'no product with this product_id is known here (FACE-T9): add the product to the site file and apply it, or correct the device ID on the device',
  );
});
