import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { UnixMs } from '../runtime/clock.ts';
import { type HealthStore, unreadableReport } from './condition.ts';
import { isResetAsked } from './data-dir/reset.ts';
import { isRestoreUnfinished } from './data-dir/staged-restore.ts';
import type { ReadPart } from './domain.ts';
import { diskBytes, type RoomReport, roomReport } from './domains/room.ts';
import { SegmentReader } from './journal/segment-reader.ts';
import type { DirectoryStore } from './port/directory.ts';
import { regionOfOne, type SharedStore } from './port/region.ts';
import type { StoreReader } from './port/store.ts';
import { explain, readMeta, refuseNewer, StoreOpenError } from './prepare.ts';
import { LiveDirectory } from './readers/directory.ts';
import { storeReader } from './readers/reader.ts';
import { type Connection, databaseFile, openReadOnly } from './schema/database.ts';
import { schemaVersion, versionOf } from './schema/migrate.ts';
import { readSealKey } from './schema/sealing.ts';

const lacks =
  'the store is of an older Gatehouse and does not have this yet: start the box once with `gatehouse serve`, which brings it up to date';

/**
 * The connection to a store that may be of an older program. Only the owner of a store may migrate
 * it, so a reader cannot: a statement that names something the store does not have yet throws the
 * error that `refused` makes from the reason and the remedy.
 */
function explainingOlder(connection: Connection, refused: (why: string) => Error): Connection {
  if (versionOf(connection.database) >= schemaVersion) return connection;
  const sql = (text: string) => {
    try {
      return connection.sql(text);
    } catch {
      throw refused(lacks);
    }
  };
  return Object.create(connection, { sql: { value: sql } }) as Connection;
}

/** The same for reads, whose statements the query builder makes. */
function explainingOlderReads(
  reads: StoreReader,
  { database }: Connection,
  refused: (why: string) => Error,
): StoreReader {
  if (versionOf(database) >= schemaVersion) return reads;
  const explained = (error: unknown) => {
    throw explanationOf(error, refused);
  };
  const all = Object.entries(reads).map(([name, read]) => [
    name,
    (...args: never[]) => {
      const found: unknown = (read as (...args: never[]) => unknown)(...args);
      return found instanceof Promise ? found.catch(explained) : found;
    },
  ]);
  return Object.fromEntries(all) as StoreReader;
}

/** The same for what is read when the store is opened. */
function explainingOlderRead<T>(read: () => T, refused: (why: string) => Error): T {
  try {
    return read();
  } catch (error) {
    throw explanationOf(error, refused);
  }
}

const explanationOf = (error: unknown, refused: (why: string) => Error): unknown =>
  isMissing(error) ? refused(lacks) : error;

const isMissing = (error: unknown): boolean => {
  const { message, cause } = error as Error & { cause?: Error };
  return /no such (table|column)/.test(`${message} ${cause?.message ?? ''}`);
};

/** The reads of a command on the store of a stopped box. */
interface StoppedStore extends ReadPart<StoreReader>, DirectoryStore, HealthStore, SharedStore, AsyncDisposable {
  readonly epoch: string;
  readonly environment: string;
  /** As of `now`, since a stopped store has no clock. */
  room(now: UnixMs): RoomReport;
}

/** Opens a store to read it, without owning it. Throws StoreOpenError when there is none. */
export async function openStoreForReading(options: { readonly dataDir: string }): Promise<StoppedStore> {
  const dataDir = resolve(options.dataDir);
  if (isResetAsked(dataDir))
    throw new StoreOpenError(`${dataDir}: a reset was interrupted: start the box, which finishes it`);
  if (isRestoreUnfinished(dataDir))
    throw new StoreOpenError(
      `${dataDir}: a restore was interrupted: start the box, which finishes it, or repeat \`gatehouse restore FILE\``,
    );
  if (!existsSync(databaseFile(dataDir)))
    throw new StoreOpenError(
      `${dataDir}: no store here: start the box once with \`gatehouse serve\`, or name its --data-dir`,
    );
  return explain(dataDir, () => {
    using parts = new DisposableStack();
    const opened = openReadOnly(dataDir, readSealKey(dataDir, false));
    parts.defer(() => opened.database.close());
    refuseNewer(opened.database, dataDir);
    const refused = (why: string) => new StoreOpenError(`${dataDir}: ${why}`);
    const connection = explainingOlder(opened, refused);
    const directory = explainingOlderRead(() => new LiveDirectory(connection), refused);
    const meta = readMeta(connection.database);
    const last = connection.sql('SELECT coalesce(max(first_seq + count - 1), 0) AS seq FROM segment').get() as {
      seq: number;
    };
    const cursor = connection.sql('SELECT seq FROM projection_cursor').get() as { seq: number };
    const dropped = connection.sql('SELECT reason, count FROM dropped').all() as { reason: string; count: number }[];
    // The config of the box is not known here: a box that has forwarded something has a cloud.
    const hasCloud = [...directory.devices()].some(({ forwarded }) => Math.max(forwarded.device, forwarded.log) > 0);
    const damaged = new Set<number>();
    const reads = storeReader(connection, new SegmentReader(connection), directory, hasCloud, one => damaged.add(one));
    const read = explainingOlderReads(reads, opened, refused);
    const held = parts.move();
    return {
      read,
      directory,
      shared: regionOfOne().shared,
      epoch: meta.get('epoch') ?? '',
      environment: meta.get('environment') ?? '',
      healthState: () => 'ok',
      health: () => ({
        state: 'ok',
        why: '',
        isDead: false,
        ...diskBytes(dataDir),
        lagRecords: Math.max(0, last.seq - cursor.seq),
        lagMs: 0,
        heldBack: false,
        dropped: Object.fromEntries(dropped.map(row => [row.reason, row.count])),
        unreadable: unreadableReport(opened, {
          ranges: opened.unreadable.all(),
          logBlocks: damaged.size,
          tables: '',
        }),
        isUnwritable: false,
      }),
      room: now => roomReport(connection, dataDir, now),
      [Symbol.asyncDispose]: async () => held.dispose(),
    };
  });
}
