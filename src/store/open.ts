import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ActionSettings } from '../platform/actions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { assemble } from './assemble.ts';
import { clearLeftWork, writeBackup } from './data-dir/backup.ts';
import { own, refuseMoved } from './data-dir/ownership.ts';
import { finishReset } from './data-dir/reset.ts';
import { finishRestore } from './data-dir/staged-restore.ts';
import { siteChoice } from './domains/kept-values.ts';
import { diskBytes, roomReport } from './domains/room.ts';
import { type LagBound, lagBound } from './journal/lag.ts';
import { SegmentReader } from './journal/segment-reader.ts';
import type { Store } from './port/store.ts';
import { explain, explained, makeFolder, prepare } from './prepare.ts';
import { LiveDirectory } from './readers/directory.ts';
import { storeReader } from './readers/reader.ts';
import { ReaderThread } from './readers/thread-proxy.ts';
import { databaseFile, openReadOnly } from './schema/database.ts';
import { readSealKey } from './schema/sealing.ts';
import { WriterProxy } from './writer/proxy.ts';
import { processWrittenBytes, type WrittenBytes } from './writer/wear.ts';

export interface StoreOptions {
  readonly dataDir: string;
  /** `postgresql://…` of the database that it stands on, a secret; absent: SQLite, in `dataDir`. */
  readonly url?: string | undefined;
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
  const directory = explain(dataDir, () => new LiveDirectory(connection));
  const { actions, upstream } = options;
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
      ...{ connection, segments, directory, writer, epoch, damagedBlocks, readHere, readerAddress },
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
