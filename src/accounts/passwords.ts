import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const hash = promisify(argon2);
/** Cost of an Argon2id hash, handed in so that tests can hash for less. */
export interface HashStrength {
  /** In KiB; at least 8 for each lane. */
  readonly memory: number;
  readonly passes: number;
  /** Lanes. */
  readonly parallelism: number;
}

/** OWASP's first choice of Argon2id, and the program's only strength: no config key sets it. */
export const fullStrength: HashStrength = { memory: 19 * 1024, passes: 2, parallelism: 1 };

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '');

/** A password as it is kept: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export async function hashPassword(password: string, strength: HashStrength): Promise<string> {
  const { memory, passes, parallelism } = strength;
  const nonce = randomBytes(16);
  const message = password.normalize('NFKC');
  const tag = await hash('argon2id', { message, nonce, tagLength: 32, memory, passes, parallelism });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Reads the strength from the kept hash. False too for a hash that cannot be read. */
export async function verifyPassword(password: string, kept: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(kept);
  if (!match) return false;
  const expected = Buffer.from(match[5]!, 'base64');
  const tag = await hash('argon2id', {
    message: password.normalize('NFKC'),
    nonce: Buffer.from(match[4]!, 'base64'),
    memory: Number(match[1]),
    passes: Number(match[2]),
    parallelism: Number(match[3]),
    tagLength: expected.length,
  });
  return timingSafeEqual(tag, expected);
}
