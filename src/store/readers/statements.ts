import type { SegmentReader } from '../journal/segment-reader.ts';
import type { StatementReads } from '../port/statements.ts';
import type { Connection } from '../schema/database.ts';
import { readReceipt } from './receipt.ts';
import { StatementDay } from './statement-day.ts';

/** Reads for daily statements, and for the receipt of one record. */
export const statementReads = (connection: Connection, journal: SegmentReader, hasCloud: boolean): StatementReads => ({
  statementDay: query => new StatementDay(connection, journal, query, hasCloud).read(),

  async firstDayAt() {
    const { at } = connection
      .sql(
        `SELECT min(at) AS at FROM (SELECT min(first_seen_at) AS at FROM device
           UNION ALL SELECT received_from FROM (SELECT received_from FROM segment ORDER BY first_seq LIMIT 1))`,
      )
      .get() as { at: number | null };
    return at;
  },

  receipt: async query => readReceipt(connection, journal, query, hasCloud),
});
