import { open } from 'node:fs/promises';
import { PackageFailed, type PackageFault } from './package-failed.ts';

export const failed = (
  fault: PackageFault,
  record: string,
  expected: string | number,
  found: string | number,
  cause?: unknown,
): PackageFailed => new PackageFailed(fault, { record, expected: String(expected), found: String(found) }, cause);

/**
 * A part is kept when the line or the server failed, and removed when it is wrong or fills the
 * disk.
 */
export const isWorthKeeping = (error: unknown): boolean =>
  error instanceof PackageFailed
    ? error.fault === 'interrupted' || error.fault === 'unavailable'
    : (error as NodeJS.ErrnoException).code !== 'ENOSPC';

/** Of the file system, not of a socket. */
export const isOfDisk = (error: unknown): boolean =>
  ['ENOSPC', 'EIO', 'EROFS', 'EDQUOT', 'EACCES', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');

export function onlyMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** A stream must be begun to be ended. */
export async function discard(stream: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of stream) break;
  } catch {
    // The process has already ended, as intended.
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
