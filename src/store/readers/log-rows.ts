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
    const own = deviceNo === undefined ? '' : 'AND device_no = ?3';
    const within = `FROM device_log WHERE seq > ?1 AND seq < ?2 ${own} ORDER BY seq ${order} LIMIT`;
    const rows = sql(
      `SELECT * FROM (SELECT * ${within} ${lookedAtEach}) WHERE (?4 IS NULL OR received_at >= ?4)
         AND (?5 IS NULL OR received_at < ?5) AND (?6 IS NULL OR substr(lower(path), 1, length(?6) + 1) = lower(?6) || '/')
         AND (?7 IS NULL OR substr(lower(path), -length(?7) - 1) = '/' || lower(?7))
         AND (?8 IS NULL OR instr(lower(text), lower(?8)) > 0) LIMIT ?9`,
    ).all(
      ...[after, before, deviceNo ?? null, from ?? null, to ?? null, model ?? null, sn ?? null, text ?? null, limit],
    ) as unknown as LogColumns[];
    const place = deviceNo === undefined ? [after, before] : [after, before, deviceNo];
    const last = sql(`SELECT seq ${within} 1 OFFSET ${lookedAtEach - 1}`).get(...place) as { seq: number } | undefined;
    return { rows, next: last?.seq ?? null };
  }
}
