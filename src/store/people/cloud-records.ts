import type { ClockBounds } from '../../platform/device-clock.ts';
import type { Connection } from '../schema/database.ts';

/** How far apart the two sides may date the same punch, because their clocks differ. */
const nearSeconds = 120;

export type Kind = 'checkin' | 'access';

/** The fields that identify a punch or an access record. */
interface Trace {
  /** For a check-in the employee's id, for an access record the external id. */
  readonly person: number | string;
  readonly time: number;
  /** The serial number of the terminal, the phone, or the door. */
  readonly place: string;
  readonly checkType: string;
}

interface Found {
  readonly id: number;
  readonly time: number;
  readonly place: string;
  readonly check_type: string;
}

const placeOf = (own: string): string =>
  `coalesce(nullif(r.${own}, ''), substr(d.device_id, instr(d.device_id, '_') + 1), '')`;

const near = (table: string, person: string, own: string, side: string): string =>
  `SELECT r.id, r.check_time_seconds AS time, ${placeOf(own)} AS place, r.check_type FROM ${table} r
     LEFT JOIN device d ON d.device_no = r.device_no
     WHERE r.${person} = ? AND r.check_time_seconds BETWEEN ? AND ? AND ${side}
     ORDER BY abs(r.check_time_seconds - ?), r.id LIMIT 50`;

/** Also a row that an earlier cloud listed, when the box has moved to another one. */
const notListed = (table: string, column: string): string =>
  `NOT EXISTS (SELECT 1 FROM ${table} k WHERE k.${column} = r.id)`;

const statements = {
  checkin: {
    site: near('checkin', 'employee_id', 'terminal_id', notListed('cloud_checkin', 'checkin_id')),
    cloud: near('checkin', 'employee_id', 'terminal_id', 'r.device_no = 0'),
  },
  access: {
    site: near('access_record', 'ext_id', 'door_id', notListed('cloud_access', 'access_id')),
    cloud: near('access_record', 'ext_id', 'door_id', 'r.device_no = 0'),
  },
} as const;

/** The record of the other side: certainly the same, or perhaps. */
interface Match {
  readonly same: number | null;
  readonly perhaps: number | null;
}

export const noMatch: Match = { same: null, perhaps: null };

/** The usual box has no cloud that lists any. */
export const hasCloudRecords = ({ sql }: Connection, kind: Kind): boolean =>
  sql(`SELECT 1 FROM cloud_${kind} LIMIT 1`).get() !== undefined;

/**
 * Looks for the same record on the other side, by person, place and second. It may be the same if
 * it has the same person and place within two minutes, or the same second at another terminal. Each
 * row is matched once, so that two punches in one second stay two.
 */
export function findMatch({ sql }: Connection, kind: Kind, side: 'site' | 'cloud', one: Trace): Match {
  const { person, time, place, checkType } = one;
  const found = sql(statements[kind][side]).all(
    person,
    time - nearSeconds,
    time + nearSeconds,
    time,
  ) as unknown as Found[];
  const here = found.filter(row => row.place.toUpperCase() === place.toUpperCase());
  const sure = here.filter(row => row.time === time);
  const same = sure.find(row => row.check_type === checkType) ?? sure[0];
  if (same) return { same: same.id, perhaps: null };
  // Two unknown people cannot be distinguished.
  if (person === '') return noMatch;
  const perhaps = here[0] ?? found.find(row => row.time === time && isAtTerminal(row.check_type, checkType));
  return { same: null, perhaps: perhaps?.id ?? null };
}

const atTerminal: ReadonlySet<string> = new Set(['fa', 'fp', 'pass', 'card']);
const isAtTerminal = (...types: readonly string[]): boolean => types.every(type => atTerminal.has(type));

/** The fields of a record that a terminal of the site reported. */
interface Reported {
  readonly seq: number;
  readonly deviceNo: number;
  readonly receivedAt: number;
  readonly recordId: string;
  readonly clock: ClockBounds | null;
}

/**
 * A terminal of the site reports what the cloud listed before: the row that callers have already
 * got is updated. An access record keeps its number, to which its picture is sealed.
 */
export function takeOver({ sql }: Connection, kind: Kind, id: number, by: Reported): void {
  const { seq, deviceNo, receivedAt, recordId, clock } = by;
  const table = kind === 'checkin' ? 'checkin' : 'access_record';
  sql(
    `UPDATE ${table} SET device_no = ?, received_at = ?, record_id = ?, clock_low_ms = ?, clock_high_ms = ? WHERE id = ?`,
  ).run(deviceNo, receivedAt, recordId, clock?.lowMs ?? null, clock?.highMs ?? null, id);
  if (kind === 'checkin') sql('UPDATE checkin SET seq = ? WHERE id = ?').run(seq, id);
}

/** Callers get both records; people are shown the pair. Null: there is none. */
export function noteUncertain(
  { sql }: Connection,
  { at, kind, siteId, cloudId }: { at: number; kind: Kind; siteId: number | null; cloudId: number | null },
): void {
  if (siteId === null || cloudId === null) return;
  sql('INSERT INTO uncertain_match (at, kind, site_id, cloud_id) VALUES (?, ?, ?, ?)').run(at, kind, siteId, cloudId);
}

/** A row of the site was matched with one of the cloud: removes other candidates. */
export function matchedForSure({ sql }: Connection, kind: Kind, siteId: number): void {
  sql('DELETE FROM uncertain_match WHERE kind = ? AND site_id = ?').run(kind, siteId);
}
