import { link, lstat, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { syncPath } from '../../runtime/sync-path.ts';
import { BackupRefused } from './backup-archive.ts';

/** Backups that are requested by name, over the network, are written here. */
const backupFolder = 'backups';

/**
 * The only folders of the data directory that may hold a backup. The last ones hold working files
 * of downloads.
 */
const allowedInside = /^(backups|before-update|\.transfer-[\w-]+)$/;

/**
 * A file name without a path, a leading dot or anything that a shell or a page would have to quote.
 */
export const isBackupName = (text: string): boolean => /^[0-9A-Za-z][\w.-]{0,99}$/.test(text);

/**
 * The path of that name in the backup folder, which is created. Throws BackupRefused if it is not a
 * valid name.
 */
export async function namedTarget(dataDir: string, name: string): Promise<string> {
  if (!isBackupName(name))
    throw new BackupRefused(
      name,
      'bad_place',
      'is no name for a backup: write letters, digits, dots and hyphens, at most 100, without a path',
    );
  await mkdir(join(dataDir, backupFolder), { recursive: true, mode: 0o700 });
  return join(dataDir, backupFolder, name);
}

/**
 * The path that a backup is written to, with the links of its folder resolved. Throws BackupRefused
 * if the folder does not exist, if it is in the data directory outside of the folders for backups,
 * or if the name is taken: nothing is ever overwritten.
 */
export async function backupTarget(dataDir: string, file: string): Promise<string> {
  const folder = await realpath(dirname(file)).catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'ENOENT' || error.code === 'ENOTDIR'
        ? `there is no folder ${dirname(file)}: make it first (mkdir -p), or name another`
        : `the folder ${dirname(file)} cannot be used (${error.code}): choose one that the user of the box may write to`;
    throw new BackupRefused(file, 'no_folder', why);
  });
  const inside = relative(await realpath(dataDir), folder);
  if (inside !== '..' && !inside.startsWith(`..${sep}`) && !allowedInside.test(inside))
    throw new BackupRefused(
      file,
      'bad_place',
      `lies in the data directory ${dataDir}, which is the box's own: name a file elsewhere`,
    );
  const target = join(folder, basename(file));
  if (await lstat(target).catch(() => null)) throw taken(file);
  return target;
}

/** Gives a written file its name, durably. Throws BackupRefused if the name was taken meanwhile. */
export async function moveInto(written: string, target: string): Promise<void> {
  try {
    await link(written, target);
    await rm(written);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken(target);
    // FAT, as on USB sticks, has no hard links.
    if (await lstat(target).catch(() => null)) throw taken(target);
    await rename(written, target);
  }
  syncPath(dirname(target));
}

const taken = (file: string): BackupRefused =>
  new BackupRefused(
    file,
    'exists',
    'is there already, and a backup overwrites nothing: name another file, or move that one away',
  );
