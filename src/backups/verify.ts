import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BackupRefused,
  type InspectedBackup,
  inspectBackup,
  openStoreForReading,
  restoreBackup,
  sha256Of,
} from '../store/index.ts';
import { targetFailures } from '../words/backup-targets.ts';
import { failed, megabytes, TargetFailed } from './target-failed.ts';
import type { OpenTarget } from './targets/target.ts';

/** Properties that a copy must have. */
export interface Expected {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The secret key that opens this copy. Only in memory: never stored, logged or reported. */
  readonly key: string;
}

/** Recomputes the chain of daily statements of an unpacked backup; null: it holds. */
export type VerifyStatements = (unpacked: string, statements: string) => Promise<string | null>;

/** Disk space that an unpacked backup leaves free for the store. */
const leaveBytes = 96 << 20;

/**
 * Reads a copy back from its target and checks it: the same bytes, decrypted, a whole database with
 * the rows of its manifest, and daily statements whose chain ends where the store says. Throws
 * TargetFailed.
 */
export async function verifyCopy(
  target: OpenTarget,
  expected: Expected,
  folder: string,
  verifyStatements: VerifyStatements,
  signal: AbortSignal,
): Promise<InspectedBackup> {
  const file = await readBack(target, expected, folder, signal);
  return asDamaged(expected.name, () =>
    inspectBackup({ file, folder, key: expected.key }, async (unpacked, { statements }) => {
      const broken = statements === null ? null : await verifyStatements(unpacked, statements);
      if (broken !== null) throw failed('damaged', expected.name, broken);
    }),
  );
}

/**
 * Restores a copy from its target into a folder of its own, as a person would on another machine,
 * and opens the store in it. Throws TargetFailed.
 */
export async function tryRestore(
  target: OpenTarget,
  expected: Expected,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const file = await readBack(target, expected, folder, signal);
  const dataDir = join(folder, 'restored');
  await mkdir(dataDir, { mode: 0o700 });
  try {
    await asDamaged(expected.name, async () => {
      await restoreBackup({ file, dataDir, key: expected.key });
      await using restored = await openStoreForReading({ dataDir });
      // Opens the sealed keys: they are of this database.
      await restored.read.site({ withSecrets: true });
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function readBack(target: OpenTarget, expected: Expected, folder: string, signal: AbortSignal): Promise<string> {
  const { name, bytes, sha256 } = expected;
  await needRoom(folder, 2 * bytes);
  const file = await target.fetched(name, folder, signal);
  const { size } = await stat(file);
  if (size !== bytes || (await sha256Of(file)) !== sha256) throw failed('differs', name, `${size} B`);
  return file;
}

/** Throws TargetFailed if the box's own disk has no room. */
export async function needRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (bytes + leaveBytes > free) {
    throw new TargetFailed(
      targetFailures.say('no_room_for', { needs: megabytes(bytes + leaveBytes), free: megabytes(free) }),
    );
  }
}

async function asDamaged<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof BackupRefused) throw failed('damaged', file, error.reason);
    throw error;
  }
}
