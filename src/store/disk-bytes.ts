import { statfsSync, statSync } from 'node:fs';
import { databaseFile } from './schema/database.ts';

/** The disk space that the store uses, and the free space. */
export function diskBytes(dataDir: string): { usedBytes: number; freeBytes: number } {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const file = databaseFile(dataDir);
  const { bavail, bsize } = statfsSync(dataDir);
  return { usedBytes: sizeOf(file) + sizeOf(`${file}-wal`), freeBytes: bavail * bsize };
}
