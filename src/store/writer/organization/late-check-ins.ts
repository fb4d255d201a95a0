import type { Connection } from '../../schema/database.ts';

/**
 * Converts check-ins that became known late under an older program. That program left them at the
 * place of their report, numbered them separately (`late_no`), and counted in every `next_id` how
 * many of them a caller had got (platform/next-id.ts).
 *
 * They move after all others, in the order in which they became known, so that a caller with an
 * older plain `next_id` gets them next. Their old place and number stay in the row: for a `next_id`
 * that counts them, and because callers know them by their old id. Runs at every start, in the
 * caller's transaction, because the older program may have run again after a rollback.
 */
export function takeOverLateCheckIns({ sql }: Connection): void {
  const counted = (name: string) =>
    (sql('SELECT value FROM counter WHERE name = ?').get(name) as { value: number } | undefined)?.value ?? 0;
  const late = counted('late');
  if (late === 0) return;
  // Check-ins from before the initialization are returned to nobody and keep their place.
  const since = sql("SELECT value FROM meta WHERE key = 'checkins_since'").get() as { value: string } | undefined;
  sql('UPDATE checkin SET late_no = NULL WHERE late_no IS NOT NULL AND id <= ?').run(
    since ? (JSON.parse(since.value) as { id: number }).id : Number.MAX_SAFE_INTEGER,
  );
  const last = counted('checkin');
  const { before } = sql('SELECT coalesce(max(old_late_no), 0) AS before FROM checkin').get() as { before: number };
  sql(
    `UPDATE checkin SET shown_id = coalesce(shown_id, id), old_late_no = late_no + ?, id = late_no + ?, late_no = NULL
     WHERE late_no IS NOT NULL`,
  ).run(before, last);
  sql("UPDATE counter SET value = value + ? WHERE name = 'checkin'").run(late);
  sql("UPDATE counter SET value = 0 WHERE name = 'late'").run();
  sql(
    "INSERT INTO counter (name, value) VALUES ('taken_over', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  ).run(last + late);
}
