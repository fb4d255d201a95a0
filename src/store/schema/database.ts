import { statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { drizzle, type NodeSQLiteDatabase } from 'drizzle-orm/node-sqlite';
import { UnreadablePlaces } from '../journal/unreadable-places.ts';
import { EngineError, type EngineFailure, resultCode, resultCodeOf } from './engine-failures.ts';
import { type Seal, sealWith } from './sealing.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

export const databaseFile = (dataDir: string): string => join(dataDir, 'gatehouse.db');

/**
 * Contents of a transaction: records alone, whatever an operation does, or the tables behind the
 * journal. Where several processes write, the first waits for the end of the journal alone.
 */
export type Writes = 'records' | 'operations' | 'tables';

/**
 * A connection with its prepared statements and the seal of the store, which every operation and
 * reader gets.
 */
export interface Connection {
  readonly database: DatabaseSync;
  readonly seal: Seal;
  /** Prepares once: for what runs for each record. */
  sql(text: string): StatementSync;
  /**
   * Runs a statement whose answer nobody needs, inside a transaction: an engine that is asked over
   * a connection sends it with the next one, in the same order. What it throws is thrown by that
   * one, at the latest by the commit.
   */
  later(text: string, ...values: SQLInputValue[]): void;
  /** The first row of the same statement for each list of values, in their order. */
  each(text: string, lists: readonly (readonly SQLInputValue[])[]): readonly (object | undefined)[];
  /** How many rows the same statement changed with each list of values, in their order. */
  changes(text: string, lists: readonly (readonly SQLInputValue[])[]): readonly number[];
  /** The query builder, for what people ask. */
  readonly orm: NodeSQLiteDatabase;
  /** Where it found the journal unreadable. */
  readonly unreadable: UnreadablePlaces;
  readonly log: Pick<WriteAheadLog, keyof WriteAheadLog>;
  /** Begins a transaction that writes, and waits until it may. */
  begin(writes: Writes): void;
  /** Whether a commit waits until it is on disk. It does, unless it was told otherwise. */
  syncCommits(on: boolean): void;
  /**
   * Runs `act` so that what it deletes or replaces is overwritten with zeros in the file. Costs a
   * write for each freed page.
   */
  overwriting<T>(act: () => T): T;
}

/** Connection of any engine. */
export function connectionTo(
  database: DatabaseSync,
  seal: Seal,
  engine: Pick<Connection, 'log' | 'begin' | 'syncCommits' | 'overwriting'> &
    Partial<Pick<Connection, 'later' | 'each' | 'changes'>>,
): Connection {
  const prepared = new Map<string, StatementSync>();
  let orm: NodeSQLiteDatabase | undefined;
  const sql = (text: string): StatementSync => {
    let statement = prepared.get(text);
    if (!statement) {
      statement = database.prepare(text);
      prepared.set(text, statement);
    }
    return statement;
  };
  return {
    later(text, ...values) {
      sql(text).run(...values);
    },
    each(text, lists) {
      const statement = sql(text);
      return lists.map(values => statement.get(...values));
    },
    changes(text, lists) {
      const statement = sql(text);
      return lists.map(values => Number(statement.run(...values).changes));
    },
    ...engine,
    database,
    get orm() {
      orm ??= drizzle({ client: database });
      return orm;
    },
    seal,
    unreadable: new UnreadablePlaces(),
    sql,
  };
}

function connection(database: DatabaseSync, dataDir: string, sealKey: Uint8Array): Connection {
  return connectionTo(database, sealWith(sealKey), {
    log: new WriteAheadLog(databaseFile(dataDir)),
    begin: () => database.exec('BEGIN IMMEDIATE'),
    syncCommits: on => database.exec(`PRAGMA synchronous = ${on ? 'FULL' : 'NORMAL'}`),
    overwriting(act) {
      database.exec('PRAGMA secure_delete = ON');
      try {
        return act();
      } finally {
        database.exec('PRAGMA secure_delete = OFF');
      }
    },
  });
}

/** How long a statement waits for a lock. */
export const timeoutMs = 5000;

/**
 * The one connection that writes. WAL with `synchronous=FULL`: a commit that returns is on disk.
 * The log keeps its size and is reused, so that it is already allocated when the disk is full; its
 * size depends on that of the file system. The schema has no foreign keys: what belongs together is
 * written together, by this connection alone.
 */
export function openForWriting(dataDir: string, sealKey: Uint8Array): Connection {
  const database = new DatabaseSync(databaseFile(dataDir), { timeout: timeoutMs, enableForeignKeyConstraints: false });
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec(`PRAGMA wal_autocheckpoint = ${walPages(database, dataDir)}`);
  database.exec('PRAGMA cache_size = -8192');
  database.exec('PRAGMA temp_store = MEMORY');
  return connection(database, dataDir, sealKey);
}

/** How long its write-ahead log becomes before a commit makes a checkpoint, in pages. */
export const checkpointPages = ({ sql }: Connection): number =>
  (sql('PRAGMA wal_autocheckpoint').get() as { wal_autocheckpoint: number }).wal_autocheckpoint;

export function openReadOnly(dataDir: string, sealKey: Uint8Array): Connection {
  const database = new DatabaseSync(databaseFile(dataDir), { readOnly: true, timeout: timeoutMs });
  database.exec('PRAGMA cache_size = -4096');
  return connection(database, dataDir, sealKey);
}

/**
 * Of a store that is made now; an older one keeps its 4 KiB. A lone commit writes a fifth less: a
 * frame of the write-ahead log touches two pages of the file system, and both are written at each
 * sync.
 */
export const pageBytes = 2048;
/**
 * A checkpoint stops the writer: with 16 MiB the slowest of a hundred acknowledgements waited
 * 27 ms, with 4 it waits 15.
 */
const walBytesMax = 4_096_000;
const walBytesMin = 256 << 10;

function walPages(database: DatabaseSync, dataDir: string): number {
  const { blocks, bsize } = statfsSync(dirname(databaseFile(dataDir)));
  const { page_size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  return Math.floor(Math.max(walBytesMin, Math.min(walBytesMax, (blocks * bsize) / 32)) / page_size);
}

/** Meaning of a failed statement for the store; null if the program is at fault. */
export function failureOf(error: unknown): EngineFailure | null {
  // The query builder wraps what SQLite throws.
  const thrown = error instanceof DrizzleQueryError ? error.cause : error;
  if (thrown instanceof EngineError) return thrown.failure;
  const code = (thrown as { readonly code?: string } | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'disk_full';
  if (code === 'EROFS') return 'read_only';
  if (code === 'EIO') return 'broken';
  switch (resultCodeOf(thrown)) {
    case resultCode.full:
      return 'disk_full';
    case resultCode.readOnly:
      return 'read_only';
    case resultCode.ioError:
    case resultCode.corrupt:
    case resultCode.cannotOpen:
    case resultCode.notADatabase:
      return 'broken';
    default:
      return null;
  }
}
