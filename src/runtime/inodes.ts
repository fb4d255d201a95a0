import type { StatsFs } from 'node:fs';

/** How many files a file system can hold, and how many more it can take. */
export interface Inodes {
  readonly size: number;
  readonly free: number;
}

const lowShare = 0.1;

/** Inodes; null if the file system does not count them, such as btrfs, which reports 0 of 0. */
export const inodesOf = ({ files, ffree }: Pick<StatsFs, 'files' | 'ffree'>): Inodes | null =>
  files > 0 ? { size: files, free: ffree } : null;

/** A tenth or less is left. */
export const areInodesLow = (inodes: Inodes | null): inodes is Inodes =>
  inodes !== null && inodes.free <= inodes.size * lowShare;
