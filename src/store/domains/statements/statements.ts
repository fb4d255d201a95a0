import type { UnixMs } from '../../../runtime/clock.ts';
import type { Reading, ReadsOf } from '../../domain.ts';
import type { Seq } from '../../port/journal.ts';
import { type ReceiptFacts, type ReceiptQuery, readReceipt } from './receipt.ts';
import { StatementDay, type StatementFacts, type StatementQuery } from './statement-day.ts';

export type { DeviceFacts } from './device-tally.ts';
export type { ReceiptFacts, ReceiptQuery } from './receipt.ts';
export type { DeviceBefore, StatementFacts, StatementQuery } from './statement-day.ts';

/** Daily statements, and the receipt of one record. */
export const statements = {
  reads: ({ connection, journal, hasCloud }: Reading) => ({
    /** One day. Reads the journal from the end of the statement before, in turns. */
    statementDay: (query: StatementQuery): Promise<StatementFacts> =>
      new StatementDay(connection, journal, query, hasCloud).read(),

    /**
     * Where the first statement of a box may begin. `after`: the last record that the journal no
     * longer holds, 0 if it holds all there ever were. `at`: the first record that it holds, or, if
     * none was removed, the first device; null: there is neither.
     */
    async journalBegin(): Promise<{ readonly after: Seq; readonly at: UnixMs | null }> {
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

    /** Null if there is no such record. */
    receipt: async (query: ReceiptQuery): Promise<ReceiptFacts | null> =>
      readReceipt(connection, journal, query, hasCloud),
  }),

  writes: {},
};

export type StatementReads = ReadsOf<typeof statements>;
