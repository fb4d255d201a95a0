import { DatabaseSync } from 'node:sqlite';
import type { UnixMs } from '../../runtime/clock.ts';
import { databaseFile } from '../schema/database.ts';

/**
 * The highest numbers of check-ins and access records that a store has given out. Callers page by
 * them and keep them for as long as they like (CONTRACT 8): they never go back.
 */
export interface GivenNumbers {
  readonly epoch: string;
  readonly checkInId: number;
  readonly accessId: number;
}

/** Numbers that may have been given out since the last check. */
const sinceLook = 100_000;
/** Where nobody knows: years of a site of a thousand people, and a two-hundredth of all numbers. */
const unknownGiven = 10_000_000;

/** Of the store in a data directory; null: there is none that can be read. */
export function numbersGivenIn(dataDir: string): GivenNumbers | null {
  try {
    using database = new DatabaseSync(databaseFile(dataDir), { readOnly: true, timeout: 5000 });
    return numbersOf(database);
  } catch {
    return null;
  }
}

function numbersOf(database: DatabaseSync): GivenNumbers {
  const value = (text: string) => (database.prepare(text).get() as { value: string | number } | undefined)?.value;
  return {
    epoch: String(value("SELECT value FROM meta WHERE key = 'epoch'") ?? ''),
    checkInId: Number(value("SELECT value FROM counter WHERE name = 'checkin'") ?? 0),
    accessId: Number(value("SELECT seq AS value FROM sqlite_sequence WHERE name = 'access_record'") ?? 0),
  };
}

/**
 * Before a database becomes the store in place of another: no number that either has given out
 * comes again for another record. `replaced` is the other; null: nobody knows it.
 */
export function goOnAboveGiven(database: DatabaseSync, replaced: GivenNumbers | null): void {
  const own = numbersOf(database);
  const room = own.epoch === replaced?.epoch ? sinceLook : unknownGiven;
  const checkInId = Math.max(own.checkInId, replaced?.checkInId ?? 0) + room;
  const accessId = Math.max(own.accessId, replaced?.accessId ?? 0) + room;
  const count = database.prepare(
    'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  count.run('checkin', checkInId);
  count.run('access', accessId);
  database.prepare("DELETE FROM sqlite_sequence WHERE name = 'access_record'").run();
  database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('access_record', ?)").run(accessId);
}

/** Data that a store took after a backup was made; a restore hides it. */
export interface NewerData {
  readonly records: number;
  /** Actions of staff, without sign-ins and backups. */
  readonly changes: number;
  readonly newestAt: UnixMs;
}

/** Of the store in a data directory; null: nothing is newer, or there is no store to be read. */
export function newerDataIn(dataDir: string, madeAt: UnixMs): NewerData | null {
  try {
    using database = new DatabaseSync(databaseFile(dataDir), { readOnly: true, timeout: 5000 });
    const newer = (text: string) =>
      database.prepare(text).get(madeAt) as { count: number | null; newest: number | null };
    const { count: records, newest } = newer(
      'SELECT sum(count) AS count, max(received_to) AS newest FROM segment WHERE received_to > ?',
    );
    const { count: changes, newest: changed } = newer(
      `SELECT count(*) AS count, max(at) AS newest FROM audit_entry WHERE at > ? AND chain = 'done'
         AND action NOT LIKE '%backup%' AND action NOT IN ('sign in', 'sign out')`,
    );
    if (!records && !changes) return null;
    return { records: records ?? 0, changes: changes ?? 0, newestAt: Math.max(newest ?? 0, changed ?? 0) };
  } catch {
    return null;
  }
}
