import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from '../domain.ts';
import type { Device } from '../port/directory.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';

/** Changes of many devices or people at once, and the log by which they are undone. */

/** How long a change of many can be undone, and how many of the newest can. */
export const bulkChangeKept = { ms: 7 * 24 * 3_600_000, changes: 20 } as const;
/** Maximum devices or people in one transaction: other writes go on between two groups. */
export const bulkGroupMax = 200;

export type BulkDeviceWhat = 'people_data' | 'blocked';
export type BulkPeopleWhat = 'department' | 'left';
export type BulkWhat = BulkDeviceWhat | BulkPeopleWhat;

/** A change of many that can be undone. */
export interface BulkChange {
  readonly id: number;
  readonly at: UnixMs;
  /** Person who changed them: an actor of the audit log. */
  readonly by: string;
  readonly what: BulkWhat;
  /** How many devices or people it changed. */
  readonly rows: number;
}

/** One group of a change of many. `id`: null for the first group, which makes the change. */
interface BulkGroup {
  readonly id: number | null;
  readonly at: UnixMs;
  readonly by: string;
}

export type DeviceBulk =
  | { readonly what: 'people_data'; readonly to: 'yes' }
  | { readonly what: 'blocked'; readonly to: boolean };

export type PersonBulk =
  /**
   * The external id of the department, and the first local date in it; absent: that of the change.
   * The title stays.
   */
  | { readonly what: 'department'; readonly to: string; readonly since?: DateText | undefined }
  /** The last day; null: has not left. */
  | { readonly what: 'left'; readonly to: string | null };

/** Request to the cloud, where that is the authority of the organization; null where the box is. */
interface ForCloud {
  readonly queue: { readonly at: UnixMs; readonly caller: string } | null;
}

/** Why something was left as it is. */
type LeftWhy = 'already' | 'changed_since' | 'gone' | 'no_department' | 'before_first_day';

export interface BulkLeft {
  /** The id of the device, or the external id of the person. */
  readonly subject: string;
  readonly why: LeftWhy;
}

export interface BulkChangeWrites {
  /**
   * Changes a group of devices (at most `bulkGroupMax`) and keeps what was before. Returns those
   * that changed; a device that is so already is left out. `id` is null as long as nothing changed,
   * and where the change was undone or forgotten before its last group: then nothing is changed.
   */
  changeManyDevices(input: BulkGroup & { readonly deviceNos: readonly DeviceNo[]; readonly change: DeviceBulk }): {
    readonly id: number | null;
    readonly changed: Device[];
  };
  /**
   * Undoes a group of a change of devices (at most `limit`): puts back what was before, but for
   * devices that somebody changed since. Call it again while there is `more`.
   */
  undoManyDevices(input: { readonly id: number; readonly limit: number }): {
    readonly changed: Device[];
    readonly left: BulkLeft[];
    readonly more: boolean;
  };
  /** As `changeManyDevices`, of people by their external ids. */
  changeManyPeople(input: BulkGroup & ForCloud & { readonly extIds: readonly string[]; readonly change: PersonBulk }): {
    readonly id: number | null;
    readonly changed: number;
    readonly left: BulkLeft[];
  };
  /** As `undoManyDevices`. */
  undoManyPeople(input: ForCloud & { readonly id: number; readonly at: UnixMs; readonly limit: number }): {
    readonly changed: string[];
    readonly left: BulkLeft[];
    readonly more: boolean;
  };
}

export interface BulkChangeReads {
  /** Changes of many that can still be undone, the newest first; with `id` only that one. */
  bulkChanges(query: { readonly id?: number; readonly since: UnixMs }): Promise<BulkChange[]>;
}

export type BulkChangeStore = StorePart<BulkChangeReads, BulkChangeWrites>;

/** Changes of many devices or people that can be undone. */
export const bulkChangeReads = ({ sql }: Connection): BulkChangeReads => ({
  async bulkChanges({ id, since }) {
    const rows = sql(
      `SELECT id, at, by, what, (SELECT count(*) FROM bulk_change_row r WHERE r.bulk_id = b.id) AS rows
         FROM bulk_change b WHERE at >= ?1 AND (id = ?2 OR ?2 IS NULL) ORDER BY id DESC`,
    ).all(since, id ?? null) as unknown as BulkChange[];
    return rows.map(row => ({ ...row }));
  },
});

interface StoredRow {
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Log of changes of many devices or people, in the writer thread: each row with the state before
 * and after, so that it can be undone. Only the newest changes are kept; retention removes the rows
 * of older ones.
 */
export class BulkLog {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  isThere(id: number): boolean {
    return this.#connection.sql('SELECT 1 FROM bulk_change WHERE id = ?').get(id) !== undefined;
  }

  /** Returns its id. */
  begin(what: BulkWhat, at: number, by: string): number {
    const { sql } = this.#connection;
    const { id } = sql('INSERT INTO bulk_change (at, by, what) VALUES (?, ?, ?) RETURNING id').get(at, by, what) as {
      id: number;
    };
    sql('DELETE FROM bulk_change WHERE id NOT IN (SELECT id FROM bulk_change ORDER BY id DESC LIMIT ?)').run(
      bulkChangeKept.changes,
    );
    return id;
  }

  add(id: number, { subject, before, after }: StoredRow): void {
    this.#connection
      .sql(
        'INSERT INTO bulk_change_row (bulk_id, ext_id, before, after) VALUES (?, ?, ?, ?) ON CONFLICT (bulk_id, ext_id) DO NOTHING',
      )
      .run(id, subject, JSON.stringify(before), JSON.stringify(after));
  }

  /**
   * Takes the next rows out, to be undone; with the last of them the change itself is gone. None:
   * it was undone, or is forgotten.
   */
  take(id: number, limit: number): { rows: StoredRow[]; more: boolean } {
    if (!this.isThere(id)) return { rows: [], more: false };
    const { sql } = this.#connection;
    const found = sql(
      'SELECT ext_id AS subject, before, after FROM bulk_change_row WHERE bulk_id = ? ORDER BY ext_id LIMIT ?',
    ).all(id, limit) as { subject: string; before: string; after: string }[];
    const remove = sql('DELETE FROM bulk_change_row WHERE bulk_id = ? AND ext_id = ?');
    for (const { subject } of found) remove.run(id, subject);
    const more = sql('SELECT 1 FROM bulk_change_row WHERE bulk_id = ? LIMIT 1').get(id) !== undefined;
    if (!more) sql('DELETE FROM bulk_change WHERE id = ?').run(id);
    const rows = found.map(({ subject, before, after }) => ({
      subject,
      before: JSON.parse(before) as unknown,
      after: JSON.parse(after) as unknown,
    }));
    return { rows, more };
  }
}

/** Removes up to `limit` rows of changes that are not kept any more. */
export const dropForgottenRows = ({ sql }: Connection, limit: number): void =>
  void sql(
    `DELETE FROM bulk_change_row WHERE rowid IN (SELECT rowid FROM bulk_change_row
       WHERE bulk_id < coalesce((SELECT min(id) FROM bulk_change), 9007199254740991) ORDER BY bulk_id LIMIT ?)`,
  ).run(limit);

/** Of a person who is erased, or whose id is another one now. */
export const forgetBulkRowsOf = ({ sql }: Pick<Connection, 'sql'>, extId: string): void =>
  void sql('DELETE FROM bulk_change_row WHERE ext_id = ?').run(extId);
