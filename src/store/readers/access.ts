import type { DeviceNo } from '../port/journal.ts';
import type { AccessEvent, AccessPlace, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { BrokenSeal } from '../schema/sealing.ts';
import { places } from './rows.ts';

type Row = Record<string, string | number | null>;

/** Passages at doors as the pages list them, and one photo at a time. */
export function accessReads({ sql, seal }: Connection): Pick<PeopleReads, 'accessEvents' | 'accessPhoto'> {
  return {
    async accessEvents({ from, to, person, door, result, after, limit, lookMax }) {
      const deviceNos = new Set(door?.deviceNos);
      const fits = (event: AccessEvent) =>
        (!door || deviceNos.has(event.deviceNo) || event.doorId.toLowerCase().includes(door.text)) &&
        isResult(event, result);
      // Each of the two walks an index from its end: nothing is sorted.
      const found = sql(
        `SELECT a.id, a.check_time_seconds, a.received_at, a.device_no, a.door_id, a.ext_id, a.employee_id, a.check_type, a.check_result,
           a.clock_skew_seconds, a.sealed_capture_img IS NOT NULL AS photo, e.name, e.ext_id AS known_ext_id, d.name AS department
           FROM access_record a LEFT JOIN employee e ON e.id = a.employee_id LEFT JOIN department d ON d.id = e.department_id
           WHERE ${person === undefined ? '' : 'a.ext_id = ? AND '}a.check_time_seconds >= ? AND a.check_time_seconds < ?
           AND a.check_time_seconds <= ? AND (a.check_time_seconds, a.id) < (?, ?)
           ORDER BY a.check_time_seconds DESC, a.id DESC LIMIT ?`,
      ).iterate(
        ...(person === undefined ? [] : [person]),
        from ?? 0,
        to ?? Number.MAX_SAFE_INTEGER,
        after?.at ?? Number.MAX_SAFE_INTEGER,
        after?.at ?? Number.MAX_SAFE_INTEGER,
        after?.id ?? Number.MAX_SAFE_INTEGER,
        lookMax,
      ) as Iterable<Row>;
      const rows: AccessEvent[] = [];
      let looked = 0;
      let last: AccessPlace | null = null;
      for (const row of found) {
        looked++;
        last = { at: row.check_time_seconds as number, id: row.id as number };
        const event = eventOf(row);
        if (!fits(event)) continue;
        rows.push(event);
        if (rows.length === limit) return { rows, next: last };
      }
      return { rows, next: looked < lookMax ? null : last };
    },

    async accessPhoto(id) {
      const row = sql('SELECT seq, ext_id, check_time_seconds, sealed_capture_img FROM access_record WHERE id = ?').get(
        id,
      ) as
        | { seq: number; ext_id: string; check_time_seconds: number; sealed_capture_img: Uint8Array | null }
        | undefined;
      if (!row) return null;
      const facts = { extId: row.ext_id, at: row.check_time_seconds };
      if (row.sealed_capture_img === null) return { ...facts, state: 'none', image: '' };
      try {
        return { ...facts, state: 'there', image: seal.openText(row.sealed_capture_img, places.captureImg(row.seq)) };
      } catch (error) {
        if (error instanceof BrokenSeal) return { ...facts, state: 'damaged', image: '' };
        throw error;
      }
    },
  };
}

function isResult(
  { result, known }: AccessEvent,
  wanted: Parameters<PeopleReads['accessEvents']>[0]['result'],
): boolean {
  switch (wanted) {
    case undefined:
      return true;
    case 'passed':
      return result === 0;
    case 'refused':
      return result !== 0;
    case 'stranger':
      return result === 2 || !known;
    default:
      return result === wanted;
  }
}

const eventOf = (row: Row): AccessEvent => ({
  id: row.id as number,
  at: row.check_time_seconds as number,
  receivedAt: row.received_at as number,
  deviceNo: row.device_no as DeviceNo,
  doorId: row.door_id as string,
  extId: (row.known_ext_id as string | null) ?? (row.ext_id as string),
  name: (row.name as string | null) ?? '',
  department: (row.department as string | null) ?? '',
  known: row.employee_id !== null,
  checkType: row.check_type as string,
  result: row.check_result as number,
  clockSkewSeconds: row.clock_skew_seconds as number | null,
  photo: row.photo === 1,
});
