import { constants, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { resultCode, resultCodeOf } from '../schema/engine-failures.ts';

/** Another process owns the data directory. */
export class Owned extends Error {
  readonly pid: string;
  constructor(dataDir: string, pid: string) {
    super(
      `${dataDir}: in use by process ${pid || 'unknown'}: stop that one first, or give this one a data directory of its own`,
    );
    this.name = 'Owned';
    this.pid = pid;
  }
}

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
/** No link is followed: whoever may write into the directory chooses no other file. */
const written = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

/**
 * One process owns a data directory (CONTRACT 7). The lock is a kernel lock, taken through SQLite
 * on a file of its own, so that it disappears with the process; the pid beside it is only for
 * messages.
 */
export function own(dataDir: string): Disposable {
  const pidFile = join(dataDir, 'owner.pid');
  const lock = new DatabaseSync(join(dataDir, 'owner.lock'), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (resultCodeOf(error) === resultCode.busy) throw new Owned(dataDir, ownerOf(dataDir));
    throw error;
  }
  try {
    writeFileSync(pidFile, String(process.pid), { mode: 0o644, flag: written as never });
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    [Symbol.dispose]() {
      // While the lock is still held: later the file may name the next owner.
      try {
        writeFileSync(pidFile, '', { flag: written as never });
      } finally {
        lock.close();
      }
    },
  };
}

/** The pid that the owner stored; empty if there is none. */
export function ownerOf(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, 'owner.pid'), 'utf8').trim();
  } catch {
    return '';
  }
}
