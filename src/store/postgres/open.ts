import { randomBytes } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { atMostEvery } from '../../runtime/at-most-every.ts';
import { areInodesLow, inodesOf } from '../../runtime/inodes.ts';
import { assemble } from '../assemble.ts';
import { BackupRefused } from '../data-dir/backup-archive.ts';
import { own } from '../data-dir/ownership.ts';
import { siteChoice } from '../domains/kept-values.ts';
import { diskBytes } from '../domains/room.ts';
import { lagBound } from '../journal/lag.ts';
import { SegmentReader } from '../journal/segment-reader.ts';
import type { StoreOptions } from '../open.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Processes } from '../port/region.ts';
import type { Store } from '../port/store.ts';
import { explain, makeFolder, StoreOpenError } from '../prepare.ts';
import { LiveDirectory } from '../readers/directory.ts';
import { storeReader } from '../readers/reader.ts';
import { ReaderThread } from '../readers/thread-proxy.ts';
import { type Connection, failureOf } from '../schema/database.ts';
import { EngineError } from '../schema/engine-failures.ts';
import { readSealKey, sealKeyFile } from '../schema/sealing.ts';
import { WriterProxy } from '../writer/proxy.ts';
import { processWrittenBytes } from '../writer/wear.ts';
import { Bridge } from './bridge.ts';
import { Claims } from './claims.ts';
import { connectionOver } from './database.ts';
import { DirectoryChanges, lastChangeNo } from './directory-changes.ts';
import { HeldLease } from './lease.ts';
import { makeIndexes, migratePostgres } from './migrate.ts';
import { unfinishedKey } from './move-target.ts';
import { ProcessNotes } from './process-notes.ts';
import { probeUnlogged } from './process-tables.ts';
import { serverFaults, whyBroken } from './server-faults.ts';
import { unfit } from './session.ts';
import { Shared } from './shared.ts';
import { meetFiles } from './shared-files.ts';
import { ProcessChannel } from './side-connection.ts';
import { DatabaseWatch } from './watch.ts';

interface PostgresStoreOptions extends StoreOptions {
  readonly url: string;
}

/** No card wears out: the tables are filled when nothing else is to be done. */
const restMs = 100;
/** Where thousands of devices are new, reading them takes at most a tenth of the main thread. */
const restAfterReading = (tookMs: number): number => 9 * tookMs;

/** The main thread reads little, and nothing that waits for a lock or a standby. */
const answerWithinMs = 10_000;
/** An import changes thousands of people; each time all terminals are looked at. */
const peopleToldMs = 250;

/**
 * The store on PostgreSQL: the same operations, reads and port as on SQLite, for one of several
 * processes (docs/decisions/region.md). The data directory holds what is this process's own, and
 * the key that all of them share. Throws StoreOpenError.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, environment, actions, upstream, clock, log } = options;
  const dataDir = resolve(options.dataDir);
  makeFolder(dataDir);
  await using parts = new AsyncDisposableStack();
  parts.use(explain(dataDir, () => own(dataDir)));
  // One thread and one connection for the tables, the key and the reads of the main thread.
  const bridge = parts.adopt(
    reached(() => new Bridge(url)),
    opened => opened.close(),
  );
  const sealKey = reached(() => {
    migratePostgres(bridge);
    probeUnlogged(bridge);
    return sealKeyOf(dataDir, bridge);
  });
  bridge.answerWithin(answerWithinMs);
  const connection = connectionOver(bridge, sealKey);
  meet(connection, environment, dataDir);
  // Its connection is for what takes minutes: most starts find nothing to be made.
  if (connection.sql('SELECT 1 FROM index_to_make LIMIT 1').get()) await makeIndexes(url, log).catch(refuse);
  const sharesFiles = options.files !== undefined;
  const watch = parts.use(await DatabaseWatch.start({ url, clock, log, sharesFiles }).catch(refuse));
  const notes = parts.use(await ProcessNotes.start({ url, dataDir, clock, log }).catch(refuse));
  const { epoch } = notes;
  if (options.files !== undefined) await meetFiles(connection, options.files, epoch);
  const { process } = connection.sql(`SELECT nextval('member') AS process`).get() as { process: number };
  const claims = await Claims.open(url, process, { clock, log });
  const processes = await ProcessChannel.open(claims.side, process);
  // Closed behind the writer: until it leaves, others ask this process for its devices.
  parts.defer(() => claims.close());
  const shared = await Shared.open(url, { me: process, seal: connection.seal, clock });
  parts.defer(() => shared.close());
  const changeNo = lastChangeNo(connection);
  const directory = new LiveDirectory(connection);
  const changes = new DirectoryChanges(connection, directory, changeNo);
  const chosen = options.isTimeZoneFixed ? undefined : siteChoice(connection).timezone;
  const timeZone = chosen ?? options.timeZone;
  const forwarding = parts.use(new HeldLease(clock));
  const { uplink } = forwarding;
  const once = parts.use(new HeldLease(clock));
  forwarding.onChange(isMine =>
    isMine ? log.info({}, 'process_forwards') : log.warn({}, 'process_stopped_forwarding'),
  );
  once.onChange(isMine => isMine && log.info({}, 'process_sends_alerts'));
  const writer = await WriterProxy.start(
    {
      ...{ url, process, uplink, dataDir, sealKey, actions, timeZone, upstream, lagBound },
      tablesRestMs: options.tablesRestMs ?? restMs,
      answered: new Int32Array(new SharedArrayBuffer(4)),
    } as Parameters<typeof WriterProxy.start>[0],
    'postgres writer',
  );
  parts.defer(() => writer.close());
  watch.follow(writer);
  notes.follow(process);
  const damagedBlocks = new Set<number>();
  const onDamagedBlock = (firstSeq: number) => void damagedBlocks.add(firstSeq);
  const readerAddress = { url, sealKey, hasCloud: upstream };
  const reader = new ReaderThread(readerAddress, clock, onDamagedBlock, 'postgres reader');
  parts.defer(() => reader.close());
  const segments = new SegmentReader(connection);
  const store = assemble(
    {
      ...{ connection, segments, directory, writer, epoch, damagedBlocks, lagBound, readerAddress },
      read: reader.allReads,
      readHere: storeReader(connection, segments, directory, upstream, onDamagedBlock),
      writtenBytes: processWrittenBytes,
      // Of the data directory: the server's disk is watched where the server is.
      diskBytes: () => diskBytes(dataDir),
      room: () => {
        const { blocks, bavail, bsize, ...files } = statfsSync(dataDir);
        const inodes = inodesOf(files);
        const room = { sizeBytes: blocks * bsize, roomBytes: bavail * bsize, inodes };
        return { ...room, bytesPerDay: null, daysLeft: null, isLow: areInodesLow(inodes) };
      },
      backup: async () => {
        throw new BackupRefused('PostgreSQL', 'bad_place', 'it is backed up by its own tools');
      },
      databaseWarnings: () => [...watch.warnings(), ...notes.warnings()],
      lost: watch.lost,
    },
    { clock, log },
  );
  claims.allStored = store.allStored;
  claims.onBroken = error => watch.lose(whyBroken(error));
  shared.onBroken = claims.onBroken;
  shared.onRefused = error => watch.refused(error);
  /** False: the connection broke. Whoever writes hears of it too, and this process starts again. */
  const succeeds = (read: () => void): boolean => {
    try {
      read();
      return true;
    } catch (error) {
      if (failureOf(error) === null) throw error;
      log.error({ error: String(error) }, 'devices_not_read');
      watch.lose(whyBroken(error));
      return false;
    }
  };
  store.onHealthChange(({ state, why, code, params }) => {
    if (state === 'broken' && !writer.isStalled) watch.lose({ reason: why, code, params });
  });
  writer.onLease = ({ name, until, isUpElsewhere }) => {
    if (name === 'once') return once.follow(until, isUpElsewhere);
    // Where others have forwarded to is known from their last commits only.
    if (until === null || forwarding.isMine || succeeds(() => directory.reload()))
      forwarding.follow(until, isUpElsewhere);
  };
  const closing = new AbortController();
  parts.defer(() => closing.abort());
  let newestNo = changes.no;
  const readSoon = atMostEvery(restAfterReading, clock, closing.signal, () => {
    if (newestNo > changes.no) succeeds(() => changes.catchUp());
  });
  writer.onTail = ({ directoryNo }) => {
    newestNo = directoryNo;
    if (newestNo > changes.no) readSoon();
  };
  const refreshDirectory = () => {
    const before = changes.no;
    return succeeds(() => changes.catchUp()) && changes.no !== before;
  };
  const tellAll = atMostEvery(peopleToldMs, clock, closing.signal, () => void processes.tell('people', ''));
  tellOfPeople(store, processes, { refreshDirectory, tellAll });
  parts.use(store.audit);
  const held = parts.move();
  const ofRegion = { claims, shared, refreshDirectory, forwarding, once, processes };
  return { ...store, ...ofRegion, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** A change of people is sent to the terminals of all processes, each by its own. */
function tellOfPeople(
  store: Pick<ReturnType<typeof assemble>, 'onPeopleChange' | 'peopleChanged'>,
  processes: Processes,
  { refreshDirectory, tellAll }: { refreshDirectory: () => boolean; tellAll: () => void },
): void {
  let isHeard = false;
  store.onPeopleChange(deviceNo => {
    if (isHeard) return;
    if (deviceNo === null) tellAll();
    else void processes.tell('people', String(deviceNo));
  });
  processes.onMessage('people', text => {
    isHeard = true;
    try {
      // Whether a device may have people stands there.
      refreshDirectory();
      store.peopleChanged(text === '' ? null : (Number(text) as DeviceNo));
    } catch (error) {
      // Without its database this process ends.
      if (failureOf(error) === null) throw error;
    } finally {
      isHeard = false;
    }
  });
}

/** A server that cannot be reached is the operator's to mend: the message says so. */
function reached<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof EngineError)) throw error;
  if (error.code === unfit) throw new StoreOpenError(`store.url: ${error.message}`);
  if (error.failure === 'read_only') throw new StoreOpenError(`store.url: ${serverFaults.read_only.reason}`);
  throw new StoreOpenError(
    `store.url: the database cannot be used (${error.message}): see that its server runs, and that user, password and name are right`,
  );
}

/** Made by the first process; the others are given its file. */
function sealKeyOf(dataDir: string, bridge: Bridge): Uint8Array {
  const known = bridge.call({ text: "SELECT value FROM meta WHERE key = 'seal'", values: [] }).rows[0]?.[0];
  if (known !== undefined && !existsSync(sealKeyFile(dataDir)))
    throw new StoreOpenError(
      `${sealKeyFile(dataDir)}: is missing: copy the file from a process that has this database open`,
    );
  return explain(dataDir, () => readSealKey(dataDir, known === undefined));
}

/** Makes the rows that a store begins with, and refuses one of another environment or key. */
function meet({ sql, seal }: Connection, environment: string, dataDir: string): void {
  if (sql('SELECT 1 FROM meta WHERE key = ?').get(unfinishedKey))
    throw new StoreOpenError(
      'store.url: the store of a box was not moved to this database to its end: repeat `gatehouse migrate` on that box, which ends it or begins again',
    );
  sql('INSERT INTO projection_cursor (id, seq) VALUES (1, 0) ON CONFLICT (id) DO NOTHING').run();
  const put = sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING');
  const fingerprint = seal.fingerprint('region', 'seal.key');
  put.run('environment', environment);
  put.run('seal', fingerprint);
  put.run('epoch', randomBytes(16).toString('hex'));
  const stored = (key: string) => (sql('SELECT value FROM meta WHERE key = ?').get(key) as { value: string }).value;
  if (stored('seal') !== fingerprint)
    throw new StoreOpenError(
      `${sealKeyFile(dataDir)}: is not the key of this database: copy the file from a process that has it open`,
    );
  const made = stored('environment');
  if (made !== environment)
    throw new StoreOpenError(
      `store.url: this database was made under environment ${made}, the config says ${environment}: a region never mixes the two; give it another database`,
    );
}
