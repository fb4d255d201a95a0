import type { Connection } from '../schema/database.ts';

const day = 24 * 3600 * 1000;
const clockJumpMs = 2 * day;
/** Written so rarely that it does not wear the card. */
const clockNotedEveryMs = 6 * 3600 * 1000;

/**
 * Whether the clock is trusted. A clock that is more than two days ahead of the last trusted time
 * (set wrongly, or the box was off for long) is trusted after it has run on from there for two
 * days: otherwise a clock that is in 2036 for a day would delete every log and receipt.
 */
export function believed({ sql }: Connection, now: number): boolean {
  const read = (key: string): number | null => {
    const row = sql('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
    return row ? Number(row.value) : null;
  };
  const note = (key: string) =>
    sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
      key,
      String(now),
    );
  const last = read('retention_clock');
  const jumped = read('retention_clock_jumped');
  if (last !== null && now > last + clockJumpMs) {
    if (jumped === null || now < jumped) note('retention_clock_jumped');
    if (jumped === null || now < jumped + clockJumpMs) return false;
  }
  if (last === null || Math.abs(now - last) > clockNotedEveryMs) note('retention_clock');
  if (jumped !== null) sql("DELETE FROM meta WHERE key = 'retention_clock_jumped'").run();
  return true;
}
