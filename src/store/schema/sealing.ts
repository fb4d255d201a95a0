import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

declare const brand: unique symbol;
/**
 * nonce (12) · ciphertext · tag (16), ChaCha20-Poly1305: quick on the small ARM cores that have no
 * AES instructions.
 */
export type SealedBytes = Uint8Array & { readonly [brand]: 'SealedBytes' };

const nonceBytes = 12;
const tagBytes = 16;
/** How many bytes sealing adds. */
const sealBytes = nonceBytes + tagBytes;

/** The bytes are not what was sealed, or were sealed with another key or for another place. */
export class BrokenSeal extends Error {
  constructor(place: string) {
    super(`${place}: the seal is broken: the bytes are damaged, or keys/seal.key is not the key of this store`);
    this.name = 'BrokenSeal';
  }
}

export interface Seal {
  /**
   * `place` binds the bytes to where they are stored (a table and column, or a segment's first
   * seq): they cannot be opened elsewhere. `room`: memory to seal into, for frequent calls; the
   * result is a view of it, valid until the next call with it. A room that is too small is not
   * used.
   */
  seal(bytes: Uint8Array, place: string, room?: Uint8Array): SealedBytes;
  /** Throws BrokenSeal. */
  open(sealed: Uint8Array, place: string): Buffer;
  sealText(text: string, place: string): SealedBytes;
  openText(sealed: Uint8Array, place: string): string;
  /**
   * 32 hexadecimal digits that identify a text, stable for this store and purpose, and reveal
   * nothing about the text.
   */
  fingerprint(purpose: string, text: string): string;
}

export function sealWith(key: Uint8Array): Seal {
  const seal = (bytes: Uint8Array, place: string, room?: Uint8Array): SealedBytes => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(place), { plaintextLength: bytes.length });
    const body = cipher.update(bytes);
    cipher.final();
    const length = bytes.length + sealBytes;
    const sealed = room && room.length >= length ? room.subarray(0, length) : Buffer.allocUnsafe(length);
    sealed.set(nonce);
    sealed.set(body, nonceBytes);
    sealed.set(cipher.getAuthTag(), nonceBytes + body.length);
    return sealed as SealedBytes;
  };
  const open = (sealed: Uint8Array, place: string): Buffer => {
    try {
      const decipher = createDecipheriv('chacha20-poly1305', key, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(place), { plaintextLength: sealed.length - nonceBytes - tagBytes });
      decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
      const body = decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes));
      decipher.final();
      return body;
    } catch {
      throw new BrokenSeal(place);
    }
  };
  return {
    seal,
    open,
    sealText: (text, place) => seal(Buffer.from(text), place),
    openText: (sealed, place) => open(sealed, place).toString('utf8'),
    fingerprint: (purpose, text) => createHmac('sha256', key).update(`${purpose}\0${text}`).digest('hex').slice(0, 32),
  };
}

export const sealKeyFile = (dataDir: string): string => join(dataDir, 'keys', 'seal.key');

/**
 * The key that seals the store: 32 random bytes outside the database file, readable by the box
 * alone. Made when `create`.
 */
export function readSealKey(dataDir: string, create: boolean): Uint8Array {
  const file = sealKeyFile(dataDir);
  if (create) {
    mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(file, randomBytes(32), { mode: 0o600, flag: 'wx', flush: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  const key = readFileSync(file);
  if (key.length !== 32)
    throw new Error(`${file}: must hold 32 bytes, has ${key.length}: restore a backup with \`gatehouse restore FILE\``);
  return key;
}
