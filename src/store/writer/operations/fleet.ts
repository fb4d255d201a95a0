import type { StoreWrites } from '../../port/store.ts';
import { heardService, type StoredHeard } from '../../readers/fleet.ts';
import type { OperationContext } from '../operation-context.ts';

/** A backlog grows if it is larger than this long ago. */
const comparedAfterMs = 10 * 60_000;
const nothing: StoredHeard = { report: null, reportedAt: 0, earlier: null, before: null };

export function noteBoxHeard(
  { sql }: OperationContext,
  { boxId, at, report }: Parameters<StoreWrites['noteBoxHeard']>[0],
): void {
  const row = sql('SELECT value FROM remembered WHERE service = ? AND key = ?').get(heardService, boxId) as
    | { value: string }
    | undefined;
  const known = row ? (JSON.parse(row.value) as StoredHeard) : nothing;
  const value: StoredHeard = report
    ? { report, reportedAt: at, ...comparedWith(known, at, report.outbox?.waiting ?? null) }
    : known;
  sql(
    `INSERT INTO remembered (service, key, value, at) VALUES (?, ?, ?, ?)
       ON CONFLICT (service, key) DO UPDATE SET value = excluded.value, at = excluded.at`,
  ).run(heardService, boxId, JSON.stringify(value), at);
}

/** A clock that was set back begins again. */
function comparedWith({ earlier, before }: StoredHeard, at: number, waiting: number | null) {
  if (waiting === null) return { earlier: null, before: null };
  if (earlier === null || at < earlier.at) return { earlier: { at, waiting }, before: null };
  if (at - earlier.at < comparedAfterMs) return { earlier, before };
  return { earlier: { at, waiting }, before: earlier.waiting };
}
