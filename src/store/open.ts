import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ActionName } from '../platform/actions.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { AuditLog } from './audit/log.ts';
import { writeBackup } from './data-dir/backup.ts';
import { Owned, own } from './data-dir/ownership.ts';
import { finishReset, isResetAsked } from './data-dir/reset.ts';
import { finishRestore, isRestoreUnfinished } from './data-dir/staged-restore.ts';
import { Appender } from './journal/appender.ts';
import { Lag, type LagBound, lagBound } from './journal/lag.ts';
import { JournalReader } from './journal/read.ts';
import type { Device, Product } from './port/directory.ts';
import type { DeviceNo, Journal, Seq } from './port/journal.ts';
import type { EraseReport } from './port/people.ts';
import type { Confirmation, Store, StoreHealth, StoreWriter, StoreWrites } from './port/store.ts';
import { LiveDirectory } from './readers/directory.ts';
import { storeReader } from './readers/reader.ts';
import { ReaderThread } from './readers/thread-proxy.ts';
import { type Connection, databaseFile, failureOf, openReadOnly } from './schema/database.ts';
import { isTooNew, migrate, versionOf } from './schema/migrate.ts';
import { explainingOlder } from './schema/older-store.ts';
import { BrokenSeal, readSealKey } from './schema/sealing.ts';
import { HeldSessions } from './writer/held-sessions.ts';
import { WriterProxy } from './writer/proxy.ts';
import { type RoomReport, roomReport } from './writer/room-report.ts';
import { processWrittenBytes, WearBook, type WrittenBytes } from './writer/wear.ts';

export interface StoreOptions {
  readonly dataDir: string;
  readonly environment: 'test' | 'production';
  /** The site's time zone: the day of the log counters. */
  readonly timeZone: string;
  readonly actions: Readonly<Record<ActionName, number>>;
  /** A cloud is configured: what it has not confirmed is kept. */
  readonly upstream: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Another than the usual one: for tests. */
  readonly lagBound?: LagBound;
  readonly writtenBytes?: WrittenBytes;
}

/** The store cannot be opened; the message says why and what to do. */
export class StoreOpenError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreOpenError';
  }
}

/**
 * Opens the store of a data directory, makes it when there is none, migrates it when it is older.
 * Throws StoreOpenError.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const dataDir = resolve(options.dataDir);
  makeFolder(dataDir);
  await using parts = new AsyncDisposableStack();
  parts.use(explain(dataDir, () => own(dataDir)));
  explain(dataDir, () => finishReset(dataDir));
  explain(dataDir, () => finishRestore(dataDir));
  const existed = existsSync(databaseFile(dataDir));
  const sealKey = explain(dataDir, () => readSealKey(dataDir, !existed));
  const { epoch } = explain(dataDir, () => prepare(dataDir, options.environment));
  const connection = parts.adopt(openReadOnly(dataDir, sealKey), ({ database }) => database.close());
  // Before the writer starts: with a wrong key it would take every segment for a damaged one and
  // pass over it.
  const directory = explain(dataDir, () => new LiveDirectory(connection));
  const { actions, timeZone, upstream } = options;
  const writer = await WriterProxy.start({
    dataDir,
    sealKey,
    actions,
    timeZone,
    upstream,
    lagBound: options.lagBound ?? lagBound,
  }).catch(error => {
    throw explained(dataDir, error);
  });
  parts.defer(() => writer.close());
  const reader = new ReaderThread({ dataDir, sealKey, hasCloud: upstream }, options.clock);
  parts.defer(() => reader.close());
  const store = assemble(options, dataDir, connection, directory, writer, reader, epoch);
  parts.use(store.audit);
  await store.write.noteUnchainedAudit({ at: options.clock.now() }).catch(() => {}); // On a full disk: at the next start.
  // Last of all: whatever fails before this gives the directory free again.
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
  epoch: string,
): Omit<Store, typeof Symbol.asyncDispose> & { readonly audit: AuditLog } {
  const journalReader = new JournalReader(connection);
  const lag = new Lag(bound, writer.lastSeq, writer.state.projectedSeq, clock.monotonic());
  const wear = new WearBook(writtenBytes, clock.now(), clock.monotonic());
  const appender = new Appender(writer, lag, clock);
  const committed: ((lastSeq: Seq) => void)[] = [];
  const healthListeners: ((health: StoreHealth) => void)[] = [];
  const catchingUp: { seq: number; resolve: () => void }[] = [];

  let heldBack = false;
  const lagChanged = () => {
    appender.look();
    if (appender.isHeldBack === heldBack) return;
    heldBack = appender.isHeldBack;
    const facts = { records: lag.records, ms: Math.round(lag.ms(clock.monotonic())) };
    if (heldBack) log.warn(facts, 'the tables are too far behind: devices are not read until they have come nearer');
    else log.info(facts, 'devices are read again');
  };
  writer.onCommitted = lastSeq => {
    lag.committed(lastSeq, clock.monotonic());
    lagChanged();
    for (const listener of committed) listener(lastSeq as Seq);
  };
  const peopleListeners: ((deviceNo: DeviceNo | null) => void)[] = [];
  const peopleChanged = (deviceNo: DeviceNo | null) => {
    for (const listener of peopleListeners) listener(deviceNo);
  };
  let known: string = writer.state.health;
  let personChangeNo = 0;
  writer.onState = state => {
    lag.projected(state.projectedSeq, clock.monotonic());
    wear.note(writer.written, clock.monotonic());
    lagChanged();
    for (const waiting of catchingUp.splice(0))
      if (state.projectedSeq >= waiting.seq || state.health !== 'ok') waiting.resolve();
      else catchingUp.push(waiting);
    if (state.personChangeNo !== personChangeNo) {
      personChangeNo = state.personChangeNo;
      peopleChanged(null);
    }
    if (state.health === known) return;
    known = state.health;
    if (state.health === 'ok') log.info({}, 'the store takes records again');
    else log.error({ health: state.health }, state.why);
    for (const listener of healthListeners) listener(health());
  };

  const health = (): StoreHealth => ({
    state: writer.state.health,
    why: writer.state.why,
    ...diskBytes(dataDir),
    lagRecords: lag.records,
    lagMs: lag.ms(clock.monotonic()),
    heldBack: appender.isHeldBack,
    dropped: writer.state.dropped,
  });

  const written = proxyOf(writer, directory, peopleChanged, rewritten => journalReader.forget(rewritten));
  const read = { ...storeReader(connection, journalReader, directory, upstream), ...reader.reads };
  const sessions = new HeldSessions(written, read);
  healthListeners.push(({ state }) => {
    if (state === 'ok') sessions.settle().catch(error => log.warn({ error: String(error) }, 'sessions stay in memory'));
  });

  const journal: Journal = {
    append: (record, waiter) => appender.append(record, waiter),
    get congested() {
      return appender.congested;
    },
    onDrain: listener => appender.onDrain(listener),
    get lastSeq() {
      return writer.lastSeq as Seq;
    },
    tally: (after, segmentsMax) => journalReader.tally(after, writer.lastSeq as Seq, segmentsMax),
    onCommitted: listener => void committed.push(listener),
    read: (after, readOptions) => journalReader.read(after, writer.lastSeq as Seq, readOptions),
  };

  return {
    journal,
    write: over(written, sessions.writes),
    read: { ...read, ...sessions.reads },
    audit: new AuditLog({ write: written.audit, clock, log }),
    directory,
    epoch,
    health,
    room: () => roomReport(connection, dataDir, clock.now()),
    wear: () => wear.report(writer.written, clock.monotonic()),
    onHealthChange: listener => void healthListeners.push(listener),
    onPeopleChange: listener => void peopleListeners.push(listener),
    async catchUp() {
      const seq = writer.lastSeq;
      if (writer.state.projectedSeq >= seq || writer.state.health !== 'ok') return;
      writer.hurry();
      await new Promise<void>(done => catchingUp.push({ seq, resolve: done }));
    },
    async backup(request) {
      const records = writer.lastSeq;
      return { ...(await writeBackup(dataDir, request, { createdAt: clock.now(), environment })), records };
    },
  };
}

/** `store.write.x(input)` runs x in the writer thread; the directory follows what it did. */
function proxyOf(
  writer: WriterProxy,
  directory: LiveDirectory,
  peopleChanged: (deviceNo: DeviceNo | null) => void,
  rewrittenSegments: (firstSeqs: readonly number[]) => void,
): StoreWriter {
  const after: Partial<Record<keyof StoreWrites, (input: never, value: never) => void>> = {
    registerDevice: (_: never, device: Device) => directory.put(device),
    bringDevices: (_: never, devices: readonly Device[]) => {
      for (const device of devices) directory.put(device);
    },
    moveDevice: (_: never, device: Device) => directory.put(device),
    eraseStep: (_: never, { rewritten }: EraseReport) => rewrittenSegments(rewritten),
    removeBoxBelow: () => directory.reload(),
    setDeviceKey: (_: never, device: Device) => directory.put(device),
    confirmDeviceKey: (_: never, device: Device) => {
      directory.put(device);
      peopleChanged(device.deviceNo);
    },
    openProductKeyWindow: (_: never, device: Device) => directory.put(device),
    setPresentedPassword: (_: never, device: Device) => directory.put(device),
    setBlocked: (_: never, device: Device) => directory.put(device),
    setPeopleData: (_: never, devices: readonly Device[]) => {
      for (const device of devices) directory.put(device);
      for (const { deviceNo } of devices) peopleChanged(deviceNo);
    },
    letNewDevicesIn: (_: never, product: Product) => directory.putProduct(product),
    confirm: ({ confirmations }: { confirmations: readonly Confirmation[] }) => directory.confirmed(confirmations),
    park: ({ deviceNo, channel, seq }: Parameters<StoreWrites['park']>[0]) =>
      directory.confirmed([{ deviceNo, channel, upToSeq: seq, floorSeq: 0 as Seq }]),
    applySite: ({ dryRun }: { dryRun: boolean }) => {
      if (dryRun) return;
      directory.reload();
      peopleChanged(null);
    },
  };
  return new Proxy({} as StoreWriter, {
    get: (_, name) => async (input: never) => {
      const value = await writer.run(name as keyof StoreWrites, input);
      after[name as keyof StoreWrites]?.(input, value as never);
      return value;
    },
  });
}

/** Some of the operations by others. */
const over = (written: StoreWriter, others: Partial<StoreWriter>): StoreWriter =>
  new Proxy(written, { get: (all, name) => others[name as keyof StoreWrites] ?? all[name as keyof StoreWrites] });

/** What a command reads from the store of a stopped box. */
export type StoppedStore = Pick<Store, 'read' | 'directory' | 'epoch' | 'health'> & {
  /** As of a moment: nobody hands a stopped store a clock. */
  room(now: UnixMs): RoomReport;
} & {
  readonly environment: string;
} & AsyncDisposable;

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
    const connection = explainingOlder(opened, why => new StoreOpenError(`${dataDir}: ${why}`));
    const directory = new LiveDirectory(connection);
    const meta = readMeta(connection.database);
    const last = connection.sql('SELECT coalesce(max(first_seq + count - 1), 0) AS seq FROM segment').get() as {
      seq: number;
    };
    const cursor = connection.sql('SELECT seq FROM projection_cursor').get() as { seq: number };
    const dropped = connection.sql('SELECT reason, count FROM dropped').all() as { reason: string; count: number }[];
    // The config of the box is not known here: one that has forwarded something has a cloud.
    const hasCloud = [...directory.devices()].some(({ forwarded }) => Math.max(forwarded.device, forwarded.log) > 0);
    const read = storeReader(connection, new JournalReader(connection), directory, hasCloud);
    const held = parts.move();
    return {
      read,
      directory,
      epoch: meta.get('epoch') ?? '',
      environment: meta.get('environment') ?? '',
      health: () => ({
        state: 'ok',
        why: '',
        ...diskBytes(dataDir),
        lagRecords: Math.max(0, last.seq - cursor.seq),
        lagMs: 0,
        heldBack: false,
        dropped: Object.fromEntries(dropped.map(row => [row.reason, row.count])),
      }),
      room: now => roomReport(connection, dataDir, now),
      [Symbol.asyncDispose]: async () => held.dispose(),
    };
  });
}

function diskBytes(dataDir: string): { usedBytes: number; freeBytes: number } {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const file = databaseFile(dataDir);
  const { bavail, bsize } = statfsSync(dataDir);
  return { usedBytes: sizeOf(file) + sizeOf(`${file}-wal`), freeBytes: bavail * bsize };
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o750 }); // its group may reach the socket for the commands; what is secret inside is 0600
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StoreOpenError(
      `${dataDir}: cannot be written (${code}): make it writable for this user, or name another data_dir`,
    );
  }
}

const quickCheckBytesMax = 32 << 20;

/** Makes or migrates the tables and checks that the store belongs to this environment. */
function prepare(dataDir: string, environment: string): { epoch: string } {
  const file = databaseFile(dataDir);
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    chmodSync(file, 0o600);
    refuseNewer(database, dataDir);
    if (versionOf(database) > 0 && statSync(file).size < quickCheckBytesMax) {
      const { quick_check } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
      if (quick_check !== 'ok') throw new StoreOpenError(corrupted(dataDir, quick_check));
    }
    migrate(database, file);
    database.exec('INSERT OR IGNORE INTO projection_cursor (id, seq) VALUES (1, 0)');
    const insert = database.prepare('INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)');
    insert.run('environment', environment);
    insert.run('epoch', randomBytes(16).toString('hex'));
    const meta = readMeta(database);
    if (meta.get('environment') !== environment)
      throw new StoreOpenError(
        `${dataDir}: this store was made under environment ${meta.get('environment')}, the config says ${environment}: a box never mixes the two; give it another data_dir`,
      );
    return { epoch: meta.get('epoch')! };
  } finally {
    database.close();
  }
}

function refuseNewer(database: DatabaseSync, dataDir: string): void {
  if (isTooNew(database))
    throw new StoreOpenError(
      `${dataDir}: the store was changed by a newer Gatehouse so that this one must not write to it: update this one, or restore a backup from before`,
    );
}

const readMeta = (database: DatabaseSync): Map<string, string> =>
  new Map(
    (database.prepare('SELECT key, value FROM meta').all() as { key: string; value: string }[]).map(row => [
      row.key,
      row.value,
    ]),
  );

const corrupted = (dataDir: string, detail: string): string =>
  `${databaseFile(dataDir)}: the database is damaged (${detail}): restore a backup with \`gatehouse restore FILE\`, or move ${dataDir} away to start with an empty store`;

function explain<T>(dataDir: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw explained(dataDir, error);
  }
}

function explained(dataDir: string, error: unknown): Error {
  if (error instanceof StoreOpenError) return error;
  if (error instanceof Owned) return new StoreOpenError(error.message);
  if (error instanceof BrokenSeal)
    return new StoreOpenError(
      `${dataDir}/keys/seal.key: does not open this store (${error.message}): put the right key back, or restore a backup with \`gatehouse restore FILE\``,
    );
  const { errcode, message, code } = error as { errcode?: number; message: string; code?: string };
  const failure = failureOf(error);
  if (errcode !== undefined && [11, 26].includes(errcode & 0xff))
    return new StoreOpenError(corrupted(dataDir, message));
  if (failure === 'disk_full')
    return new StoreOpenError(`${dataDir}: the disk is full: free some space and start again`);
  if (failure === 'read_only')
    return new StoreOpenError(
      `${dataDir}: is read-only: check its owner, and whether the disk was mounted read-only after an error`,
    );
  if (code === 'ENOENT' && message.includes('seal.key'))
    return new StoreOpenError(
      `${dataDir}/keys/seal.key: is missing, and without it the store cannot be opened: restore a backup with \`gatehouse restore FILE\``,
    );
  return new StoreOpenError(`${dataDir}: the store cannot be opened: ${message}`);
}
