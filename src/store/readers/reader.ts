import { domainReads } from '../domains/index.ts';
import type { SegmentReader } from '../journal/segment-reader.ts';
import { LogBlockReader } from '../log-blocks/block-reader.ts';
import { bulkChangeReads } from '../people/bulk-changes.ts';
import type { StoreErrorCode } from '../port/journal.ts';
import type { StoreReader } from '../port/store.ts';
import type { Connection } from '../schema/database.ts';
import { readSite } from '../site/sections.ts';
import { accessReads } from './access.ts';
import { attendanceReads } from './attendance.ts';
import { dayReads } from './day.ts';
import { deviceReads } from './devices.ts';
import { erasureReads } from './erasures.ts';
import { organizationReads } from './organization.ts';
import { peopleReads } from './people.ts';
import { lastIds } from './slices.ts';
import type { KnownDevices } from './stored-devices.ts';

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
