import { hash, timingSafeEqual } from 'node:crypto';

const md5 = (text: string): string => hash('md5', text);

interface DeviceCredentialParts {
  readonly deviceId: string;
  readonly productId: string;
  readonly accessKey: string;
}

/**
 * The string that the MD5 of SPEC 5.1 covers, with the ids in the letter case in which they were
 * passed.
 */
export const mqttStringToSign = ({ deviceId, productId, accessKey }: DeviceCredentialParts): string =>
  `${deviceId}-${productId}-${accessKey}`;

/** SPEC 5.1: MD5 over device_id + "-" + product_id + "-" + access key, 32 lower-case hex digits. */
export const mqttPassword = (parts: DeviceCredentialParts): string => md5(mqttStringToSign(parts));

interface AttendanceCallParts {
  /** Of the request, without the query. */
  readonly path: string;
  /** As sent in App-Timestamp: milliseconds, 13 digits. */
  readonly timestamp: string;
  readonly appKey: string;
  readonly appSecret: string;
}

/** Parts of the two strings, then those that callers sign by mistake. */
export const signedPartNames = [
  ...(['path', 'App-Timestamp', 'App-Key', 'App-Secret', 'app_id', 'app_key', 'nonce', 'timestamp'] as const),
  ...(['address', 'query', 'body'] as const),
] as const;

/**
 * A piece of a string that is signed, under the name that people know it by. The texts, one behind
 * the other, are the string.
 */
export interface SignedPart {
  readonly name: (typeof signedPartNames)[number];
  readonly text: string;
}

const joined = (parts: readonly SignedPart[]): string => parts.map(part => part.text).join('');

/** Parts that the MD5 of SPEC 5.7 covers, without separators. */
export const attendancePartsToSign = ({ path, timestamp, appKey, appSecret }: AttendanceCallParts): SignedPart[] => [
  { name: 'path', text: path },
  { name: 'App-Timestamp', text: timestamp },
  { name: 'App-Key', text: appKey },
  { name: 'App-Secret', text: appSecret },
];
export const attendanceStringToSign = (parts: AttendanceCallParts): string => joined(attendancePartsToSign(parts));

/** App-Sig of SPEC 5.7: 32 lower-case hex digits. */
export const attendanceSignature = (parts: AttendanceCallParts): string => md5(attendanceStringToSign(parts));

interface ServiceCallParts {
  readonly appId: string;
  readonly appKey: string;
  readonly nonce: string;
  /** As sent: milliseconds, 13 digits. */
  readonly timestamp: string;
}

/** Parts that the MD5 of SPEC 5.6 covers, in exactly this order. */
export const servicePartsToSign = ({ appId, appKey, nonce, timestamp }: ServiceCallParts): SignedPart[] => [
  { name: 'app_id', text: `app_id=${appId}` },
  { name: 'app_key', text: `&app_key=${appKey}` },
  { name: 'nonce', text: `&nonce=${nonce}` },
  { name: 'timestamp', text: `&timestamp=${timestamp}` },
];
export const serviceStringToSign = (parts: ServiceCallParts): string => joined(servicePartsToSign(parts));

/** `sig` of SPEC 5.6: 32 lower-case hex digits. */
export const serviceSignature = (parts: ServiceCallParts): string => md5(serviceStringToSign(parts));

/** The length of an MD5 in hex, which everybody knows. */
const digestBytes = 32;

/**
 * Compares secrets in constant time; hex without case. The length of a secret that is no digest
 * stays secret: its hash is compared.
 */
export function sameDigest(one: string, other: string): boolean {
  const a = Buffer.from(one.toLowerCase());
  const b = Buffer.from(other.toLowerCase());
  if (a.length === digestBytes && b.length === digestBytes) return timingSafeEqual(a, b);
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

const unguessableCharacters = 32;
const differentCharacters = 8;

/**
 * Whether a secret is as long as those that the box makes (128 bits in hex), and no repetition.
 * Nobody guesses such a secret, so that wrong tries of one program need not delay the right ones of
 * another at the same address. Shorter ones are a site's own choice.
 */
export const isUnguessable = (secret: string): boolean =>
  secret.length >= unguessableCharacters && new Set(secret).size >= differentCharacters;
