import { constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncPath } from '../../runtime/sync-path.ts';
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

/** A box's store cannot be moved; the message says what is wrong and what to do. */
export class MoveRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MoveRefused';
  }
}

/**
 * The file in a data directory which says that its store was moved to a database: two with one
 * identity must not serve and forward. Written just before the database may be used.
 */
const markName = 'moved-to-database';

export interface MovedStore {
  /** Of this move; the database has it too. */
  readonly id: string;
  /** Of the store that was moved: after a restore it is another one. */
  readonly epoch: string;
  readonly at: number;
  /** In words, without what it takes to log in. */
  readonly database: string;
}

/** Mark of a moved store; null if it was not moved. A damaged mark counts. */
export function movedStore(dataDir: string): MovedStore | null {
  const file = join(dataDir, markName);
  if (!existsSync(file)) return null;
  const unknown = { id: '', epoch: '', at: 0, database: 'a database' };
  try {
    return { ...unknown, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<MovedStore>) };
  } catch {
    return unknown;
  }
}

/** On disk when it returns; by the owner of the directory. */
export function markMoved(dataDir: string, moved: MovedStore): void {
  const file = join(dataDir, markName);
  writeFileSync(`${file}.part`, `${JSON.stringify(moved)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.part`, file);
  syncPath(dataDir);
}

/** Lets a box start again whose store was moved. Null: it was not. Throws Owned. */
export function takeBackMoved(dataDir: string): MovedStore | null {
  const moved = movedStore(dataDir);
  if (!moved) return null;
  using _owner = own(dataDir);
  rmSync(join(dataDir, markName), { force: true });
  syncPath(dataDir);
  return moved;
}

/** Throws MoveRefused where the store was moved. */
export function refuseMoved(dataDir: string): void {
  const moved = movedStore(dataDir);
  if (moved) throw new MoveRefused(movedWords(dataDir, moved));
}

export const movedWords = (dataDir: string, { at, database }: MovedStore): string =>
  `${dataDir}: this store was moved to ${database}${at === 0 ? '' : ` on ${new Date(at).toISOString().slice(0, 10)}`}: start the region there (\`store:\` in the config). If the region is not to run, \`gatehouse migrate --take-back\` lets this box start again`;
