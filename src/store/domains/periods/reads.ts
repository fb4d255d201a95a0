import { createHash } from 'node:crypto';
import type { DateText } from '../../../platform/shifts.ts';
import type { UnixMs, UnixSeconds } from '../../../runtime/clock.ts';
import type { Reading } from '../../domain.ts';
import type { StoodIn } from '../../port/people.ts';
import { stoodIn as peopleWhoStoodIn } from '../../readers/people-scope.ts';
import { type ClosingDraft, type FrozenRow, isStale, type Period, type PeriodChange } from './tables.ts';

const changesOf = (kind: PeriodChange['kind']): string =>
  `(SELECT count(*) FROM period_change c WHERE c.period_id = p.id AND c.kind = '${kind}')`;

const periodColumns = `p.id, p.month, p.scope_id AS scopeId, p.scope_name AS scopeName, p.revision, p.state,
  p.closed_at AS closedAt, p.closed_by AS closedBy, p.forced, p.time_zone AS timeZone, p.rules, p.hash, p.head, p.foot,
  p.reopen_reason AS reopenReason, p.reopen_asked_at AS reopenAskedAt, p.reopen_asked_by AS reopenAskedBy,
  p.reopened_at AS reopenedAt, p.reopened_by AS reopenedBy, p.checked_at AS checkedAt, p.checked_of AS checkedOf,
  ${changesOf('late')} AS late, ${changesOf('revision')} AS revised`;

const rowColumns = 'r.id, r.period_id AS periodId, p.revision, p.month, r.ext_id AS extId, r.departments, r.packed';
const isClosed = `p.state IN ('closed', 'reopen_asked')`;

/** Inputs that `periodInputs` counts: rows of each kind, and the newest of them. */
const inputs = `SELECT
  (SELECT count(*) || ' ' || coalesce(max(id), 0) FROM checkin WHERE check_time_seconds >= ?1 AND check_time_seconds < ?2) AS checkins,
  (SELECT count(*) || ' ' || coalesce(max(i.id), 0) FROM correction_item i
     WHERE i.at_seconds >= ?1 AND i.at_seconds < ?2) AS corrections,
  (SELECT count(*) || ' ' || coalesce(max(decided_at), 0) FROM correction_decision) AS decisions,
  (SELECT count(*) || ' ' || coalesce(max(recorded_at), 0) || ' ' || coalesce(max(decided_at), 0) FROM leave
     WHERE from_time < ?4 AND to_time > ?3) AS leaves,
  (SELECT count(*) || ' ' || coalesce(max(recorded_at), 0) FROM roster_rule WHERE from_date <= ?4) AS rosters,
  (SELECT count(*) || ' ' || coalesce(max(id), 0) || ' ' || coalesce(max(recorded_at), 0) FROM day_override
     WHERE date >= ?3 AND date <= ?4) AS days,
  (SELECT count(*) || ' ' || coalesce(max(id), 0) FROM shift_version WHERE valid_from <= ?4) AS shifts,
  (SELECT count(*) || ' ' || coalesce(total(unixepoch(from_date)), 0) || ' ' || coalesce(total(unixepoch(to_date)), 0)
     FROM employment) AS employments,
  (SELECT count(*) || ' ' || coalesce(total(id), 0) || ' ' || coalesce(total(unixepoch(until)), 0)
     FROM former_place WHERE until >= ?3) AS places`;

/** Few people have worked here before: sums as of the others would hide a change among them. */
const earlierStints = `SELECT ext_id, earlier FROM employment WHERE earlier <> '[]' ORDER BY ext_id`;

/** Closed months. Hand-written: the query builder would say the same in three times the text. */
export function reads({ connection: { sql } }: Reading) {
  const periods = (where: string) => `SELECT ${periodColumns} FROM period p WHERE p.state <> 'closing' AND ${where}`;
  return {
    /** Newest month first, of a month the newest closing first. `month` absent: of all months. */
    async periods({
      month,
      limit,
    }: {
      readonly month?: string | undefined;
      readonly limit: number;
    }): Promise<Period[]> {
      const found = sql(
        `${periods('(p.month = ?1 OR ?1 IS NULL)')} ORDER BY p.month DESC, p.closed_at DESC, p.id DESC LIMIT ?2`,
      ).all(month ?? null, limit);
      return found as unknown as Period[];
    },

    /** Null if there is none of this id. */
    async period(id: number): Promise<Period | null> {
      return (sql(periods('p.id = ?1')).get(id) as unknown as Period | undefined) ?? null;
    },

    /** Closings that are being written, were cut, or were refused; oldest first. */
    async closingDrafts({ now }: { readonly now: UnixMs }): Promise<ClosingDraft[]> {
      const found = sql(
        `SELECT id, month, scope_id AS scopeId, scope_name AS scopeName, revision, forced, closed_by AS closedBy,
           closed_at AS closedAt, attempt, people_all AS peopleAll, people_done AS peopleDone, refusal
         FROM period WHERE state = 'closing' ORDER BY id`,
      ).all() as unknown as (Omit<ClosingDraft, 'isStale'> & { readonly closedAt: UnixMs })[];
      return found.map(({ closedAt, ...draft }) => ({ ...draft, isStale: isStale(closedAt, now) }));
    },

    /** Closed rows of people in months; at most one for each person and month. */
    async frozenRows({
      months,
      extIds,
    }: {
      readonly months: readonly string[];
      readonly extIds: readonly string[];
    }): Promise<FrozenRow[]> {
      if (months.length === 0 || extIds.length === 0) return [];
      // Most boxes have closed nothing in these months.
      const closed = sql(
        `SELECT 1 FROM period p WHERE ${isClosed} AND p.month IN (SELECT value FROM json_each(?)) LIMIT 1`,
      ).get(JSON.stringify(months));
      if (!closed) return [];
      const found = sql(
        `SELECT ${rowColumns} FROM period_row r JOIN period p ON p.id = r.period_id
         WHERE r.ext_id IN (SELECT value FROM json_each(?1)) AND ${isClosed}
           AND p.month IN (SELECT value FROM json_each(?2)) ORDER BY r.id`,
      ).all(JSON.stringify(extIds), JSON.stringify(months));
      return found as unknown as FrozenRow[];
    },

    /** Of one revision, closed or reopened, in their order. */
    async rowsOfPeriod({
      id,
      extIds,
      after,
      limit,
    }: {
      readonly id: number;
      /** Absent: of everybody. */
      readonly extIds?: readonly string[] | undefined;
      readonly after?: number | undefined;
      readonly limit: number;
    }): Promise<FrozenRow[]> {
      const found = sql(
        `SELECT ${rowColumns} FROM period_row r JOIN period p ON p.id = r.period_id
         WHERE r.period_id = ?1 AND r.id > ?2 AND (r.ext_id IN (SELECT value FROM json_each(?3)) OR ?3 IS NULL)
         ORDER BY r.id LIMIT ?4`,
      ).all(id, after ?? 0, extIds === undefined ? null : JSON.stringify(extIds), limit);
      return found as unknown as FrozenRow[];
    },

    /**
     * Closed rows of people who were in the scope then and are not now: they have moved, or were
     * deleted.
     */
    async frozenOfOthers({
      month,
      departmentExtId,
      stoodIn,
      text,
      after,
      limit,
    }: {
      readonly month: string;
      readonly departmentExtId?: string | undefined;
      /** People who are in the scope now, and are left out. */
      readonly stoodIn?: StoodIn | undefined;
      readonly text?: string | undefined;
      readonly after?: number | undefined;
      readonly limit: number;
    }): Promise<FrozenRow[]> {
      const ofAll = departmentExtId === undefined;
      const departments = '(SELECT CAST(value AS INTEGER) FROM json_each(?6))';
      const stood = peopleWhoStoodIn(String.raw, { departments, from: '?7', to: '?8' });
      const isHere = `EXISTS (SELECT 1 FROM employee WHERE employee.ext_id = r.ext_id
        AND (CAST(?6 AS TEXT) IS NULL OR ${stood}))`;
      const wasHere = ofAll
        ? 'CAST(?2 AS TEXT) IS NULL'
        : 'EXISTS (SELECT 1 FROM json_each(r.departments) WHERE value = ?2)';
      const found = sql(
        `SELECT ${rowColumns} FROM period p JOIN period_row r ON r.period_id = p.id
         WHERE p.month = ?1 AND ${isClosed} AND r.id > ?3 AND ${wasHere} AND NOT ${isHere}
           AND (?4 = '' OR instr(lower(r.name || char(10) || r.employee_num || char(10) || r.ext_id), ?4) > 0)
         ORDER BY r.id LIMIT ?5`,
      ).all(
        ...[month, departmentExtId ?? null, after ?? 0, text?.toLowerCase() ?? '', limit],
        ...[stoodIn ? JSON.stringify(stoodIn.departmentIds) : null, stoodIn?.from ?? '', stoodIn?.to ?? ''],
      );
      return found as unknown as FrozenRow[];
    },

    /** By name, then date. */
    async periodChanges({
      id,
      kind,
      limit,
    }: {
      readonly id: number;
      readonly kind: PeriodChange['kind'];
      readonly limit: number;
    }): Promise<PeriodChange[]> {
      const found = sql(
        `SELECT kind, ext_id AS extId, name, date, was, now, noticed_at AS noticedAt FROM period_change
         WHERE period_id = ? AND kind = ? ORDER BY name, ext_id, date LIMIT ?`,
      ).all(id, kind, limit);
      return found as unknown as PeriodChange[];
    },

    /**
     * A text that changes when a check-in, a correction, a leave or a plan that days of this span
     * may depend on comes, goes or changes.
     */
    async periodInputs({
      from,
      to,
      fromDate,
      toDate,
    }: {
      readonly from: UnixSeconds;
      readonly to: UnixSeconds;
      readonly fromDate: DateText;
      readonly toDate: DateText;
    }): Promise<string> {
      const stints = sql(earlierStints).all();
      const earlier =
        stints.length > 0 ? createHash('sha256').update(JSON.stringify(stints)).digest('base64') : undefined;
      return JSON.stringify({ ...sql(inputs).get(from, to, fromDate, `${toDate}~`), earlier });
    },
  };
}
