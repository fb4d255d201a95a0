import type { KeptDays } from '../port/staff.ts';
import type { Connection } from '../schema/database.ts';

/**
 * How long segments of the journal stay after they were forwarded, and device logs; staff may
 * shorten both to make room.
 */
export const keptDaysMax: KeptDays = { records: 7, logs: 90 };

export const keptDaysKey = (what: string): string => `kept days ${what}`;

export function keptDays({ sql }: Pick<Connection, 'sql'>): KeptDays {
  const of = (what: keyof KeptDays): number => {
    const row = sql('SELECT value FROM meta WHERE key = ?').get(keptDaysKey(what)) as { value: string } | undefined;
    const days = Number(row?.value ?? Number.NaN);
    return days >= 1 && days <= keptDaysMax[what] ? Math.floor(days) : keptDaysMax[what];
  };
  return { records: of('records'), logs: of('logs') };
}
