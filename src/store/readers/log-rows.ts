import { max } from 'drizzle-orm';
import type { LogSearch } from '../log-blocks/search.ts';
import type { DeviceNo, Seq } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { deviceLog } from '../schema/index.ts';
import { query } from '../schema/query.ts';

/** Rows looked at in one statement: a few milliseconds. */
export const lookedAtEach = 2_000;

/** A row by the names of its columns. */
export interface LogColumns {
  readonly seq: Seq;
  readonly device_no: DeviceNo;
  readonly received_at: number;
  readonly path: string;
  /** Bit 0: truncated; bit 1: repaired; bit 2: received_at clamped. */
  readonly marks: number;
  readonly text: string;
}

interface Looked {
  readonly rows: LogColumns[];
  /** Where the look goes on; null: that was all. */
  readonly next: number | null;
}

/**
 * Logs of a store from before there were blocks: a row each. All are older than every block, and
 * they go by retention. Hand-written SQL: an inner LIMIT bounds how far a statement looks, however
 * few rows match.
 */
export class LogRows {
  readonly #connection: Connection;
  readonly #newest;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#newest = query(() => connection.orm.select({ seq: max(deviceLog.seq) }).from(deviceLog));
  }

  /** 0: there is none. */
  newestSeq(): number {
    return this.#newest.get()!.seq ?? 0;
  }

  /** At most `limit` rows that match, of the next rows in the order of their seqs or against it. */
  look(search: LogSearch, order: 'ASC' | 'DESC', limit: number): Looked {
    const { after, before, deviceNo, from, to, model, sn, text } = search;
    const { sql } = this.#connection;
    const device = deviceNo === undefined ? [] : [deviceNo];
    const within = (own: number) =>
      `FROM device_log WHERE seq > ?1 AND seq < ?2 ${deviceNo === undefined ? '' : `AND device_no = ?${own}`} ORDER BY seq ${order} LIMIT`;
    const rows = sql(
      `SELECT * FROM (SELECT * ${within(9)} ${lookedAtEach}) AS looked WHERE (received_at >= ?3 OR ?3 IS NULL)
         AND (received_at < ?4 OR ?4 IS NULL)
         AND (CAST(?5 AS TEXT) IS NULL OR substr(lower(path), 1, length(?5) + 1) = lower(?5) || '/')
         AND (CAST(?6 AS TEXT) IS NULL OR substr(lower(path), length(path) - length(?6)) = '/' || lower(?6))
         AND (CAST(?7 AS TEXT) IS NULL OR instr(lower(text), lower(?7)) > 0) LIMIT ?8`,
    ).all(
      ...[after, before, from ?? null, to ?? null, model ?? null, sn ?? null, text ?? null, limit, ...device],
    ) as unknown as LogColumns[];
    const last = sql(`SELECT seq ${within(3)} 1 OFFSET ${lookedAtEach - 1}`).get(after, before, ...device) as
      | { seq: number }
      | undefined;
    return { rows, next: last?.seq ?? null };
  }
}
