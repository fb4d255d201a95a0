import { statfsSync } from 'node:fs';

const folder = '/dev/shm';

/**
 * TMPDIR in memory where it has room for `bytesMin`: stores of tests that start no process are not
 * worth 40 GB of writes to a disk. What a disk does, and a cut of its power, is tested on one.
 */
export function memoryFolder(bytesMin = 2 ** 30): { readonly TMPDIR?: string } {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= bytesMin ? { TMPDIR: folder } : {};
  } catch {
    return {};
  }
}
