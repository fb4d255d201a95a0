import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { createReadStream, openSync, type ReadStream, readFileSync, readSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Decrypter, Identity, Recipient } from 'age-encryption';
import { asCaller } from '../../runtime/become-owner.ts';
import { BackupRefused } from './backup-archive.ts';

/**
 * Backups are files of the age format (age-encryption.org/v1), which `age -d` reads too:
 * docs/decisions/backups.md.
 */

/**
 * To whom a backup is encrypted. `recipients`: public halves of recovery keys, age1…; `passphrase`:
 * instead of them.
 */
export type BackupLock =
  | { readonly recipients: readonly string[]; readonly passphrase?: never }
  | { readonly passphrase: string; readonly recipients?: never };

/** Loaded on demand: no box needs it to start. */
const age = () => import('age-encryption');

/** The form that age takes; loaded on demand, because web streams are nine modules of Node. */
async function webStream(bytes: AsyncIterable<Uint8Array>): Promise<never> {
  const { ReadableStream } = await import('node:stream/web');
  return ReadableStream.from(bytes) as never;
}

const magic = 'age-encryption.org/v1\n';
/**
 * An age header has a line or two for each recipient; one without an end would be read into memory
 * completely.
 */
const headerBytesMax = 16 << 10;

/** The secret half is the recovery key, which the box does not keep. */
export async function newRecoveryKey(): Promise<{ key: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await age();
  const key = await generateX25519Identity();
  return { key, recipient: await identityToRecipient(key) };
}

/**
 * Finds the recovery key in a person's input: the key alone, or a file as `age-keygen` writes it,
 * with comments. Null: the input is a passphrase.
 */
const recoveryKeyIn = (text: string): string | null =>
  text
    .split(/[\r\n]/)
    .map(line => line.trim().toUpperCase())
    .find(line => /^AGE-SECRET-KEY-1[0-9A-Z]+$/.test(line)) ?? null;

const ownKeyName = 'before-update.key';

/**
 * The box's own key for backups before updates, made if it is missing: a broken update must be
 * undone without a person who has the recovery key. It never opens a backup that leaves the box.
 */
export async function ownRecipient(dataDir: string): Promise<string> {
  const file = join(dataDir, 'keys', ownKeyName);
  const { generateX25519Identity, identityToRecipient } = await age();
  await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${await generateX25519Identity()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return identityToRecipient(readFileSync(file, 'utf8').trim());
}

function ownKeyOf(dataDir: string): string | null {
  try {
    return recoveryKeyIn(readFileSync(join(dataDir, 'keys', ownKeyName), 'utf8'));
  } catch {
    return null; // none was made, or it is another box's
  }
}

/** Encrypts and authenticates a stream of any length; holds a piece or two of 64 KiB in memory. */
export async function encrypted(
  plain: AsyncIterable<Uint8Array>,
  lock: BackupLock,
): Promise<AsyncIterable<Uint8Array>> {
  // Nobody could open an age file without recipients.
  if (lock.recipients?.length === 0) throw new Error('a backup needs somebody who can open it');
  const encrypter = new (await age()).Encrypter();
  if (lock.passphrase !== undefined) encrypter.addRecipient(passphraseRecipient(lock.passphrase));
  else for (const recipient of lock.recipients) encrypter.addRecipient(recipient);
  return (await encrypter.encrypt(await webStream(plain))) as never;
}

export interface BackupKey {
  /** A recovery key or a passphrase, as a person gave it. */
  readonly key?: string | undefined;
}

/**
 * Decrypts a backup. Throws BackupRefused at once if the key is missing or wrong, and later if a
 * byte was changed or cut off: so the output must not be used before its end is reached.
 */
export async function decrypted(
  file: string,
  dataDir: string | null,
  key: BackupKey,
): Promise<AsyncIterable<Uint8Array>> {
  const fd = opened(file);
  const stream = createReadStream(file, { fd, start: 0 });
  try {
    return await plainOf(stream, headOf(fd, file), { file, dataDir, ...key });
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

async function plainOf(
  stream: ReadStream,
  head: string,
  { file, dataDir, key }: BackupKey & { readonly file: string; readonly dataDir: string | null },
): Promise<AsyncIterable<Uint8Array>> {
  if (!head.startsWith(magic)) throw new BackupRefused(file, 'no_backup', 'is not a backup of Gatehouse');
  if (!head.includes('\n--- ')) throw damaged(file);
  const identities = [key === undefined ? null : recoveryKeyIn(key), dataDir === null ? null : ownKeyOf(dataDir)];
  const decrypter = new (await age()).Decrypter();
  for (const identity of identities) if (identity !== null) addIdentity(decrypter, identity, file);
  if (key !== undefined && identities[0] === null) decrypter.addIdentity(passphraseIdentity(key));
  let plain: AsyncIterable<Uint8Array>;
  try {
    plain = (await decrypter.decrypt(await webStream(stream))) as never;
  } catch (error) {
    if (!/no identity matched/.test((error as Error).message)) throw damaged(file);
    if (key !== undefined)
      throw new BackupRefused(file, 'wrong_key', 'is encrypted to another key or passphrase than the one given');
    throw new BackupRefused(
      file,
      'needs_key',
      /^-> scrypt /m.test(head)
        ? 'is encrypted with a passphrase: give it with --passphrase-file FILE (- for standard input)'
        : 'is encrypted: give the recovery key with --recovery-key-file FILE (- for standard input)',
    );
  }
  return (async function* () {
    try {
      yield* plain;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
      throw damaged(file);
    }
  })();
}

const damaged = (file: string) =>
  new BackupRefused(file, 'damaged', 'is damaged: it was cut or changed; take another backup');

function addIdentity(decrypter: Decrypter, identity: string, file: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new BackupRefused(file, 'wrong_key', 'the recovery key is mistyped: it has 74 letters and digits');
  }
}

/**
 * Opens the file as the user who ran the command, such as one in /root; the owner of the data
 * directory, who restores it, may be unable to read it.
 */
function opened(file: string): number {
  try {
    return asCaller(() => openSync(file, 'r'));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function headOf(fd: number, file: string): string {
  const start = Buffer.alloc(headerBytesMax);
  try {
    return start.toString('latin1', 0, readSync(fd, start, 0, start.length, 0));
  } catch (error) {
    throw unreadable(file, error);
  }
}

const unreadable = (file: string, error: unknown): BackupRefused =>
  new BackupRefused(file, 'unreadable', `cannot be read: ${(error as NodeJS.ErrnoException).code}`);

/**
 * age's scrypt recipient with Node's scrypt: the library's own, in JavaScript, would block the
 * event loop for seconds. N = 2^16 takes 64 MiB, which a box of 1 GB has; a file made elsewhere may
 * ask for 2^18, as the `age` program does.
 */
const workFactor = 16;
const workFactorMax = 18;
const scryptLabel = 'age-encryption.org/v1/scrypt';

function scryptKey(passphrase: string, salt: Uint8Array, logN: number): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r: 8, p: 1, maxmem: 2 ** (logN + 10) + (1 << 20) };
  return new Promise((resolve, reject) =>
    scrypt(passphrase, Buffer.concat([Buffer.from(scryptLabel), salt]), 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}

const algorithm = 'chacha20-poly1305';
const tagBytes = 16;
const zeroNonce = Buffer.alloc(12);
const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '');

const passphraseRecipient = (passphrase: string): Recipient => ({
  async wrapFileKey(fileKey) {
    const salt = randomBytes(16);
    const { Stanza } = await age();
    const key = await scryptKey(passphrase, salt, workFactor);
    const cipher = createCipheriv(algorithm, key, zeroNonce, { authTagLength: tagBytes });
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
    return [new Stanza(['scrypt', unpadded(salt), String(workFactor)], body)];
  },
});

const passphraseIdentity = (passphrase: string): Identity => ({
  async unwrapFileKey(stanzas) {
    const [stanza] = stanzas;
    if (stanzas.length !== 1 || stanza?.args[0] !== 'scrypt' || stanza.body.length !== 32) return null;
    const [, salt = '', factor = ''] = stanza.args;
    const logN = Number(factor);
    if (!(Number.isInteger(logN) && logN >= 1 && logN <= workFactorMax)) return null;
    const decipher = createDecipheriv(
      algorithm,
      await scryptKey(passphrase, Buffer.from(salt, 'base64'), logN),
      zeroNonce,
      {
        authTagLength: tagBytes,
      },
    );
    decipher.setAuthTag(stanza.body.subarray(tagBytes));
    try {
      return Buffer.concat([decipher.update(stanza.body.subarray(0, tagBytes)), decipher.final()]);
    } catch {
      return null;
    }
  },
});
