import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { hasTool } from '../support/tools.ts';
import { imageMountOptions, type Mounted, mountExt4, mountFile } from './ext4.ts';
import { sh } from './sh.ts';

/** File systems that power is cut on: those of the images, and of many a NAS. */
export const fileSystems = ['ext4', 'btrfs'] as const;
export type FileSystem = (typeof fileSystems)[number];

/** Below some 110 MB, mkfs.btrfs makes only a form that no NAS has. */
const megabytesMin = 128;

/** Makes a file with a btrfs as mkfs.btrfs makes it: its metadata is there twice, so the file is twice as large. */
export async function makeBtrfs(file: string, megabytes: number): Promise<void> {
  await writeFile(file, '');
  await truncate(file, Math.max(megabytesMin, 2 * megabytes) << 20);
  await sh('mkfs.btrfs', '--quiet', '--force', '--nodiscard', '--label', 'data', file);
}

/** Mounts a file or a device with whichever of them is on it. */
export async function mountAny(file: string): Promise<Mounted> {
  if (!isBtrfs(file)) return mountExt4(file, imageMountOptions);
  // The kernel remembers each file system by its id, and refuses an older state of it.
  await sh('btrfs', 'device', 'scan', '--forget');
  return mountFile(file, 'btrfs', 'loop,noatime,nodiscard');
}

export function isBtrfs(file: string): boolean {
  const magic = Buffer.alloc(8);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, magic, 0, magic.length, 0x1_0040);
  } finally {
    closeSync(handle);
  }
  return magic.toString('latin1') === '_BHRfS_M';
}

/** For `suiteWhere`. */
export const btrfs = {
  possible: hasTool('mkfs.btrfs') && readFileSync('/proc/filesystems', 'latin1').includes('\tbtrfs'),
  needs: 'needs btrfs in the kernel, and btrfs-progs: modprobe btrfs, apt-get install btrfs-progs',
};
