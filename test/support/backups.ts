import { readFile, writeFile } from 'node:fs/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import { newRecoveryKey, type Store } from '../../src/store/index.ts';

/** The recovery key of the boxes of a test. */
export const recovery = await newRecoveryKey();

/** A backup to the recovery key of the tests. */
export const backedUpTo = (store: Store, file: string, more: { withFiles?: boolean; ownKeyToo?: boolean } = {}) =>
  store.backup({ to: { file }, lock: { recipients: [recovery.recipient] }, ...more });

/** The decrypted content of a backup. */
export async function openedBackup(file: string, key = recovery.key): Promise<Buffer> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  return Buffer.from(await decrypter.decrypt(await readFile(file)));
}

/** Encrypts to the recovery key of the tests, as anybody can who knows its public half. */
export async function sealedBackup(file: string, plain: Uint8Array): Promise<void> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recovery.recipient);
  await writeFile(file, await encrypter.encrypt(plain));
}
