import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DatabaseSync as Database, StatementSync } from 'node:sqlite';
import type { Random } from '../../src/runtime/clock.ts';
import { Killed, type Life, type World } from './world.ts';

const require = createRequire(import.meta.url);
/** Node's own, before the simulation takes their place. */
const fs = { ...(require('node:fs') as typeof import('node:fs')) };
const { DatabaseSync } = require('node:sqlite') as typeof import('node:sqlite');

const blockBytes = 4096;
const sectorBytes = 512;
const headBytes = 32;
const frameHeadBytes = 24;
const databaseName = 'gatehouse.db';

/** Remains, after a cut of the power, of the writes that no flush has confirmed. */
export const leftovers = ['none', 'all', 'first ones', 'some sectors'] as const;
export type Leftover = (typeof leftovers)[number];

/** Where in a commit or a checkpoint the power is cut. */
export const cutPlaces = ['before', 'within', 'behind'] as const;
export type CutPlace = (typeof cutPlaces)[number];

/** Frames of the write-ahead log, from the one up to before the other. */
interface Frames {
  readonly from: number;
  readonly to: number;
}

/**
 * The disk of one box. Its files are real and in memory; this class knows which of their bytes a
 * flush has confirmed, by SQLite's own rules: a commit with `synchronous=FULL` flushes the log, a
 * checkpoint flushes the log and then the database file. The whole file system is a folder: a cut
 * of the power makes the next one, from what was flushed and a part of the rest.
 */
export class Disk {
  readonly #world: World;
  readonly #base: string;
  readonly #random: Random;
  #number = 0;
  #open: { abandon(): void }[] = [];
  #salt = '';
  /** Frames of the log that are flushed, from its beginning. */
  #flushed = 0;
  /** Frames that a failed flush has left unwritten, though the kernel takes them for written. */
  #holes: Frames[] = [];
  /** The log as a checkpoint that was cut had it; null: none was. */
  #logAtCut: Buffer | null = null;
  #isSynchronous = true;
  #logHandles = new Set<number>();
  readonly sizeBytes: number;
  /** Bytes of a stranger's files. */
  ballastBytes = 0;
  isFull = false;
  /** How many of the next flushes fail. */
  failingFlushes = 0;
  /** The next flush takes so long. */
  nextFlushMs = 0;
  /** The power is cut at the commit or checkpoint that comes when this is 0. */
  cutIn: { commits: number; readonly place: CutPlace } | null = null;
  onCut: () => void = () => {};
  commits = 0;
  flushes = 0;

  constructor(world: World, base: string, { sizeBytes, random }: { sizeBytes: number; random: Random }) {
    this.#world = world;
    this.#base = base;
    this.#random = random;
    this.sizeBytes = sizeBytes;
    mkdirSync(this.folder, { recursive: true });
  }

  /** The data directory at present. */
  get folder(): string {
    return join(this.#base, String(this.#number));
  }

  opened(database: { abandon(): void }): void {
    this.#open.push(database);
  }

  /** SQLite flushes nothing while it is off. */
  synchronous(on: boolean): void {
    this.#isSynchronous = on;
  }

  /** `act` ends a transaction, `undo` rolls it back. */
  commit<T>(act: () => T, undo: () => void): T {
    this.#look();
    this.commits++;
    const cut = this.#isCutNow();
    if (cut === 'before') this.#cut();
    if (this.isFull) this.#fail(undo, 13, 'database or disk is full');
    if (this.#isSynchronous && this.failingFlushes > 0) {
      this.failingFlushes--;
      this.#holes.push({ from: this.#flushed, to: this.#frames() });
      this.#flushed = this.#frames();
      this.#fail(undo, 1034, 'disk I/O error');
    }
    const value = act();
    this.#look();
    if (cut === 'within') this.#cut();
    if (this.#isSynchronous) this.#flush();
    else this.#world.spend(0.05);
    if (cut === 'behind') this.#cut();
    return value;
  }

  /** `act` moves pages from the log into the database file, which is flushed. */
  checkpoint<T>(act: () => T): T {
    this.#look();
    const cut = this.#isCutNow();
    if (cut === 'before') this.#cut();
    const file = join(this.folder, databaseName);
    const before = cut === 'within' ? fs.readFileSync(file) : null;
    this.#flush();
    // SQLite empties its log, if at all, behind the flush of the database file.
    if (before) this.#logAtCut = this.#leftOf(fs.readFileSync(`${file}-wal`), 'none');
    const value = act();
    if (before) {
      this.#mixed(file, before);
      this.#cut();
    }
    this.#look();
    this.#flush();
    if (cut === 'behind') this.#cut();
    return value;
  }

  /**
   * The power is cut, or (null) only the process is killed, whose writes the kernel still has: what
   * is left is in the folder from now on.
   */
  restart(leftover: Leftover | null): void {
    const before = this.folder;
    this.#look();
    const log = join(before, `${databaseName}-wal`);
    const written = fs.existsSync(log) ? fs.readFileSync(log) : null;
    const left = this.#logAtCut ?? (written && leftover !== null ? this.#leftOf(written, leftover) : written);
    this.#logAtCut = null;
    this.#number++;
    const after = this.folder;
    mkdirSync(after, { recursive: true });
    for (const name of readdirSync(before))
      if (!name.startsWith(`${databaseName}-`) && name !== 'reserve')
        cpSync(join(before, name), join(after, name), { recursive: true });
    if (left) fs.writeFileSync(join(after, `${databaseName}-wal`), left, { mode: 0o600 });
    this.#abandon();
    rmSync(before, { recursive: true, force: true });
    this.#logHandles.clear();
    this.#isSynchronous = true;
    if (leftover === null) return;
    this.#salt = left?.toString('hex', 16, 24) ?? '';
    this.#flushed = Number.MAX_SAFE_INTEGER;
    this.#holes = [];
  }

  remove(): void {
    this.#abandon();
    rmSync(this.#base, { recursive: true, force: true });
  }

  /** Free bytes, as `statfs` says. */
  get freeBytes(): number {
    if (this.isFull) return 0;
    let used = this.ballastBytes;
    for (const name of ['', '-wal'])
      used += fs.statSync(join(this.folder, databaseName + name), { throwIfNoEntry: false })?.size ?? 0;
    return Math.max(0, this.sizeBytes - used);
  }

  /** Writes beside SQLite: the program makes its log whole. */
  openedFile(path: string, handle: number): void {
    if (path.endsWith(`${databaseName}-wal`)) this.#logHandles.add(handle);
  }

  closedFile(handle: number): void {
    this.#logHandles.delete(handle);
  }

  /** Throws where the disk still takes no writes. */
  flushedFile(handle: number): void {
    if (this.failingFlushes > 0) {
      this.failingFlushes--;
      throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    }
    if (!this.#logHandles.has(handle)) return;
    this.#holes = [];
    this.#flush();
  }

  /** Connections of a program that is gone. */
  #abandon(): void {
    for (const database of this.#open.splice(0))
      try {
        database.abandon();
      } catch {
        // Closed already.
      }
  }

  #flush(): void {
    this.flushes++;
    this.#flushed = this.#frames();
    this.#world.spend(this.nextFlushMs + 0.3 + this.#random() * this.#random() * 8);
    this.nextFlushMs = 0;
  }

  #fail(undo: () => void, errcode: number, errstr: string): never {
    undo();
    throw Object.assign(new Error(errstr), { code: 'ERR_SQLITE_ERROR', errcode, errstr });
  }

  #isCutNow(): CutPlace | null {
    if (this.cutIn === null || this.cutIn.commits-- > 0) return null;
    const { place } = this.cutIn;
    this.cutIn = null;
    return place;
  }

  #cut(): never {
    this.onCut();
    throw new Killed();
  }

  /** A log that begins again has another salt, and nothing of it is flushed but its head. */
  #look(): void {
    const salt = this.#head()?.toString('hex', 32, 40);
    if (salt === undefined || salt === this.#salt) return;
    this.#salt = salt;
    this.#flushed = 0;
    this.#holes = [];
  }

  /** Until SQLite has looked at a log that was left, all of it counts. */
  #frames(): number {
    return this.#head()?.readUInt32LE(16) ?? Number.MAX_SAFE_INTEGER;
  }

  /** The head of the index of the log, which SQLite keeps in shared memory. */
  #head(): Buffer | null {
    const path = join(this.folder, `${databaseName}-shm`);
    try {
      const file = fs.openSync(path, 'r');
      try {
        const head = Buffer.alloc(48);
        return fs.readSync(file, head, 0, 48, 0) === 48 ? head : null;
      } finally {
        fs.closeSync(file);
      }
    } catch {
      return null;
    }
  }

  #leftOf(log: Buffer, leftover: Leftover): Buffer {
    if (log.length < headBytes) return log;
    const frameBytes = frameHeadBytes + log.readUInt32BE(8);
    const placeOf = (frame: number) => Math.min(log.length, headBytes + frame * frameBytes);
    for (const { from, to } of this.#holes) log.fill(0, placeOf(from), placeOf(to));
    const flushed = placeOf(this.#flushed);
    const written = placeOf(this.#frames());
    if (leftover === 'none') return log.subarray(0, flushed);
    if (leftover === 'all') return log.subarray(0, written);
    if (leftover === 'first ones')
      return log.subarray(0, flushed + Math.floor((this.#random() * (written - flushed)) / sectorBytes) * sectorBytes);
    for (let at = flushed; at < written; at += sectorBytes)
      if (this.#random() < 0.5) log.fill(0, at, Math.min(written, at + sectorBytes));
    return log.subarray(0, written);
  }

  /** A checkpoint that was cut off has written some of its pages. */
  #mixed(file: string, before: Buffer): void {
    const after = fs.readFileSync(file);
    for (let at = 0; at < before.length; at += sectorBytes)
      if (this.#random() < 0.5) before.copy(after, at, at, Math.min(before.length, at + sectorBytes));
    fs.writeFileSync(file, after);
  }
}

/** A connection to a database, on a disk and of a life; null: of none that is simulated. */
interface Owner {
  readonly disk: Disk | null;
  readonly life: Life | null;
  readonly isStore: boolean;
}

/**
 * Puts SQLite as Node has it on simulated disks. Its class stays, since what was imported of it
 * cannot be replaced; the methods that write and flush are.
 */
function simulateSqlite(disk: (path: string) => Disk | null, life: () => Life | null): void {
  const { exec, prepare, close } = DatabaseSync.prototype;
  const owners = new WeakMap<Database, Owner>();
  const ownerOf = (database: Database): Owner => {
    let owner = owners.get(database);
    if (!owner) {
      const path = database.location() ?? '';
      owner = { disk: disk(path), life: life(), isStore: path.endsWith(databaseName) };
      owners.set(database, owner);
      owner.disk?.opened({ abandon: () => close.call(database) });
    }
    if (owner.life?.isDead) throw new Killed();
    return owner;
  };
  Object.assign(DatabaseSync.prototype, {
    exec(this: Database, text: string): void {
      const { disk: on, isStore } = ownerOf(this);
      const act = () => exec.call(this, text);
      if (on && isStore && text === 'COMMIT') {
        on.commit(act, () => exec.call(this, 'ROLLBACK'));
        return;
      }
      if (isStore && text.startsWith('PRAGMA synchronous')) on?.synchronous(text.endsWith('FULL'));
      act();
    },
    prepare(this: Database, text: string): StatementSync {
      const { disk: on, isStore } = ownerOf(this);
      const statement = prepare.call(this, text);
      if (!on || !isStore || !/wal_checkpoint\((PASSIVE|TRUNCATE)\)/.test(text)) return statement;
      const get = statement.get.bind(statement) as () => ReturnType<StatementSync['get']>;
      statement.get = () => on.checkpoint(get);
      return statement;
    },
    close(this: Database): void {
      ownerOf(this);
      close.call(this);
    },
  });
}

/** Functions of `node:fs` that a program asks its disk with. */
export function simulatedFiles(disk: (path: string) => Disk | null, life: () => Life | null) {
  simulateSqlite(disk, life);
  const handles = new Map<number, Disk>();
  return {
    statfsSync(path: string, ...others: never[]) {
      const found = disk(path);
      if (!found) return fs.statfsSync(path, ...others);
      const blocks = found.sizeBytes / blockBytes;
      const free = Math.floor(found.freeBytes / blockBytes);
      return { type: 0, bsize: blockBytes, blocks, bfree: free, bavail: free, files: 1e6, ffree: 9e5 };
    },
    openSync(path: string, ...others: never[]) {
      const handle = fs.openSync(path, ...(others as unknown as [number]));
      const found = disk(String(path));
      if (found) {
        handles.set(handle, found);
        found.openedFile(String(path), handle);
      }
      return handle;
    },
    closeSync(handle: number) {
      handles.get(handle)?.closedFile(handle);
      handles.delete(handle);
      fs.closeSync(handle);
    },
    fdatasyncSync(handle: number) {
      handles.get(handle)?.flushedFile(handle);
    },
    fsyncSync(handle: number) {
      handles.get(handle)?.flushedFile(handle);
    },
  };
}
