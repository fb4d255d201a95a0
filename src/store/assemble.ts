import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { type Reason, whyIn, withWhy } from '../words/sentences.ts';
import { type Head, type StoreHealth, unreadableReport } from './condition.ts';
import type { BackupRequest, BackupWritten } from './data-dir/backup.ts';
import { over } from './domain.ts';
import { AuditLog } from './domains/audit/log.ts';
import type { Confirmation } from './domains/forwarding/forwarding.ts';
import type { RoomReport } from './domains/room.ts';
import { Appender } from './journal/appender.ts';
import { Lag, type LagBound, restingRecordsMax } from './journal/lag.ts';
import { OpenJournal } from './journal/open-journal.ts';
import { RecordReader, type Segments } from './journal/record-reader.ts';
import type { UnreadablePlaces } from './journal/unreadable-places.ts';
import type { Device, Product } from './port/directory.ts';
import { type DeviceNo, type Seq, StoreError, TablesBehind } from './port/journal.ts';
import type { EraseReport } from './port/people.ts';
import { regionOfOne } from './port/region.ts';
import type { ReaderAddress, Store, StoreReader, StoreWriter, StoreWrites } from './port/store.ts';
import type { LiveDirectory } from './readers/directory.ts';
import type { SiteReads } from './site/data.ts';
import { HeldSessions } from './writer/held-sessions.ts';
import type { WriterProxy } from './writer/proxy.ts';
import { WearMeter, type WrittenBytes } from './writer/wear.ts';

/**
 * `store.write.x(input)` runs x in the writer thread, and updates the directory with its result.
 */
function writesOf(
  writer: WriterProxy,
  directory: LiveDirectory,
  reloadDirectory: () => void | Promise<void>,
  peopleChanged: (deviceNo: DeviceNo | null) => void,
  rewrittenSegments: (firstSeqs: readonly number[]) => void,
): StoreWriter {
  const putPeopleData = (devices: readonly Device[]) => {
    for (const device of devices) directory.put(device);
    for (const { deviceNo } of devices) peopleChanged(deviceNo);
  };
  const after: Partial<Record<keyof StoreWrites, (input: never, value: never) => void | Promise<void>>> = {
    registerDevice: (_: never, device: Device) => directory.put(device),
    bringDevices: (_: never, devices: readonly Device[]) => {
      for (const device of devices) directory.put(device);
    },
    moveDevice: (_: never, device: Device) => directory.put(device),
    eraseStep: (_: never, { rewritten }: EraseReport) => rewrittenSegments(rewritten),
    removeBoxBelow: () => reloadDirectory(),
    setDeviceKey: (_: never, device: Device) => directory.put(device),
    confirmDeviceKey: (_: never, device: Device) => {
      directory.put(device);
      peopleChanged(device.deviceNo);
    },
    openProductKeyWindow: (_: never, device: Device) => directory.put(device),
    setPresentedPassword: (_: never, device: Device) => directory.put(device),
    setBlocked: (_: never, device: Device) => directory.put(device),
    setPeopleData: (_: never, devices: readonly Device[]) => putPeopleData(devices),
    changeManyDevices: (_: never, { changed }: { changed: readonly Device[] }) => putPeopleData(changed),
    undoManyDevices: (_: never, { changed }: { changed: readonly Device[] }) => putPeopleData(changed),
    letNewDevicesIn: (_: never, product: Product) => directory.putProduct(product),
    confirm: ({ confirmations }: { confirmations: readonly Confirmation[] }) => directory.confirmed(confirmations),
    park: ({ deviceNo, channel, seq }: Parameters<StoreWrites['park']>[0]) =>
      directory.confirmed([{ deviceNo, channel, upToSeq: seq, floorSeq: 0 as Seq }]),
    applySite: async ({ dryRun }: { dryRun: boolean }) => {
      if (dryRun) return;
      await reloadDirectory();
      peopleChanged(null);
    },
  };
  return new Proxy({} as StoreWriter, {
    get: (_, name) => async (input: never) => {
      const value = await writer.run(name as keyof StoreWrites, input);
      const last = after[name as keyof StoreWrites]?.(input, value as never);
      if (last) await last;
      return value;
    },
  });
}

/** How long who shows what the tables hold waits until they are level. */
const levelWithinMs = 1000;

/** Parts of an engine for the main thread; its writer runs. */
interface EngineParts {
  readonly segments: Segments;
  readonly directory: LiveDirectory;
  /** Reads all of it again. */
  reloadDirectory(): void | Promise<void>;
  /** Segments that the main thread could not read. */
  readonly unreadable: UnreadablePlaces;
  headOf(firstSeq: number): Head | undefined;
  readonly writer: WriterProxy;
  readonly read: StoreReader;
  readonly readHere: SiteReads;
  readonly readerAddress: ReaderAddress;
  /** See Store.epoch. */
  readonly epoch: string;
  /** Of blocks of logs: the first record of each that could not be read. */
  readonly damagedBlocks: ReadonlySet<number>;
  readonly writtenBytes: WrittenBytes;
  readonly lagBound: LagBound;
  diskBytes(): Pick<StoreHealth, 'usedBytes' | 'freeBytes'>;
  room(): RoomReport;
  backup(request: BackupRequest): Promise<BackupWritten>;
  /** See Store. */
  databaseWarnings(): readonly Reason[];
  readonly lost: Promise<string>;
}

interface AssembledOnly {
  readonly audit: AuditLog;
  /** Handles a change by another process; see Store.onPeopleChange. */
  peopleChanged(deviceNo: DeviceNo | null): void;
  /** Resolves when all that was appended so far is committed, or with the error of its commit. */
  allStored(): Promise<StoreError | null>;
}

/** The port of the store, whichever engine is behind it. */
export function assemble(
  parts: EngineParts,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Omit<Store, typeof Symbol.asyncDispose> & AssembledOnly {
  const { segments, directory, writer, lagBound, writtenBytes, damagedBlocks, read } = parts;
  const lag = new Lag(lagBound, writer.lastSeq, writer.state.projectedSeq, clock.monotonic());
  const wear = new WearMeter(writtenBytes, clock.now(), clock.monotonic());
  const appender = new Appender(writer, lag, clock);
  const journal = new OpenJournal(writer, appender, new RecordReader(segments));
  const healthListeners: ((health: StoreHealth) => void)[] = [];
  const catchingUp: { seq: number; resolve: () => void }[] = [];

  let heldBack = false;
  const lagChanged = () => {
    appender.look();
    if (appender.isHeldBack === heldBack) return;
    heldBack = appender.isHeldBack;
    const facts = { records: lag.records, ms: Math.round(lag.ms(clock.monotonic())) };
    if (heldBack) log.warn(facts, 'tables_behind');
    else log.info(facts, 'tables_caught_up');
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
    if (state.logStuck && !wasStuck) log.error({}, 'database_file_not_written');
    wasStuck = state.logStuck;
    // A stalled writer is called broken too, and its end is told of by itself.
    const kind = writer.isStalled ? 'stalled' : state.health;
    if (kind === known) return;
    known = kind;
    if (state.health === 'ok') log.info({}, 'store_takes_records');
    else log.error({ health: state.health }, 'store_in_trouble', withWhy(state));
    for (const listener of healthListeners) listener(health());
  };

  const health = (): StoreHealth => ({
    state: writer.state.health,
    ...whyIn(writer.state),
    isDead: writer.isDead,
    ...parts.diskBytes(),
    lagRecords: lag.records,
    lagMs: lag.ms(clock.monotonic()),
    heldBack: appender.isHeldBack,
    dropped: writer.state.dropped,
    unreadable: unreadableReport(parts.headOf, {
      ranges: [...writer.state.unreadable, ...parts.unreadable.all()],
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

  const catchUpWithin = async (ms: number): Promise<void> => {
    const signal = new AbortController();
    const late = clock.sleep(ms, signal.signal).catch(() => {});
    await Promise.race([catchUp(), late]);
    signal.abort();
  };

  const written = writesOf(writer, directory, parts.reloadDirectory, peopleChanged, rewritten =>
    segments.forget(rewritten),
  );
  const sessions = new HeldSessions(written, read, () => writer.state.health === 'ok');
  healthListeners.push(({ state }) => {
    if (state === 'ok') sessions.settle().catch(error => log.warn({ error: String(error) }, 'sessions_stay_in_memory'));
  });

  return {
    journal,
    peopleChanged,
    allStored: () => new Promise(resolve => appender.whenSettled({ onCommitted: resolve })),
    write: over(written, sessions.writes),
    read: over(read, sessions.reads),
    readHere: parts.readHere,
    readerAddress: parts.readerAddress,
    audit: new AuditLog({ write: written.audit, clock, log }),
    directory,
    epoch: parts.epoch,
    ...regionOfOne(),
    health,
    healthState: () => writer.state.health,
    room: parts.room,
    wear: () => wear.report(writer.written, clock.monotonic()),
    databaseWarnings: parts.databaseWarnings,
    lost: parts.lost,
    onHealthChange: listener => void healthListeners.push(listener),
    onPeopleChange: listener => void peopleListeners.push(listener),
    catchUp,
    async level() {
      // Under load they are being filled, as fast as acknowledgements allow.
      if (lag.records === 0 || lag.records >= restingRecordsMax) return;
      await catchUpWithin(levelWithinMs);
    },
    async whole(withinMs = lagBound.ms * 1.5) {
      const seq = writer.lastSeq;
      await catchUpWithin(withinMs);
      const { projectedSeq, health: state, why, tablesStuck } = writer.state;
      if (projectedSeq >= seq) return seq as Seq;
      const records = seq - projectedSeq;
      if (state === 'ok' && tablesStuck === '') throw new TablesBehind(records);
      const cause = tablesStuck || why;
      throw new StoreError(
        state === 'ok' ? 'broken' : state,
        `${records} acknowledged records cannot be entered, and this has to hold them: ${cause}`,
      );
    },
    async backup(request) {
      const records = writer.lastSeq;
      return { ...(await parts.backup(request)), records };
    },
  };
}
