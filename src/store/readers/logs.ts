import { and, desc, eq, gt, max } from 'drizzle-orm';
import type { DeviceReads } from '../port/devices.ts';
import type { DeviceNo, LogQuery, LogRow, Seq } from '../port/journal.ts';
import type { StoreReader } from '../port/store.ts';
import type { SupportReads } from '../port/support.ts';
import type { Connection } from '../schema/database.ts';
import { deviceLog } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import type { KnownDevices } from './stored-devices.ts';
import { Turns } from './turns.ts';

type Stored = typeof deviceLog.$inferSelect;

/** Rows for one page of `logTail`: about 4 MB of text, some tens of milliseconds. */
const lookedAtMax = 20_000;
/** Rows for one turn of `logs`: a few milliseconds. */
const lookedAtEach = 2_000;

/** A row by the names of its columns, as the hand-written statements return it. */
interface Columns {
  readonly seq: Seq;
  readonly device_no: DeviceNo;
  readonly received_at: number;
  readonly path: string;
  readonly marks: number;
  readonly text: string;
}

/**
 * Logs of devices. The searches are hand-written SQL: an inner LIMIT bounds how far a statement
 * looks, however few rows match.
 */
export function logReads(
  connection: Connection,
  devices: KnownDevices,
): Pick<StoreReader, 'logs'> & Pick<DeviceReads, 'lastLogs'> & Pick<SupportReads, 'logTail'> {
  const { sql, orm } = connection;
  const deviceIdOf = (no: DeviceNo): string => devices.deviceByNo(no)?.deviceId ?? `#${no}`;

  /**
   * A log in the form of CONTRACT 7 (`export`, `GET /admin/v1/logs`): the names are those of the
   * export, so that a row goes into a file or an answer unchanged.
   */
  const rowOf = ({ seq, deviceNo, receivedAt, path, marks, text }: Stored): LogRow => {
    const slash = path.indexOf('/');
    return {
      seq,
      deviceNo,
      device_id: deviceIdOf(deviceNo),
      model: path.slice(0, slash),
      sn: path.slice(slash + 1),
      received_at: receivedAt,
      text,
      truncated: (marks & 1) !== 0,
      repaired: (marks & 2) !== 0,
      clamped: (marks & 4) !== 0,
    };
  };
  const found = ({ device_no: deviceNo, received_at: receivedAt, ...row }: Columns): LogRow =>
    rowOf({ ...row, deviceNo, receivedAt });

  const newestOf = query((value: Params<{ deviceNo: number; after: number; limit: number }>) =>
    orm
      .select()
      .from(deviceLog)
      .where(and(eq(deviceLog.deviceNo, value.deviceNo), gt(deviceLog.seq, value.after)))
      .orderBy(desc(deviceLog.seq))
      .limit(value.limit),
  );
  const newestSeq = query(() => orm.select({ seq: max(deviceLog.seq) }).from(deviceLog));

  return {
    /** In turns over a bounded number of rows: a rare word in millions takes seconds. */
    async logs(asked: LogQuery) {
      const { from, to, deviceNo, model, sn, text, limit, signal } = asked;
      const turns = new Turns(signal);
      const own = deviceNo === undefined ? '' : 'AND device_no = ?2';
      const within = `FROM device_log WHERE seq > ?1 ${own} ORDER BY seq LIMIT`;
      const fitting = sql(
        `SELECT * FROM (SELECT * ${within} ${lookedAtEach}) WHERE (?3 IS NULL OR received_at >= ?3)
           AND (?4 IS NULL OR received_at < ?4) AND (?5 IS NULL OR substr(lower(path), 1, length(?5) + 1) = lower(?5) || '/')
           AND (?6 IS NULL OR substr(lower(path), -length(?6) - 1) = '/' || lower(?6))
           AND (?7 IS NULL OR instr(lower(text), lower(?7)) > 0) LIMIT ?8`,
      );
      const last = sql(`SELECT seq ${within} 1 OFFSET ${lookedAtEach - 1}`);
      const rows: LogRow[] = [];
      for (let after: number = asked.after ?? 0; ; await turns.next()) {
        const place = deviceNo === undefined ? [after] : [after, deviceNo];
        const page = fitting.all(
          after,
          deviceNo ?? null,
          from ?? null,
          to ?? null,
          model ?? null,
          sn ?? null,
          text ?? null,
          limit - rows.length,
        ) as unknown as Columns[];
        for (const row of page) rows.push(found(row));
        const looked = last.get(...place) as { seq: number } | undefined;
        if (rows.length >= limit || !looked) return rows;
        after = looked.seq;
      }
    },

    async lastLogs(deviceNo, { limit, after = -1 }) {
      return newestOf.all({ deviceNo, limit, after }).map(rowOf);
    },

    async logTail(asked) {
      const { before = Number.MAX_SAFE_INTEGER, after = 0, deviceNo, from, to, model, sn, text, limit } = asked;
      const newest = newestSeq.get()!.seq ?? (0 as Seq);
      const own = deviceNo === undefined ? '' : 'AND device_no = ?';
      const within = `FROM device_log WHERE seq < ? AND seq > ? ${own} ORDER BY seq DESC LIMIT`;
      const place = [before, after, ...(deviceNo === undefined ? [] : [deviceNo])];
      const fits = (value: string | number | undefined) => [value ?? null, value ?? null];
      const rows = sql(
        `SELECT * FROM (SELECT * ${within} ${lookedAtMax}) WHERE (? IS NULL OR received_at >= ?)
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
      ) as unknown as Columns[];
      const matches = rows.map(found);
      if (rows.length === limit) return { rows: matches, before: rows.at(-1)!.seq, newest };
      const last = sql(`SELECT seq ${within} 1 OFFSET ${lookedAtMax - 1}`).get(...place) as { seq: Seq } | undefined;
      return { rows: matches, before: last?.seq ?? null, newest };
    },
  };
}
