import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ActionSettings } from '../platform/actions.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { assemble } from './assemble.ts';
import { type HealthStore, headOf, unreadableReport } from './condition.ts';
import { clearLeftWork, writeBackup } from './data-dir/backup.ts';
import { own, refuseMoved } from './data-dir/ownership.ts';
import { finishReset, isResetAsked } from './data-dir/reset.ts';
import { finishRestore, isRestoreUnfinished } from './data-dir/restore.ts';
import type { ReadPart } from './domain.ts';
import { pageSettings, siteChoice } from './domains/kept-values.ts';
import { diskBytes, type RoomReport, roomReport } from './domains/room.ts';
import { type LagBound, lagBound } from './journal/lag.ts';
import { SegmentReader } from './journal/segment-reader.ts';
import type { DirectoryStore } from './port/directory.ts';
import { regionOfOne, type SharedStore } from './port/region.ts';
import type { Store, StoreReader } from './port/store.ts';
import {
  explain,
  explained,
  makeFolder,
  prepare,
  readMeta,
  refuseNewer,
  refuseUnfit,
  StoreOpenError,
} from './prepare.ts';
import { LiveDirectory, readDirectory } from './readers/directory.ts';
import { storeReader } from './readers/reader.ts';
import { ReaderThread } from './readers/thread-proxy.ts';
import { type Connection, databaseFile, openReadOnly } from './schema/database.ts';
import { schemaVersion, versionOf } from './schema/migrate.ts';
import { readSealKey } from './schema/sealing.ts';
import { WriterProxy } from './writer/proxy.ts';
import { processWrittenBytes, type WrittenBytes } from './writer/wear.ts';

export interface StoreOptions {
  readonly dataDir: string;
  /** `postgresql://…` of the database that it stands on, a secret; absent: SQLite, in `dataDir`. */
  readonly url?: string | undefined;
  /** The same with the role that makes and changes the tables; absent: that of `url` does. */
  readonly ownerUrl?: string | undefined;
  /** Where the processes of a region keep files in common; absent: each has its own. */
  readonly files?: string | undefined;
  readonly environment: 'test' | 'production';
  /** The site's time zone: the day of the log counters. One that was chosen on a page wins. */
  readonly timeZone: string;
  /** The config says the time zone: what was chosen does not count. */
  readonly isTimeZoneFixed?: boolean;
  readonly actions: ActionSettings;
  /** A cloud is configured: what it has not confirmed is kept. */
  readonly upstream: boolean;
  /** The same with the keys of the config that were set on pages; absent: they do not count. */
  readonly upstreamWith?: (set: Readonly<Record<string, string>>) => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Replaces the default: for tests. */
  readonly lagBound?: LagBound;
  /** Replaces the default: for tests. */
  readonly tablesRestMs?: number;
  readonly writtenBytes?: WrittenBytes;
}

/** How long the tables behind the journal rest while nobody asks for them. */
const restMs = 60_000;
/** Opens the store of a data directory; creates or migrates it if needed. Throws StoreOpenError. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url } = options;
  if (url === undefined) return openOnSqlite(options);
  // Only a region loads what it takes to stand on PostgreSQL.
  const { openPostgresStore } = await import('./postgres/open.ts');
  return openPostgresStore({ ...options, url });
}

async function openOnSqlite(options: StoreOptions): Promise<Store> {
  const dataDir = resolve(options.dataDir);
  makeFolder(dataDir);
  refuseUnfit(dataDir, options.environment);
  await using parts = new AsyncDisposableStack();
  parts.use(explain(dataDir, () => own(dataDir)));
  refuseMoved(dataDir);
  explain(dataDir, () => clearLeftWork(dataDir, options.log));
  explain(dataDir, () => finishReset(dataDir));
  explain(dataDir, () => finishRestore(dataDir));
  const existed = existsSync(databaseFile(dataDir));
  const sealKey = explain(dataDir, () => readSealKey(dataDir, !existed));
  const epoch = explain(dataDir, () => prepare(dataDir, options.environment));
  const connection = parts.adopt(openReadOnly(dataDir, sealKey), ({ database }) => database.close());
  // Before the writer starts: with a wrong key it would take every segment for damaged and skip it.
  const directory = explain(dataDir, () => new LiveDirectory(readDirectory(connection)));
  const { actions } = options;
  const set = explain(dataDir, () => pageSettings(connection));
  const upstream = options.upstreamWith?.(set) ?? options.upstream;
  const chosen = options.isTimeZoneFixed ? undefined : explain(dataDir, () => siteChoice(connection)).timezone;
  const timeZone = chosen ?? options.timeZone;
  const bound = options.lagBound ?? lagBound;
  const writer = await WriterProxy.start({
    dataDir,
    sealKey,
    actions,
    timeZone,
    upstream,
    lagBound: bound,
    tablesRestMs: options.tablesRestMs ?? restMs,
  }).catch(error => {
    throw explained(dataDir, error);
  });
  parts.defer(() => writer.close());
  const damagedBlocks = new Set<number>();
  const onDamagedBlock = (firstSeq: number) => void damagedBlocks.add(firstSeq);
  const readerAddress = { dataDir, sealKey, hasCloud: upstream };
  const reader = new ReaderThread(readerAddress, options.clock, onDamagedBlock);
  parts.defer(() => reader.close());
  const segments = new SegmentReader(connection);
  const readHere = storeReader(connection, segments, directory, upstream, onDamagedBlock);
  const { clock, log, environment } = options;
  const store = assemble(
    {
      ...{ segments, directory, writer, epoch, damagedBlocks, readHere, readerAddress },
      reloadDirectory: () => directory.replace(readDirectory(connection)),
      unreadable: connection.unreadable,
      headOf: firstSeq => headOf(connection, firstSeq),
      read: { ...readHere, ...reader.reads },
      writtenBytes: options.writtenBytes ?? processWrittenBytes,
      lagBound: bound,
      diskBytes: () => diskBytes(dataDir),
      room: () => roomReport(connection, dataDir, clock.now()),
      databaseWarnings: () => [],
      lost: new Promise(() => {}),
      backup: request => writeBackup(dataDir, request, { createdAt: clock.now(), environment }),
    },
    { clock, log },
  );
  parts.use(store.audit);
  // Last of all: a failure before this releases the directory.
  const held = parts.move();
  return { ...store, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

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
    const directory = explainingOlderRead(() => new LiveDirectory(readDirectory(connection)), refused);
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
        unreadable: unreadableReport(firstSeq => headOf(opened, firstSeq), {
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
