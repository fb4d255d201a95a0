import type { SegmentReader } from '../journal/segment-reader.ts';
import type { Seq } from '../port/journal.ts';
import type { StatementReads } from '../port/statements.ts';
import type { Connection } from '../schema/database.ts';
import { readReceipt } from './receipt.ts';
import { StatementDay } from './statement-day.ts';

/** Reads for daily statements, and for the receipt of one record. */
export const statementReads = (connection: Connection, journal: SegmentReader, hasCloud: boolean): StatementReads => ({
  statementDay: query => new StatementDay(connection, journal, query, hasCloud).read(),

  async journalBegin() {
    const { sql } = connection;
    const first = sql('SELECT first_seq, received_from FROM segment ORDER BY first_seq LIMIT 1').get() as
      | { first_seq: number; received_from: number }
      | undefined;
    const { seq } = sql('SELECT seq FROM projection_cursor WHERE id = 1').get() as { seq: number };
    const after = (first ? first.first_seq - 1 : seq) as Seq;
    if (after > 0) return { after, at: first?.received_from ?? null };
    const { at } = sql('SELECT min(first_seen_at) AS at FROM device').get() as { at: number | null };
    return { after, at: first ? Math.min(first.received_from, at ?? Number.POSITIVE_INFINITY) : at };
  },

  receipt: async query => readReceipt(connection, journal, query, hasCloud),
});
