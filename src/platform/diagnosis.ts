import { createHash } from 'node:crypto';
import type { RefusalCode } from './refusals.ts';
import { mqttPassword, sameDigest } from './signature.ts';

interface LoginFacts {
  /** As the device wrote them. */
  readonly deviceId: string;
  readonly productId: string;
  readonly password: string;
  readonly productKey: string;
  readonly otherEnvironmentKey: string | null;
  readonly accessKey: string | null;
  /** The access key is in force and the product key no longer is. */
  readonly activated: boolean;
}

/**
 * Names the likely mistake behind a wrong password: the MD5 of SPEC 5.1 can be recomputed, so the
 * box can try what a firmware developer gets wrong instead of answering "not authorized". For
 * people at the box, never for the device.
 */
export function diagnosePassword(facts: LoginFacts): RefusalCode {
  const { deviceId, productId, password, productKey, otherEnvironmentKey, accessKey } = facts;
  if (password === '') return 'missing_password';
  const ids = [...new Set([deviceId, deviceId.toUpperCase(), deviceId.toLowerCase()])];
  const signedWith = (key: string) =>
    ids.some(id =>
      sameDigest(password, mqttPassword({ deviceId: id, productId: productOfCase(id, productId), accessKey: key })),
    );
  const plain = withoutPadding(password);
  if (plain !== password) return diagnosePadded({ ...facts, password: plain });
  if (facts.activated && signedWith(productKey)) return 'old_key_after_activation';
  if (otherEnvironmentKey && signedWith(otherEnvironmentKey)) return 'key_of_other_environment';
  const keys = accessKey ? [productKey, accessKey] : [productKey];
  for (const key of keys) {
    if (sameDigest(password, key)) return 'password_is_the_key';
    if (paddings.some(padding => signedWith(`${key}${padding}`))) return 'password_padded';
    if (ids.some(id => wrongStrings(id, productId, key).some(text => sameDigest(password, md5(text)))))
      return 'password_without_device_id';
  }
  return 'wrong_password';
}

/** Characters that tools and languages leave behind a line or a text of C. */
const paddings = ['\n', '\r\n', '\r', '\0', ' '] as const;

/** The password behind which something stood: if it is right otherwise, that is the mistake. */
function diagnosePadded(facts: LoginFacts): RefusalCode {
  const { deviceId, productId, password, productKey, accessKey } = facts;
  const isRight = [deviceId, deviceId.toUpperCase(), deviceId.toLowerCase()].some(id =>
    [productKey, ...(accessKey === null ? [] : [accessKey])].some(key =>
      sameDigest(password, mqttPassword({ deviceId: id, productId: productOfCase(id, productId), accessKey: key })),
    ),
  );
  return isRight ? 'password_padded' : diagnosePassword(facts);
}

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex');

const productOfCase = (deviceId: string, productId: string): string =>
  deviceId === deviceId.toLowerCase() ? productId.toLowerCase() : productId;

const wrongStrings = (deviceId: string, productId: string, key: string): string[] => {
  const serial = deviceId.slice(deviceId.indexOf('_') + 1);
  return [
    key,
    `${deviceId}-${key}`,
    `${productId}-${key}`,
    `${productId}-${deviceId}-${key}`,
    `${serial}-${productId}-${key}`,
    `${deviceId}${productId}${key}`,
    `${deviceId}_${productId}_${key}`,
  ];
};

function withoutPadding(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s\0]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}
