import { statfsSync, statSync } from 'node:fs';
import { databaseFile } from './schema/database.ts';

/** What the store takes of its disk, and what is free there. */
export function diskBytes(dataDir: string): { usedBytes: number; freeBytes: number } {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const file = databaseFile(dataDir);
  const { bavail, bsize } = statfsSync(dataDir);
  return { usedBytes: sizeOf(file) + sizeOf(`${file}-wal`), freeBytes: bavail * bsize };
}
