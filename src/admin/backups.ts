import type { Clock, UnixMs } from '../runtime/clock.ts';
import { type BackupLock, BackupRefused, type BackupWritten, newRecoveryKey, type Store } from '../store/index.ts';

/** Where the box notes what it knows of its backups. */
const service = 'box';
const lastBackup = 'last backup';
const recoveryRecipient = 'recovery recipient';
const passphraseCharactersMin = 12;

export interface BackupCall {
  /** An absolute path on this machine, or a name in the backup folder of the box. */
  readonly to: { readonly file: string } | { readonly name: string };
  /** Absent: encrypted to the recovery key. At least 12 characters. */
  readonly passphrase?: string | undefined;
  readonly withFiles?: boolean | undefined;
  /** It stays beside the box's keys, and the box may open it without a person. */
  readonly beforeUpdate?: boolean;
}

/** The recovery key as the box knows it: its public half. */
export interface RecoveryKeyReport {
  /** age1… */
  readonly recipient: string;
  readonly made_at: UnixMs;
}

export interface BackupAdmin {
  /** Null: none was made that the box knows of. */
  lastBackupAt(): Promise<UnixMs | null>;
  /** Throws BackupRefused; over the socket AdminRefused. */
  backup(call: BackupCall): Promise<BackupWritten & { readonly records: number }>;
  /** Null: none was made yet. */
  recoveryKey(): Promise<RecoveryKeyReport | null>;
  /**
   * Makes a key for the backups from now on, in place of one that is there. What is answered is
   * kept nowhere: earlier backups are opened by the key before alone.
   */
  makeRecoveryKey(): Promise<RecoveryKeyReport & { readonly recovery_key: string }>;
}

type Reads = Pick<Store['read'], 'remembered'>;

export const lastBackupAt = async (read: Reads): Promise<UnixMs | null> =>
  (await read.remembered(service, lastBackup))?.at ?? null;

export async function recoveryKeyOf(read: Reads): Promise<RecoveryKeyReport | null> {
  const kept = await read.remembered(service, recoveryRecipient);
  return kept && { recipient: kept.value, made_at: kept.at };
}

export async function makeRecoveryKey(store: Store, clock: Clock) {
  const { key, recipient } = await newRecoveryKey();
  const at = clock.now();
  await store.write.remember({ service, key: recoveryRecipient, value: recipient, at });
  return { recovery_key: key, recipient, made_at: at };
}

/** A box that cannot write down that it made a backup has made it all the same. */
export async function backedUp(
  store: Store,
  { to, passphrase, withFiles = false, beforeUpdate = false }: BackupCall,
  clock: Clock,
): Promise<BackupWritten & { readonly records: number }> {
  const name = 'file' in to ? to.file : to.name;
  const lock = await lockOf(name, passphrase, (await recoveryKeyOf(store.read))?.recipient ?? null, beforeUpdate);
  const written = await store.backup({ to, lock, withFiles, ownKeyToo: beforeUpdate });
  const value = String(written.bytes);
  await store.write.remember({ service, key: lastBackup, value, at: clock.now() }).catch(() => {});
  return written;
}

async function lockOf(
  file: string,
  passphrase: string | undefined,
  recipient: string | null,
  beforeUpdate: boolean,
): Promise<BackupLock> {
  if (passphrase !== undefined) {
    if (passphrase.length >= passphraseCharactersMin) return { passphrase };
    const why = `the passphrase is too short: at least ${passphraseCharactersMin} characters, better five words`;
    throw new BackupRefused(file, 'weak_passphrase', why);
  }
  if (recipient !== null) return { recipients: [recipient] };
  if (beforeUpdate) return { recipients: [] };
  throw new BackupRefused(
    file,
    'no_recovery_key',
    'backups are encrypted, and this box has no recovery key yet: make one with `gatehouse recovery-key new` or on the page System, Backup, and keep it away from the box; or give a passphrase with --passphrase-file FILE',
  );
}
