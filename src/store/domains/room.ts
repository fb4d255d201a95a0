import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, Reading, ReadsOf, WritesOf } from '../domain.ts';
import type { Connection } from '../schema/database.ts';

/** How much the store could still take, once an hour: for the forecast (writer/room-report.ts). */
export const roomSample = sqliteTable('room_sample', {
  at: integer().primaryKey(),
  roomBytes: integer('room_bytes').notNull(),
});

/** In days. */
export interface KeptDays {
  readonly records: number;
  readonly logs: number;
}

/**
 * How long segments of the journal stay after they were forwarded, and device logs; staff may
 * shorten both to make room.
 */
export const keptDaysMax: KeptDays = { records: 7, logs: 90 };

const keyOf = (what: string): string => `kept days ${what}`;

export function keptDays({ sql }: Pick<Connection, 'sql'>): KeptDays {
  const of = (what: keyof KeptDays): number => {
    const row = sql('SELECT value FROM meta WHERE key = ?').get(keyOf(what)) as { value: string } | undefined;
    const days = Number(row?.value ?? Number.NaN);
    return days >= 1 && days <= keptDaysMax[what] ? Math.floor(days) : keptDaysMax[what];
  };
  return { records: of('records'), logs: of('logs') };
}

const lookedAtMax = 20_000;
/** Of up to a thousand logs each. */
const blocksLookedAtMax = 5_000;
const sizes = {
  records: `SELECT 1 AS items, length(sealed_records) AS bytes FROM segment WHERE received_to < ? ORDER BY first_seq LIMIT ${lookedAtMax}`,
  logs: `SELECT log_block.count AS items, length(sealed_logs) AS bytes FROM log_block JOIN log_block_content USING (first_seq)
    WHERE received_to < ? ORDER BY first_seq LIMIT ${blocksLookedAtMax}`,
  files: `SELECT 1 AS items, bytes FROM file WHERE stored_at < ? AND waits = 0 LIMIT ${lookedAtMax}`,
} as const;

/** How long things are kept, and how much room it would make to keep them for less. */
export const room = {
  reads: ({ connection }: Reading) => ({
    keptDays: async (): Promise<KeptDays> => keptDays(connection),

    /**
     * Counts at most some ten thousand rows; then `at_least` is set. Counts records whether or not
     * they were forwarded, but only files that do not wait for the cloud.
     */
    async olderThan(
      what: 'records' | 'logs' | 'files',
      before: UnixMs,
    ): Promise<{ items: number; bytes: number; at_least: boolean }> {
      const { sql } = connection;
      const sum = sql(
        `SELECT count(*) AS rows, coalesce(sum(items), 0) AS items, coalesce(sum(bytes), 0) AS bytes FROM (${sizes[what]}) AS looked`,
      ).get(before) as { rows: number; items: number; bytes: number };
      const most = what === 'logs' ? blocksLookedAtMax : lookedAtMax;
      return { items: sum.items, bytes: sum.bytes, at_least: sum.rows >= most };
    },
  }),

  writes: {
    /** How long forwarded records and logs are kept; within `keptDaysMax`. */
    keepDays({ sql }: OperationContext, kept: KeptDays): void {
      for (const [what, days] of Object.entries(kept))
        sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
          keyOf(what),
          String(days),
        );
    },
  },
};

export type RoomReads = ReadsOf<typeof room>;
export type RoomWrites = WritesOf<typeof room>;
