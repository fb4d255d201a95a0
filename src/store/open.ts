import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ActionSettings } from '../platform/actions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { AuditLog } from './audit/log.ts';
import { writeBackup } from './data-dir/backup.ts';
import { clearLeftWork } from './data-dir/left-work.ts';
import { own } from './data-dir/ownership.ts';
import { finishReset } from './data-dir/reset.ts';
import { finishRestore } from './data-dir/staged-restore.ts';
import { diskBytes } from './disk-bytes.ts';
import { Appender } from './journal/appender.ts';
import { Lag, type LagBound, lagBound, restingRecordsMax } from './journal/lag.ts';
import { OpenJournal } from './journal/open-journal.ts';
import { SegmentReader } from './journal/segment-reader.ts';
import type { StoreHealth } from './port/condition.ts';
import type { DeviceNo, Seq } from './port/journal.ts';
import type { Store } from './port/store.ts';
import { explain, explained, makeFolder, prepare } from './prepare.ts';
import { LiveDirectory } from './readers/directory.ts';
import { storeReader } from './readers/reader.ts';
import { siteChoice } from './readers/settings.ts';
import { ReaderThread } from './readers/thread-proxy.ts';
import { unreadableReport } from './readers/unreadable.ts';
import { type Connection, databaseFile, openReadOnly } from './schema/database.ts';
import { readSealKey } from './schema/sealing.ts';
import { HeldSessions } from './writer/held-sessions.ts';
import { WriterProxy } from './writer/proxy.ts';
import { roomReport } from './writer/room-report.ts';
import { processWrittenBytes, WearMeter, type WrittenBytes } from './writer/wear.ts';
import { over, writesOf } from './writes.ts';

export interface StoreOptions {
  readonly dataDir: string;
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
/** How long who shows what the tables hold waits until they are level. */
const levelWithinMs = 1000;

/** Opens the store of a data directory; creates or migrates it if needed. Throws StoreOpenError. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const dataDir = resolve(options.dataDir);
  makeFolder(dataDir);
  await using parts = new AsyncDisposableStack();
  parts.use(explain(dataDir, () => own(dataDir)));
  explain(dataDir, () => clearLeftWork(dataDir, options.log));
  explain(dataDir, () => finishReset(dataDir));
  explain(dataDir, () => finishRestore(dataDir));
  const existed = existsSync(databaseFile(dataDir));
  const sealKey = explain(dataDir, () => readSealKey(dataDir, !existed));
  const { epoch, compressSegments, logBlocks } = explain(dataDir, () =>
    prepare(dataDir, options.environment, options.clock.now()),
  );
  const connection = parts.adopt(openReadOnly(dataDir, sealKey), ({ database }) => database.close());
  // Before the writer starts: with a wrong key it would take every segment for damaged and skip it.
  const directory = explain(dataDir, () => new LiveDirectory(connection));
  const { actions, upstream } = options;
  const chosen = options.isTimeZoneFixed ? undefined : explain(dataDir, () => siteChoice(connection)).timezone;
  const timeZone = chosen ?? options.timeZone;
  const writer = await WriterProxy.start({
    dataDir,
    sealKey,
    actions,
    timeZone,
    upstream,
    lagBound: options.lagBound ?? lagBound,
    compressSegments,
    logBlocks,
    tablesRestMs: options.tablesRestMs ?? restMs,
  }).catch(error => {
    throw explained(dataDir, error);
  });
  parts.defer(() => writer.close());
  const damagedBlocks = new Set<number>();
  const onDamagedBlock = (firstSeq: number) => void damagedBlocks.add(firstSeq);
  const reader = new ReaderThread({ dataDir, sealKey, hasCloud: upstream }, options.clock, onDamagedBlock);
  parts.defer(() => reader.close());
  const store = assemble(options, dataDir, connection, directory, writer, reader, damagedBlocks, epoch);
  parts.use(store.audit);
  await store.write.noteUnchainedAudit({ at: options.clock.now() }).catch(() => {}); // On a full disk: at the next start.
  // Last of all: a failure before this releases the directory.
  const held = parts.move();
  return { ...store, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

function assemble(
  { environment, upstream, clock, log, lagBound: bound = lagBound, writtenBytes = processWrittenBytes }: StoreOptions,
  dataDir: string,
  connection: Connection,
  directory: LiveDirectory,
  writer: WriterProxy,
  reader: ReaderThread,
  damagedBlocks: Set<number>,
  epoch: string,
): Omit<Store, typeof Symbol.asyncDispose> & { readonly audit: AuditLog } {
  const segmentReader = new SegmentReader(connection);
  const lag = new Lag(bound, writer.lastSeq, writer.state.projectedSeq, clock.monotonic());
  const wear = new WearMeter(writtenBytes, clock.now(), clock.monotonic());
  const appender = new Appender(writer, lag, clock);
  const journal = new OpenJournal(writer, appender, segmentReader);
  const healthListeners: ((health: StoreHealth) => void)[] = [];
  const catchingUp: { seq: number; resolve: () => void }[] = [];

  let heldBack = false;
  const lagChanged = () => {
    appender.look();
    if (appender.isHeldBack === heldBack) return;
    heldBack = appender.isHeldBack;
    const facts = { records: lag.records, ms: Math.round(lag.ms(clock.monotonic())) };
    if (heldBack)
      log.warn(
        facts,
        'the tables are too far behind the journal: nothing is read from devices until they have caught up',
      );
    else log.info(facts, 'the tables have caught up: devices are read again');
  };
  writer.onCommitted = lastSeq => {
    lag.committed(lastSeq, clock.monotonic());
    lagChanged();
    journal.committed(lastSeq as Seq);
  };
  const peopleListeners: ((deviceNo: DeviceNo | null) => void)[] = [];
  const peopleChanged = (deviceNo: DeviceNo | null) => {
    for (const listener of peopleListeners) listener(deviceNo);
  };
  let known: string = writer.state.health;
  let wasStuck = false;
  let personChangeNo = 0;
  writer.onState = state => {
    lag.isExcused = state.tablesStuck !== '';
    lag.projected(state.projectedSeq, clock.monotonic());
    wear.note(writer.written, clock.monotonic());
    lagChanged();
    for (const waiting of catchingUp.splice(0))
      if (state.projectedSeq >= waiting.seq || state.health !== 'ok' || state.tablesStuck !== '') waiting.resolve();
      else catchingUp.push(waiting);
    if (state.personChangeNo !== personChangeNo) {
      personChangeNo = state.personChangeNo;
      peopleChanged(null);
    }
    if (state.logStuck && !wasStuck) log.error({}, 'the database file cannot be written in places; its log grows');
    wasStuck = state.logStuck;
    if (state.health === known) return;
    known = state.health;
    if (state.health === 'ok') log.info({}, 'the store takes records again');
    else log.error({ health: state.health }, state.why);
    for (const listener of healthListeners) listener(health());
  };

  const health = (): StoreHealth => ({
    state: writer.state.health,
    why: writer.state.why,
    isDead: writer.isDead,
    ...diskBytes(dataDir),
    lagRecords: lag.records,
    lagMs: lag.ms(clock.monotonic()),
    heldBack: appender.isHeldBack,
    dropped: writer.state.dropped,
    unreadable: unreadableReport(connection, {
      ranges: [...writer.state.unreadable, ...connection.unreadable.all()],
      logBlocks: damagedBlocks.size,
      tables: writer.state.tablesStuck,
    }),
    isUnwritable: writer.state.logStuck,
  });

  const catchUp = async (): Promise<void> => {
    const seq = writer.lastSeq;
    if (writer.state.projectedSeq >= seq || writer.state.health !== 'ok' || writer.state.tablesStuck !== '') return;
    writer.hurry();
    await new Promise<void>(done => catchingUp.push({ seq, resolve: done }));
  };

  const written = writesOf(writer, directory, peopleChanged, rewritten => segmentReader.forget(rewritten));
  const readHere = storeReader(connection, segmentReader, directory, upstream, firstSeq => damagedBlocks.add(firstSeq));
  const read = { ...readHere, ...reader.reads };
  const sessions = new HeldSessions(written, read, () => writer.state.health === 'ok');
  healthListeners.push(({ state }) => {
    if (state === 'ok') sessions.settle().catch(error => log.warn({ error: String(error) }, 'sessions stay in memory'));
  });

  return {
    journal,
    write: over(written, sessions.writes),
    read: { ...read, ...sessions.reads },
    readHere,
    audit: new AuditLog({ write: written.audit, clock, log }),
    directory,
    epoch,
    health,
    healthState: () => writer.state.health,
    room: () => roomReport(connection, dataDir, clock.now()),
    wear: () => wear.report(writer.written, clock.monotonic()),
    onHealthChange: listener => void healthListeners.push(listener),
    onPeopleChange: listener => void peopleListeners.push(listener),
    catchUp,
    async level() {
      // Under load they are being filled, as fast as acknowledgements allow.
      if (lag.records === 0 || lag.records >= restingRecordsMax) return;
      const signal = new AbortController();
      const late = clock.sleep(levelWithinMs, signal.signal).catch(() => {});
      await Promise.race([catchUp(), late]);
      signal.abort();
    },
    async backup(request) {
      const records = writer.lastSeq;
      return { ...(await writeBackup(dataDir, request, { createdAt: clock.now(), environment })), records };
    },
  };
}
