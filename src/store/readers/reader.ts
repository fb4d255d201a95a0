import type { MessagePort } from 'node:worker_threads';
import type { ReadPart } from '../domain.ts';
import { domainReads } from '../domains/index.ts';
import { SegmentReader } from '../journal/segment-reader.ts';
import { LogBlockReader } from '../log-blocks/block-reader.ts';
import { bulkChangeReads } from '../people/bulk-changes.ts';
import { erasureReads } from '../people/erasing.ts';
import type { StoreErrorCode } from '../port/journal.ts';
import type { ReaderAddress, StoreReader } from '../port/store.ts';
import { type Connection, failureOf, openReadOnly } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import { readSite } from '../site/sections.ts';
import { accessReads } from './access.ts';
import { attendanceReads } from './attendance.ts';
import { dayReads } from './day.ts';
import { deviceReads } from './devices.ts';
import { organizationReads } from './organization.ts';
import { peopleReads } from './people.ts';
import { lastIds } from './slices.ts';
import { type KnownDevices, StoredDevices } from './stored-devices.ts';

/**
 * Reads whose time grows with the store: they run in the reader thread, or they would hold the
 * event loop and every device with it. All others look up a bounded number of rows by an index, or
 * work in slices (slices.ts); test/store/readers/event-loop.test.ts measures each of them.
 */
export const growingReads = [
  'accessEvents',
  'accessRecords',
  'accessReport',
  'aliases',
  'auditEntries',
  'boxesHeard',
  'checkInPage',
  'checkInReport',
  'checkTimes',
  'checkinCounts',
  'checkinPeople',
  'checkins',
  'corrections',
  'dayCounts',
  'dayOverrides',
  'dayPeople',
  'deviceClockTrace',
  'deviceHours',
  'employments',
  'erasures',
  'frozenOfOthers',
  'frozenRows',
  'history',
  'leaves',
  'likelyPeople',
  'lastLogs',
  'ledger',
  'logTail',
  'logs',
  'olderThan',
  'onlineHours',
  'people',
  'peopleCount',
  'periodChanges',
  'periodInputs',
  'periods',
  'person',
  'refusals',
  'rosterRules',
  'rowsOfPeriod',
  'servicesWaiting',
  'shifts',
  'site',
  'statementDay',
  'unresolvedPeople',
  'verifyAudit',
] as const satisfies readonly (keyof StoreReader)[];

export type GrowingRead = (typeof growingReads)[number];

/** The messages between the main thread and the reader thread. */
export type ReadRequest =
  | { readonly kind: 'read'; readonly id: number; readonly name: keyof StoreReader; readonly args: readonly unknown[] }
  /** The caller has gone away. There is a reply all the same. */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' };

/** Found or failed: one for each read. `code` null: the store did not cause the error. */
export type ReadReply =
  | { readonly kind: 'found'; readonly id: number; readonly value: unknown }
  /** A block of logs could not be read; no reply to a read. */
  | { readonly kind: 'damaged'; readonly firstSeq: number }
  | { readonly kind: 'failed'; readonly id: number; readonly code: StoreErrorCode | null; readonly message: string };

/**
 * Reads on a read-only connection. Lists are paged by key. Reads that may look through many rows to
 * find few work in slices (slices.ts), or run only in the reader thread (growingReads).
 */
export const storeReader = (
  connection: Connection,
  journal: SegmentReader,
  devices: KnownDevices,
  hasCloud: boolean,
  onDamagedBlock: (firstSeq: number) => void,
): StoreReader => {
  const logBlocks = new LogBlockReader(connection, onDamagedBlock);
  const last = lastIds(connection);
  return {
    ...domainReads({ connection, journal, devices, logBlocks, hasCloud }),
    newestRecords: async () => ({
      checkins: last.checkin(),
      access: last.access(),
      logs: logBlocks.newestSeq(),
    }),
    ...dayReads(connection, devices),
    ...deviceReads(connection),
    ...bulkChangeReads(connection),
    ...peopleReads(connection, devices),
    ...erasureReads(connection, journal, devices, hasCloud),
    ...accessReads(connection),
    ...attendanceReads(connection, devices),
    ...organizationReads(connection),
    site: async ({ withSecrets }) => readSite(connection, withSecrets),
  };
};

/** Reads of a thread with a connection of its own; each sees the last commit. */
export interface OwnReader extends ReadPart<StoreReader> {
  readonly devices: Pick<KnownDevices, 'deviceByNo'>;
  /** Drops cached devices: before each job. */
  forget(): void;
  close(): void;
}

/**
 * Opens the reads of a running store on the calling thread, which each of them blocks. Blocks of
 * logs that cannot be read are not reported.
 */
export async function openOwnReader(address: ReaderAddress): Promise<OwnReader> {
  const connection = await connectTo(address);
  const devices = new StoredDevices(connection);
  return {
    // Caches no segment: one that is rewritten after an erasure must not be read in its old form.
    read: storeReader(connection, new SegmentReader(connection, 0), devices, address.hasCloud, () => {}),
    devices,
    forget: () => devices.forget(),
    close: () => connection.database.close(),
  };
}

async function connectTo(address: ReaderAddress): Promise<Connection> {
  if ('dataDir' in address) return openReadOnly(address.dataDir, address.sealKey);
  // Only a region loads what it takes to stand on PostgreSQL.
  const { connectToPostgres } = await import('../postgres/database.ts');
  return connectToPostgres(address);
}

const unreadable = (message: string): string =>
  `the disk cannot be read where this stands (${message}); the rest works: make a backup now and change the card`;

/** Failure of a read for another thread; `code` null: the store did not cause it. */
export function readFailure(error: unknown): { readonly code: StoreErrorCode | null; readonly message: string } {
  const { message } = error as Error;
  return { code: failureOf(error), message: isReadFailure(error) ? unreadable(message) : message };
}

/**
 * Loop of a reader thread: reads on a connection of its own, each of which sees the last commit.
 * Long ones work in slices, between which others run.
 */
export function serveReads(port: MessagePort, connection: Connection, hasCloud: boolean): void {
  const devices = new StoredDevices(connection);
  // Caches no segment: one that is rewritten after an erasure must not be read in its old form.
  const reads = storeReader(connection, new SegmentReader(connection, 0), devices, hasCloud, firstSeq =>
    port.postMessage({ kind: 'damaged', firstSeq } satisfies ReadReply),
  );
  const running = new Map<number, AbortController>();

  const reply = (one: ReadReply) => port.postMessage(one);

  async function read({ id, name, args }: Extract<ReadRequest, { kind: 'read' }>): Promise<void> {
    const ending = new AbortController();
    running.set(id, ending);
    devices.forget();
    const [first, ...others] = args;
    const takesSignal = first !== null && typeof first === 'object' && !Array.isArray(first);
    const query = takesSignal ? { ...first, signal: ending.signal } : first;
    try {
      const act = reads[name] as (...args: unknown[]) => Promise<unknown>;
      const value = await act(query, ...others);
      // Mobile numbers are opened as they leave, and one of them may be damaged.
      reply({ kind: 'found', id, value });
    } catch (error) {
      reply({ kind: 'failed', id, ...readFailure(error) });
    } finally {
      running.delete(id);
    }
  }

  port.on('message', (request: ReadRequest) => {
    if (request.kind === 'read') void read(request);
    else if (request.kind === 'cancel') running.get(request.id)?.abort();
    else {
      for (const ending of running.values()) ending.abort();
      connection.database.close();
      port.close();
    }
  });
}
