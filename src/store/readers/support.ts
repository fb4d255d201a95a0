import type { DeviceNo } from '../port/journal.ts';
import type { Punch, PunchPlace, SupportReads } from '../port/support.ts';
import type { Connection } from '../schema/database.ts';
import type { KnownDevices } from './stored-devices.ts';

/** For those who set the site up, and who look for what went wrong there. */
export function supportReads({ sql }: Connection, devices: KnownDevices): Omit<SupportReads, 'logTail'> {
  const deviceIdOf = (no: number): string => devices.deviceByNo(no as DeviceNo)?.deviceId ?? `#${no}`;
  const lastId = (table: string): number =>
    (sql(`SELECT coalesce(max(id), 0) AS id FROM ${table}`).get() as { id: number }).id;

  return {
    async punchesSince(after, limit) {
      if (after === null) {
        const checkin = Math.max(lastId('checkin'), lastId('checkin_unresolved'));
        return { punches: [], place: { checkin, access: lastId('access_record') } };
      }
      const checkins = sql(
        `SELECT r.id, r.device_no, r.received_at, r.check_time_seconds, coalesce(e.name, '') AS name FROM checkin r
           LEFT JOIN employee e ON e.id = r.employee_id WHERE r.id > ?1
         UNION ALL SELECT id, device_no, received_at, check_time_seconds, '' FROM checkin_unresolved WHERE id > ?1
         ORDER BY 1 LIMIT ?2`,
      ).all(after.checkin, limit) as unknown as StoredPunch[];
      const passages = sql(
        `SELECT r.id, r.device_no, r.received_at, r.check_time_seconds, coalesce(e.name, '') AS name FROM access_record r
           LEFT JOIN employee e ON e.id = r.employee_id WHERE r.id > ? ORDER BY r.id LIMIT ?`,
      ).all(after.access, limit) as unknown as StoredPunch[];
      const place: PunchPlace = {
        checkin: checkins.at(-1)?.id ?? after.checkin,
        access: passages.at(-1)?.id ?? after.access,
      };
      const punches = [...checkins.map(punchOf('checkin')), ...passages.map(punchOf('access'))];
      return { punches: punches.sort((one, other) => one.receivedAt - other.receivedAt), place };
    },
  };

  function punchOf(kind: Punch['kind']): (row: StoredPunch) => Punch {
    return row => ({
      kind,
      at: row.check_time_seconds,
      receivedAt: row.received_at,
      deviceId: deviceIdOf(row.device_no),
      name: row.name,
    });
  }
}

interface StoredPunch {
  readonly id: number;
  readonly device_no: number;
  readonly received_at: number;
  readonly check_time_seconds: number;
  readonly name: string;
}
