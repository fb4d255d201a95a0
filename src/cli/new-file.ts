import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asCaller } from '../runtime/become-owner.ts';
import { CommandFailed } from './command.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
const readBytes = 1 << 20;

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder: make it first (mkdir -p), or name another',
  ENOTDIR: 'its folder is a file: name another',
  EACCES: 'you may not write there: name a folder where you may, or run this as root',
  EROFS: 'it is read-only: name another folder',
  ENOSPC: 'there is no room: name another disk, or make room',
  EDQUOT: 'there is no room: name another disk, or make room',
};

/** Throws CommandFailed where something has this name already: nothing is ever overwritten. */
export function needNew(file: string): void {
  if (asCaller(() => lstatSync(file, { throwIfNoEntry: false })) !== undefined)
    throw new CommandFailed(`${file}: is there already, and this overwrites nothing: name another file`);
}

/**
 * Writes a new file as whoever ran the command, for its owner's eyes alone. Resolves with its bytes
 * once it is on the disk and was read back equal: what is said of it is so. Throws CommandFailed,
 * and what `pieces` throws; then there is no such file.
 */
export async function writeNewFile(file: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const part = join(dirname(file), `.${basename(file)}.part`);
  const said = <T>(act: () => T): T => {
    try {
      return asCaller(act);
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw new CommandFailed(`${file}: cannot be written: ${remedies[code] ?? message}`);
    }
  };
  said(() => rmSync(part, { force: true }));
  const fd = said(() => openSync(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of pieces) {
      hash.update(piece);
      for (let at = 0; at < piece.length; ) at += said(() => writeSync(fd, piece, at));
      bytes += piece.length;
    }
    said(() => fsyncSync(fd));
    if (hashOf(fd, bytes) !== hash.digest('hex'))
      throw new CommandFailed(`${file}: the disk gave back something else than was written: use another disk`);
    said(() => takeName(part, file));
    return bytes;
  } finally {
    closeSync(fd);
    asCaller(() => rmSync(part, { force: true }));
  }
}

function hashOf(fd: number, bytes: number): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(readBytes);
  for (let at = 0; at < bytes; ) {
    const read = readSync(fd, buffer, 0, readBytes, at);
    if (read === 0) break;
    hash.update(buffer.subarray(0, read));
    at += read;
  }
  return hash.digest('hex');
}

/** Durably. FAT, as on USB sticks, has no hard links. */
function takeName(part: string, file: string): void {
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    needNew(file);
    renameSync(part, file);
  }
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
