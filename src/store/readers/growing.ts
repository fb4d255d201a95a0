import type { StoreErrorCode } from '../port/journal.ts';
import type { StoreReader } from '../port/store.ts';

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
