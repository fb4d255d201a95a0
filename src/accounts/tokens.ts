import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits as text that needs no escaping anywhere: a session id, a code, a token. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Whether `newToken` can have made it: what it cannot have made is looked up nowhere. */
export const mayBeToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Hash under which a token is stored. A token has 256 random bits, so a fast hash is enough. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Compares two secrets in constant time. */
export function sameSecret(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
