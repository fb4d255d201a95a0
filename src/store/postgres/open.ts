import { statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { atMostEvery } from '../../runtime/at-most-every.ts';
import { areInodesLow, inodesOf } from '../../runtime/inodes.ts';
import { storeFaults } from '../../words/store.ts';
import { assemble } from '../assemble.ts';
import { BackupRefused } from '../data-dir/backup-archive.ts';
import { own } from '../data-dir/ownership.ts';
import { siteChoice } from '../domains/kept-values.ts';
import { diskBytes } from '../domains/room.ts';
import { lagBound } from '../journal/lag.ts';
import { UnreadablePlaces } from '../journal/unreadable-places.ts';
import type { StoreOptions } from '../open.ts';
import { type DeviceNo, StoreError } from '../port/journal.ts';
import type { Processes } from '../port/region.ts';
import type { Store } from '../port/store.ts';
import { explain, makeFolder } from '../prepare.ts';
import { LiveDirectory, readDirectory } from '../readers/directory.ts';
import { ReaderThread } from '../readers/thread-proxy.ts';
import { answerCounts, type WriterLease } from '../writer/messages.ts';
import { WriterProxy } from '../writer/proxy.ts';
import { processWrittenBytes } from '../writer/wear.ts';
import { Bridge } from './bridge.ts';
import { Claims } from './claims.ts';
import { connectionOver } from './database.ts';
import { DirectoryChanges, lastChangeNo } from './directory-changes.ts';
import { HeldLease } from './lease.ts';
import { MainReads } from './main-reads.ts';
import { MainSegments } from './main-segments.ts';
import { meet, reached, refuse, sealKeyOf } from './meeting.ts';
import { makeIndexes, migratePostgres } from './migrate.ts';
import { ProcessNotes } from './process-notes.ts';
import { probeUnlogged } from './process-tables.ts';
import { whyBroken } from './server-faults.ts';
import { Shared } from './shared.ts';
import { meetFiles } from './shared-files.ts';
import { ProcessChannel } from './side-connection.ts';
import { DatabaseWatch } from './watch.ts';

interface PostgresStoreOptions extends StoreOptions {
  readonly url: string;
}

/** No card wears out: the tables are filled when nothing else is to be done. */
const restMs = 100;
/** Where thousands of devices are new, reading them takes at most a tenth of the time. */
const restAfterReading = (tookMs: number): number => 9 * tookMs;

/** At its start a process reads little that waits for nobody; callers wait as long for one read. */
const startWithinMs = 10_000;
const answerWithinMs = 5000;
/** An import changes thousands of people; each time all terminals are looked at. */
const peopleToldMs = 250;

/**
 * The store on PostgreSQL: the same operations, reads and port as on SQLite, for one of several
 * processes (docs/decisions/region.md). The data directory holds what is this process's own, and
 * the key that all of them share. Throws StoreOpenError.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, environment, actions, upstream, clock, log } = options;
  const ownerUrl = options.ownerUrl ?? url;
  const dataDir = resolve(options.dataDir);
  makeFolder(dataDir);
  await using parts = new AsyncDisposableStack();
  parts.use(explain(dataDir, () => own(dataDir)));
  if (ownerUrl !== url) migrateAs(ownerUrl);
  // For the start alone: from then on the main thread waits for no statement.
  const bridge = parts.adopt(
    reached(() => new Bridge(url)),
    opened => opened.close(),
  );
  const sealKey = reached(() => {
    if (ownerUrl === url) migratePostgres(bridge);
    probeUnlogged(bridge);
    return sealKeyOf(dataDir, bridge);
  });
  bridge.answerWithin(startWithinMs);
  const connection = connectionOver(bridge, sealKey);
  const { seal } = connection;
  meet(connection, environment, dataDir);
  // Its connection is for what takes minutes: most starts find nothing to be made.
  if (connection.sql('SELECT 1 FROM index_to_make LIMIT 1').get()) await makeIndexes(ownerUrl, log).catch(refuse);
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
  const shared = await Shared.open(url, { me: process, seal, clock });
  parts.defer(() => shared.close());
  const changeNo = lastChangeNo(connection);
  const directory = new LiveDirectory(readDirectory(connection));
  const chosen = options.isTimeZoneFixed ? undefined : siteChoice(connection).timezone;
  bridge.close();
  const reads = await MainReads.open(url);
  parts.defer(() => reads.close());
  const changes = new DirectoryChanges(reads, seal, directory, changeNo);
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
      answers: answerCounts(),
    } as Parameters<typeof WriterProxy.start>[0],
    'postgres writer',
  );
  parts.defer(() => writer.close());
  watch.follow(writer, process);
  notes.follow(process);
  const damagedBlocks = new Set<number>();
  const onDamagedBlock = (firstSeq: number) => void damagedBlocks.add(firstSeq);
  const readerAddress = { url, sealKey, hasCloud: upstream };
  const reader = new ReaderThread(readerAddress, clock, onDamagedBlock, 'postgres reader');
  parts.defer(() => reader.close());
  const unreadable = new UnreadablePlaces();
  const segments = new MainSegments(reads, seal, unreadable);
  const store = assemble(
    {
      ...{ segments, unreadable, directory, writer, epoch, damagedBlocks, lagBound, readerAddress },
      reloadDirectory: () => changes.reload(),
      headOf: () => undefined,
      read: reader.allReads,
      readHere: reader.allReads,
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
  reads.onBroken = claims.onBroken;
  shared.onRefused = error => watch.refused(error);
  store.onHealthChange(({ state, why, code, params }) => {
    if (state === 'broken' && !writer.isStalled) watch.lose({ reason: why, code, params });
  });
  followLeases(writer, { once, forwarding, reload: () => changes.reload() });
  const closing = new AbortController();
  parts.defer(() => closing.abort());
  let newestNo = changes.no;
  let isReading = false;
  const readOn = async () => {
    if (isReading) return;
    isReading = true;
    while (newestNo > changes.no && !closing.signal.aborted) {
      const begun = clock.monotonic();
      // Of a store that is being closed.
      await changes.catchUp().catch(() => closing.abort());
      await clock.sleep(restAfterReading(clock.monotonic() - begun), closing.signal).catch(() => {});
    }
    isReading = false;
  };
  writer.onTail = ({ directoryNo }) => {
    newestNo = directoryNo;
    if (newestNo > changes.no) void readOn();
  };
  const refreshDirectory = async () => {
    const before = changes.no;
    const answered = new AbortController();
    const late = clock.sleep(answerWithinMs, answered.signal).then(() => {
      throw new StoreError('broken', storeFaults.say('database_silent').reason);
    });
    await Promise.race([changes.catchUp(), late]).finally(() => answered.abort());
    return changes.no !== before;
  };
  const tellAll = atMostEvery(peopleToldMs, clock, closing.signal, () => void processes.tell('people', ''));
  tellOfPeople(store, processes, { refreshDirectory, tellAll });
  parts.use(store.audit);
  const held = parts.move();
  const ofRegion = { claims, shared, refreshDirectory, forwarding, once, processes };
  return { ...store, ...ofRegion, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

interface FollowedLeases {
  readonly once: HeldLease;
  readonly forwarding: HeldLease;
  /** Reads the directory again. */
  reload(): Promise<void>;
}

/** The directory is read before forwarding begins: their last commits say how far others came. */
function followLeases(writer: WriterProxy, { once, forwarding, reload }: FollowedLeases): void {
  /** As it is by the time that the directory was read. */
  let taken: WriterLease | null = null;
  writer.onLease = lease => {
    const { name, until, isUpElsewhere } = lease;
    if (name === 'once') return once.follow(until, isUpElsewhere);
    if (until === null || forwarding.isMine) {
      taken = null;
      return forwarding.follow(until, isUpElsewhere);
    }
    const isBegun = taken !== null;
    taken = lease;
    if (isBegun) return;
    // Rejects when the store is closed.
    reload().then(
      () => {
        if (taken) forwarding.follow(taken.until, taken.isUpElsewhere);
        taken = null;
      },
      () => {},
    );
  };
}

/** A change of people is sent to the terminals of all processes, each by its own. */
function tellOfPeople(
  store: Pick<ReturnType<typeof assemble>, 'onPeopleChange' | 'peopleChanged'>,
  processes: Processes,
  { refreshDirectory, tellAll }: { refreshDirectory: () => Promise<boolean>; tellAll: () => void },
): void {
  let isHeard = false;
  store.onPeopleChange(deviceNo => {
    if (isHeard) return;
    if (deviceNo === null) tellAll();
    else void processes.tell('people', String(deviceNo));
  });
  processes.onMessage('people', async text => {
    try {
      // Whether a device may have people stands there.
      await refreshDirectory();
    } catch (error) {
      // Without its database this process ends.
      if (error instanceof StoreError) return;
      throw error;
    }
    isHeard = true;
    try {
      store.peopleChanged(text === '' ? null : (Number(text) as DeviceNo));
    } finally {
      isHeard = false;
    }
  });
}

/** Over a connection of its own, so that no other may change a table. */
function migrateAs(ownerUrl: string): void {
  const bridge = reached(() => new Bridge(ownerUrl));
  try {
    reached(() => migratePostgres(bridge));
  } finally {
    bridge.close();
  }
}
