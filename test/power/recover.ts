import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isBtrfs, mountAny } from './btrfs.ts';
import { CommandFailed, sh } from './sh.ts';

export interface Recovered extends AsyncDisposable {
  /** The folder at the root of the file system, in the place of `/data`. */
  readonly folder: string;
}

/** The file system could not be brought back. */
export class Unrecoverable extends Error {}

/**
 * Checks and repairs a file system as the images do before they mount it (`fsck.repair=yes`). Btrfs
 * needs no repair after a cut, only its kernel: it is checked.
 */
export async function repair(image: string): Promise<void> {
  if (isBtrfs(image)) return checkBtrfs(image);
  try {
    await sh('e2fsck', '-y', image);
  } catch (error) {
    // 1: repaired; 2: repaired, start again. Of a data partition both are well.
    if (error instanceof CommandFailed && (error.status === 1 || error.status === 2)) return;
    throw new Unrecoverable(String(error));
  }
}

async function checkBtrfs(image: string): Promise<void> {
  await sh('btrfs', 'check', '--readonly', image).catch(error => {
    throw new Unrecoverable(String(error));
  });
}

/**
 * Brings a cut file system back, and copies the folder `data` out of it; nothing of a damaged
 * ext4 gets to the kernel of this machine.
 */
export async function recoverByRepair(image: string, into: string): Promise<Recovered> {
  await repair(image);
  if (isBtrfs(image)) return recoverByMount(image);
  await mkdir(into, { recursive: true });
  // It says on stderr what it could not read, and ends with 0.
  await sh('debugfs', '-R', `rdump /data ${into}`, image);
  if (!existsSync(join(into, 'data'))) await mkdir(join(into, 'data'));
  return { folder: into, [Symbol.asyncDispose]: () => rm(into, { recursive: true, force: true }) };
}

/** The kernel recovers it, as where nothing checks it before. */
export async function recoverByMount(image: string): Promise<Recovered> {
  try {
    return await mountAny(image);
  } catch (error) {
    throw new Unrecoverable(String(error));
  }
}
