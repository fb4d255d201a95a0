import type { UnixMs } from './clock.ts';

/** Where files are kept that requests read and write. */
export interface FilePlace {
  readonly folder: string;
  /**
   * Short name of this process, unique and the same after a restart, for names of incomplete files;
   * null if no other process writes there.
   */
  readonly process: string | null;
}

const leftMs = 24 * 3600_000;

/**
 * Whether a file that is not complete was left by somebody who ended, and not just written by
 * another process. The clocks of machines and of a file server differ by less than a day.
 */
export const isLeft = ({ process }: FilePlace, { mtimeMs }: { readonly mtimeMs: number }, now: UnixMs): boolean =>
  process === null || now - mtimeMs > leftMs;
