import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnixMs } from '../runtime/clock.ts';
import { updateRefusals } from '../words/updates.ts';
import { UpdateRefused } from './port.ts';

/** Backups from before updates: the two newest stay. */
const kept = 2;
/** Disk space that a backup leaves free. */
const leaveBytes = 96 << 20;
/** The copy of the database, and the whole file made of it. */
const copies = 2;

const folderOf = (dataDir: string): string => join(dataDir, 'before-update');

/** Throws UpdateRefused where the disk lacks the room. */
export async function backUp(
  dataDir: string,
  about: { readonly version: string; readonly now: UnixMs; readonly storeBytes: number },
  write: (file: string) => Promise<unknown>,
): Promise<string> {
  const folder = folderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await clear(folder, kept);
  const { bavail, bsize } = await statfs(folder);
  const needed = about.storeBytes * copies + leaveBytes;
  if (needed > bavail * bsize)
    throw new UpdateRefused(
      'no_room',
      updateRefusals.say('update_no_room_for_backup', {
        ...{ needed: megabytes(needed), free: megabytes(bavail * bsize), folder },
      }),
    );
  const moment = new Date(about.now).toISOString().slice(0, 19).replaceAll(':', '-');
  const file = join(folder, `${moment}-${about.version}.gh`);
  await write(file);
  await clear(folder, kept);
  return file;
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/**
 * Removes leftovers of a power cut, and all but the newest backups, whose names begin with their
 * time.
 */
async function clear(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).sort();
  const backups = names.filter(name => name.endsWith('.gh'));
  const leftovers = names.filter(name => name.startsWith('.gatehouse-backup-'));
  for (const name of [...leftovers, ...backups.slice(0, Math.max(0, backups.length - keep))])
    await rm(join(folder, name), { recursive: true, force: true });
}
