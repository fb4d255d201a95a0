import { DatabaseSync } from 'node:sqlite';
import type { UnixMs } from '../../runtime/clock.ts';
import { databaseFile } from '../schema/database.ts';

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
