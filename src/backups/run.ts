import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import {
  type BackupCopy,
  type BackupNotesStore,
  BackupRefused,
  type BackupStore,
  type HealthStore,
  type InspectedBackup,
  newRecoveryKey,
  sha256Of,
  workPrefix,
} from '../store/index.ts';
import { targetFailures } from '../words/backup-targets.ts';
import { archiveName, isArchiveName, isOwnPart, manifestName, manifestOf } from './manifest.ts';
import { expired } from './retention.ts';
import type { Keep, TargetName } from './settings.ts';
import { failed, failureOf, megabytes, TargetFailed } from './target-failed.ts';
import type { Target } from './targets/target.ts';
import { type Expected, needRoom, tryRestore, type VerifyStatements, verifyCopy } from './verify.ts';

export type RunStep = 'making' | 'writing' | 'verifying' | 'restoring' | 'tidying';

export interface RunOptions {
  readonly store: BackupStore & BackupNotesStore & HealthStore & { readonly epoch: string };
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Its name. */
  readonly site: () => string;
  readonly version: string;
  /** The public half of the recovery key; null: none was made yet. */
  recipient(): Promise<string | null>;
  readonly verifyStatements: VerifyStatements;
}

/** Steps of a run, and the listener for its progress. */
interface Run {
  readonly targets: ReadonlyMap<TargetName, Target>;
  readonly keep: Keep;
  readonly withFiles: boolean;
  readonly dayOf: (at: UnixMs) => string;
  /** Whether a restore is to be tried at this target. */
  readonly isDrillDue: (name: TargetName) => boolean;
  readonly onStep: (step: RunStep, target: TargetName | null) => void;
}

export interface TargetOutcome {
  /** Failure of the copy; null if it was written and verified. */
  readonly failure: TargetFailed | null;
  /** Result of the restore drill; null if it was not due, or not reached. */
  readonly drill: { readonly failure: TargetFailed | null } | null;
}

/** Longer than any copy is kept by default. */
const forgottenMs = 400 * 86_400_000;

/** A folder for working files, deleted at the end; the next start deletes what a power cut left. */
const runPrefix = `${workPrefix}scheduled-`;

/**
 * One backup to all targets, one after another: makes one archive in the data directory, encrypted,
 * writes it to each target, reads it back from there, and only then deletes older copies. A target
 * that fails does not stop the others. Rejects only when `signal` is aborted.
 */
export async function backUpOnce(
  options: RunOptions,
  run: Run,
  signal: AbortSignal,
): Promise<Map<TargetName, TargetOutcome>> {
  const outcomes = new Map<TargetName, TargetOutcome>();
  const folder = await mkdtemp(join(options.dataDir, runPrefix));
  try {
    let archive: Archive;
    try {
      run.onStep('making', null);
      archive = await makeArchive(options, run, folder);
    } catch (error) {
      signal.throwIfAborted();
      for (const name of run.targets.keys()) outcomes.set(name, { failure: ownFailure(error), drill: null });
      return outcomes;
    }
    for (const [name, target] of run.targets)
      outcomes.set(name, await toTarget(options, run, name, target, archive, folder, signal));
    return outcomes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Archive extends Expected {
  readonly file: string;
  readonly madeAt: UnixMs;
  readonly recipient: string;
}

/**
 * Encrypted to the recovery key, and to a key of this archive alone, with which this run reads the
 * copies back. Its secret half is only in memory, and forgotten after the run
 * (docs/decisions/backups.md).
 */
async function makeArchive(options: RunOptions, { withFiles }: Run, folder: string): Promise<Archive> {
  const { store, clock } = options;
  const recipient = await options.recipient();
  if (recipient === null) throw new TargetFailed(targetFailures.say('no_recovery_key'));
  await needRoom(folder, 2 * store.health().usedBytes);
  const own = await newRecoveryKey();
  const file = join(folder, 'archive');
  const madeAt = clock.now();
  const lock = { recipients: [recipient, own.recipient] };
  const { bytes } = await store.backup({ to: { file }, lock, withFiles });
  const name = archiveName(store.epoch, madeAt);
  return { file, name, madeAt, bytes, sha256: await sha256Of(file), key: own.key, recipient };
}

async function toTarget(
  options: RunOptions,
  run: Run,
  name: TargetName,
  target: Target,
  archive: Archive,
  folder: string,
  signal: AbortSignal,
): Promise<TargetOutcome> {
  const { store, clock, log } = options;
  const scratch = await mkdtemp(join(folder, 'target-'));
  let drill: TargetOutcome['drill'] = null;
  try {
    run.onStep('writing', name);
    await write(options, name, target, archive, signal);
    run.onStep('verifying', name);
    // Opened again: a stick is mounted afresh, so that what is read is not what memory still holds.
    await using opened = await target.open(signal);
    const found = await verifyCopy(opened, archive, scratch, options.verifyStatements, signal);
    let copy: Verified = { ...copyOf(name, archive), verifiedAt: clock.now() };
    await store.write.putBackupCopy(copy);
    if (run.isDrillDue(name)) {
      run.onStep('restoring', name);
      drill = { failure: await failureIn(() => tryRestore(opened, archive, scratch, signal), target, signal) };
      if (!drill.failure) {
        copy = { ...copy, restoreTriedAt: clock.now() };
        await store.write.putBackupCopy(copy);
      }
    }
    const manifest = join(scratch, 'manifest.json');
    await writeFile(manifest, manifestText(options, archive, copy, found), { mode: 0o600 });
    await opened.put(manifest, manifestName(archive.name), signal);
    run.onStep('tidying', name);
    await tidy(options, run, name, target, opened);
    return { failure: null, drill };
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(error, target.where);
    log.warn({ target: name, error_code: failure.code }, 'backup_not_good', { why: failure.message });
    return { failure, drill };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

type Verified = BackupCopy & { readonly verifiedAt: UnixMs };

const copyOf = (target: TargetName, { name, madeAt, bytes, sha256 }: Archive): BackupCopy => ({
  ...{ target, name, madeAt, bytes, sha256 },
  ...{ verifiedAt: null, restoreTriedAt: null },
});

async function write(
  { store }: RunOptions,
  name: TargetName,
  target: Target,
  archive: Archive,
  signal: AbortSignal,
): Promise<void> {
  await using opened = await target.open(signal);
  const there = new Set(await opened.names());
  const known = (await store.read.backupCopies()).filter(copy => copy.target === name && copy.verifiedAt !== null);
  // A mount point without its stick is an empty folder of the box's own disk. Where a mount is
  // demanded, an empty one is another stick.
  const isOwnFolder = !target.isMount && !target.tidiesItself;
  if (isOwnFolder && known.length > 0 && !known.some(copy => there.has(copy.name)))
    throw failed('emptied', target.where);
  for (const part of there) if (isOwnPart(part, store.epoch)) await opened.remove(part);
  const free = await opened.freeBytes();
  if (free !== null && free < archive.bytes)
    throw new TargetFailed(
      targetFailures.say('full_for', { at: target.where, needs: megabytes(archive.bytes), free: megabytes(free) }),
    );
  // First in the list of what the box may delete there: a cut must not leave what nobody deletes.
  await store.write.putBackupCopy(copyOf(name, archive));
  await opened.put(archive.file, archive.name, signal);
}

/**
 * Deletes old copies: only those that this box wrote, and only beside a newer one that was
 * verified.
 */
async function tidy(
  { store, log, clock }: RunOptions,
  { keep, dayOf }: Run,
  name: TargetName,
  { isMount = false, tidiesItself = false }: Target,
  opened: Awaited<ReturnType<Target['open']>>,
): Promise<void> {
  const known = (await store.read.backupCopies()).filter(copy => copy.target === name);
  // Those of another stick are deleted when it is there again; one that never comes is forgotten.
  const there = isMount || tidiesItself ? new Set(await opened.names()) : null;
  const copies = known.filter(copy => !there || there.has(copy.name));
  for (const { name: file, madeAt } of known)
    if (there && !there.has(file) && (tidiesItself || madeAt < clock.now() - forgottenMs))
      await store.write.removeBackupCopy({ target: name, name: file });
  for (const copy of tidiesItself ? [] : expired(copies, keep, dayOf)) {
    if (isArchiveName(copy.name)) {
      await opened.remove(manifestName(copy.name));
      await opened.remove(copy.name);
    }
    await store.write.removeBackupCopy({ target: name, name: copy.name });
    log.info({ target: name, file: copy.name }, 'old_backup_deleted');
  }
}

const manifestText = (
  { site, version }: RunOptions,
  { recipient }: Archive,
  copy: Verified,
  found: InspectedBackup,
): string => `${JSON.stringify(manifestOf(copy, found, { site: site(), version, recipient }), null, 2)}\n`;

async function failureIn(act: () => Promise<void>, target: Target, signal: AbortSignal): Promise<TargetFailed | null> {
  try {
    await act();
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(error, target.where);
  }
}

const noRoom = (detail: string): TargetFailed => new TargetFailed(targetFailures.say('no_room', { detail }));

/** Of what happened before any target was reached. */
function ownFailure(error: unknown): TargetFailed {
  if (error instanceof TargetFailed) return error;
  if (error instanceof BackupRefused && error.code === 'no_room') return noRoom(error.reason);
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' ? noRoom(message) : failed('failed', 'the backup', message);
}
