import type { Directory } from '../port/directory.ts';
import type { DeviceNo, LogRow, Seq } from '../port/journal.ts';
import type { Punch, PunchPlace, SupportReads } from '../port/support.ts';
import type { Connection } from '../schema/database.ts';

/** Of one call: about 4 MB of text, a few hundredths of a second. */
const logsLookedAtMax = 20_000;

interface StoredLog {
  readonly seq: number;
  readonly device_no: number;
  readonly received_at: number;
  readonly path: string;
  readonly marks: number;
  readonly text: string;
}

/** For those who set the site up, and who look for what went wrong there. */
export function supportReads({ sql }: Connection, directory: Directory): SupportReads {
  const deviceIdOf = (no: number): string => directory.deviceByNo(no as DeviceNo)?.deviceId ?? `#${no}`;
  const lastId = (table: string): number =>
    (sql(`SELECT coalesce(max(id), 0) AS id FROM ${table}`).get() as { id: number }).id;

  return {
    async logTail(query) {
      const { before = Number.MAX_SAFE_INTEGER, after = 0, deviceNo, from, to, model, sn, text, limit } = query;
      const { newest } = sql('SELECT coalesce(max(seq), 0) AS newest FROM device_log').get() as { newest: Seq };
      const own = deviceNo === undefined ? '' : 'AND device_no = ?';
      const within = `FROM device_log WHERE seq < ? AND seq > ? ${own} ORDER BY seq DESC LIMIT`;
      const place = [before, after, ...(deviceNo === undefined ? [] : [deviceNo])];
      const fits = (value: string | number | undefined) => [value ?? null, value ?? null];
      const rows = sql(
        `SELECT * FROM (SELECT * ${within} ${logsLookedAtMax}) WHERE (? IS NULL OR received_at >= ?)
           AND (? IS NULL OR received_at < ?) AND (? IS NULL OR substr(lower(path), 1, length(?) + 1) = lower(?) || '/')
           AND (? IS NULL OR substr(lower(path), -length(?) - 1) = '/' || lower(?))
           AND (? IS NULL OR instr(lower(text), lower(?)) > 0) LIMIT ?`,
      ).all(
        ...place,
        ...fits(from),
        ...fits(to),
        ...fits(model),
        model ?? null,
        ...fits(sn),
        sn ?? null,
        ...fits(text),
        limit,
      ) as unknown as StoredLog[];
      if (rows.length === limit) return { rows: rows.map(logRow), before: rows.at(-1)!.seq as Seq, newest };
      const last = sql(`SELECT seq ${within} 1 OFFSET ${logsLookedAtMax - 1}`).get(...place) as
        | { seq: number }
        | undefined;
      return { rows: rows.map(logRow), before: (last?.seq as Seq | undefined) ?? null, newest };
    },

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

  function logRow({ seq, device_no, received_at, path, marks, text }: StoredLog): LogRow {
    const slash = path.indexOf('/');
    return {
      seq: seq as Seq,
      deviceNo: device_no as DeviceNo,
      device_id: deviceIdOf(device_no),
      model: path.slice(0, slash),
      sn: path.slice(slash + 1),
      received_at,
      text,
      truncated: (marks & 1) !== 0,
      repaired: (marks & 2) !== 0,
      clamped: (marks & 4) !== 0,
    };
  }

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
