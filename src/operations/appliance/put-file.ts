import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Replaces a file atomically: after a power cut at any moment it has the old content or the new
 * one, on FAT possibly none. On disk when this returns. Throws the error of the file system.
 * `owner` null: the current user (a file system without owners, or no root).
 */
export function putFile(
  file: string,
  content: string | Uint8Array,
  { mode, owner }: { readonly mode: number; readonly owner: FileOwner | null },
): void {
  const temporary = join(dirname(file), `.${basename(file)}.new`);
  // Left behind by a power cut; never written into, because it may be another user's link.
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', mode);
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    if (owner) fchownSync(handle, owner.uid, owner.gid);
    fchmodSync(handle, mode);
    fsyncSync(handle);
    renameSync(temporary, file);
    // FAT keeps size and place of a file beside its name, and the new name has neither until then.
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolder(dirname(file));
}

/** Gone from the disk when this returns; no failure where it is not there. */
export function removeFile(file: string): void {
  rmSync(file, { force: true });
  syncFolder(dirname(file));
}

/**
 * Makes the folder, and those above it, where they are missing; one that is there is left as it is.
 */
export function makeFolder(
  folder: string,
  { mode, owner }: { readonly mode: number; readonly owner: FileOwner | null },
): void {
  const first = mkdirSync(folder, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    // The umask applies to files without a mode of their own.
    chmodSync(made, mode);
    if (owner) chownSync(made, owner.uid, owner.gid);
    syncFolder(dirname(made));
    if (made === first) return;
  }
}

/** A name is on disk only when its folder is. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
