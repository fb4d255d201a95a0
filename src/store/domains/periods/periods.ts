import { namesNobody } from '../../../platform/reserved-names.ts';
import type { UnixMs } from '../../../runtime/clock.ts';
import type { OperationContext, ReadsOf, WritesOf } from '../../domain.ts';
import { reads } from './reads.ts';
import { isStale, type Period, type PeriodChange, type PeriodState } from './tables.ts';

export interface NewFrozenRow {
  readonly extId: string;
  readonly name: string;
  readonly employeeNum: string;
  /** External ids of the person's department and of those above it. */
  readonly departments: readonly string[];
  readonly packed: Uint8Array;
}

export type PeriodRefusal =
  /** The month is closed for this scope. */
  | 'closed'
  /** A closing is being written: only one at a time. */
  | 'closing'
  | 'unknown'
  /** No longer closed, or followed by another revision. */
  | 'not_closed'
  /** Somebody has asked for it. */
  | 'already'
  | 'not_asked'
  /** Approval by the person who asked. */
  | 'same_person';

type PeriodOutcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: PeriodRefusal };

interface Made {
  /** An account, or `command`. */
  readonly by: string;
  readonly at: UnixMs;
}

interface OfOne {
  readonly id: number;
}

const no = (why: PeriodRefusal): { ok: false; why: PeriodRefusal } => ({ ok: false, why });

interface BegunClosing extends Pick<Period, 'month' | 'scopeId' | 'scopeName' | 'forced' | 'timeZone' | 'rules'>, Made {
  /** People of the scope. */
  readonly people: number;
  /** The draft that was cut, and is begun again. */
  readonly instead: number | null;
}

/**
 * Begins a revision, which counts only when it is finished; a draft of the same scope is dropped.
 * Refused `closing` while another one is written, and `unknown` when the draft that it begins again
 * is gone.
 */
function beginClosing(
  context: OperationContext,
  { month, scopeId, scopeName, forced, timeZone, rules, people, instead, by, at }: BegunClosing,
): PeriodOutcome<{ readonly id: number; readonly revision: number }> {
  const { sql } = context;
  const drafts = sql(
    "SELECT id, month, scope_id, closed_at, attempt, refusal FROM period WHERE state = 'closing'",
  ).all() as unknown as Draft[];
  const before = drafts.find(({ id }) => id === instead);
  if (instead !== null && before === undefined) return no('unknown');
  const isWritten = (draft: Draft) => draft.refusal === null && !isStale(draft.closed_at, at);
  if (drafts.some(draft => draft !== before && isWritten(draft))) return no('closing');
  for (const draft of drafts)
    if (draft.month === month && draft.scope_id === scopeId) dropClosing(context, { id: draft.id });
  const last = sql(
    'SELECT revision, state FROM period WHERE month = ? AND scope_id = ? ORDER BY revision DESC LIMIT 1',
  ).get(month, scopeId) as { revision: number; state: PeriodState } | undefined;
  if (last && last.state !== 'reopened') return no('closed');
  const revision = (last?.revision ?? 0) + 1;
  const { id } = sql(
    `INSERT INTO period
       (month, scope_id, scope_name, revision, state, closed_at, closed_by, forced, time_zone, rules, attempt, people_all)
     VALUES (?, ?, ?, ?, 'closing', ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  ).get(
    ...[month, scopeId, scopeName, revision, at, by, forced, timeZone, rules],
    ...[(before?.attempt ?? 0) + 1, people],
  ) as { id: number };
  return { ok: true, value: { id, revision } };
}

interface Draft {
  id: number;
  month: string;
  scope_id: string;
  closed_at: number;
  attempt: number;
  refusal: string | null;
}

const isDraft = ({ sql }: OperationContext, id: number): boolean =>
  sql("SELECT 1 FROM period WHERE id = ? AND state = 'closing'").get(id) !== undefined;

/** Adds rows to a draft. `done`: how many people its writer has come past. */
function freezeRows(
  context: OperationContext,
  {
    id,
    rows,
    done,
    at,
  }: OfOne & { readonly rows: readonly NewFrozenRow[]; readonly done: number; readonly at: UnixMs },
): void {
  if (!isDraft(context, id)) return;
  const { sql } = context;
  for (const { extId, name, employeeNum, departments, packed } of rows)
    sql(
      'INSERT INTO period_row (period_id, ext_id, name, employee_num, departments, packed) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(id, extId, name, employeeNum, JSON.stringify(departments), packed);
  sql('UPDATE period SET closed_at = ?, people_done = ? WHERE id = ?').run(at, done, id);
}

/** From here on the month is closed. Refused `unknown` if the draft was dropped. */
function finishClosing(
  context: OperationContext,
  { id, head, foot, hash, at }: Pick<Period, 'id' | 'head' | 'foot' | 'hash'> & { readonly at: UnixMs },
): PeriodOutcome<null> {
  if (!isDraft(context, id)) return no('unknown');
  context
    .sql("UPDATE period SET state = 'closed', head = ?, foot = ?, hash = ?, closed_at = ? WHERE id = ?")
    .run(head, foot, hash, at, id);
  return { ok: true, value: null };
}

function dropClosing(context: OperationContext, { id }: OfOne): void {
  if (isDraft(context, id)) remove(context, id);
}

/** A draft that is not finished, and why: it stays without its rows, for whoever asked. */
function refuseClosing(context: OperationContext, { id, refusal }: OfOne & { readonly refusal: string }): void {
  if (!isDraft(context, id)) return;
  removeRows(context, id);
  context.sql('UPDATE period SET refusal = ? WHERE id = ?').run(refusal, id);
}

function removeRows({ sql }: OperationContext, id: number): void {
  sql('DELETE FROM period_change WHERE period_id = ?').run(id);
  sql('DELETE FROM period_row WHERE period_id = ?').run(id);
}

function remove(context: OperationContext, id: number): void {
  removeRows(context, id);
  context.sql('DELETE FROM period WHERE id = ?').run(id);
}

interface AskedRow {
  state: PeriodState;
  reopen_asked_by: string | null;
}

const periodOf = ({ sql }: OperationContext, id: number): AskedRow | undefined =>
  sql("SELECT state, reopen_asked_by FROM period WHERE id = ? AND state <> 'closing'").get(id) as AskedRow | undefined;

/** With `approve` it is open at once; otherwise another person has to approve. */
function askReopening(
  context: OperationContext,
  { id, reason, approve, by, at }: OfOne & { readonly reason: string; readonly approve: boolean } & Made,
): PeriodOutcome<PeriodState> {
  const row = periodOf(context, id);
  if (!row) return no('unknown');
  if (row.state === 'reopen_asked') return no('already');
  if (row.state !== 'closed') return no('not_closed');
  context
    .sql(
      `UPDATE period SET state = 'reopen_asked', reopen_reason = ?, reopen_asked_at = ?, reopen_asked_by = ? WHERE id = ?`,
    )
    .run(reason, at, by, id);
  return approve ? reopen(context, id, by, at) : { ok: true, value: 'reopen_asked' };
}

/** Not approved: the month stays closed. Who asked may not approve. */
function decideReopening(
  context: OperationContext,
  { id, approve, by, at }: OfOne & { readonly approve: boolean } & Made,
): PeriodOutcome<PeriodState> {
  const row = periodOf(context, id);
  if (!row) return no('unknown');
  if (row.state !== 'reopen_asked') return no('not_asked');
  if (approve && (row.reopen_asked_by === by || namesNobody(row.reopen_asked_by ?? ''))) return no('same_person');
  if (approve) return reopen(context, id, by, at);
  context
    .sql(
      `UPDATE period SET state = 'closed', reopen_reason = NULL, reopen_asked_at = NULL, reopen_asked_by = NULL WHERE id = ?`,
    )
    .run(id);
  return { ok: true, value: 'closed' };
}

function reopen({ sql }: OperationContext, id: number, by: string, at: number): PeriodOutcome<PeriodState> {
  sql("UPDATE period SET state = 'reopened', reopened_at = ?, reopened_by = ? WHERE id = ?").run(at, by, id);
  return { ok: true, value: 'reopened' };
}

/**
 * Sets what differs for the people who were looked at: their changes of this kind that are not
 * among `changes` are gone.
 */
function notePeriodChanges(
  { sql }: OperationContext,
  {
    id,
    kind,
    lookedAt,
    changes,
    at,
  }: OfOne & {
    readonly kind: PeriodChange['kind'];
    readonly lookedAt: readonly string[];
    readonly changes: readonly Omit<PeriodChange, 'kind' | 'noticedAt'>[];
    readonly at: UnixMs;
  },
): void {
  if (!sql('SELECT 1 FROM period WHERE id = ?').get(id)) return;
  const kept = new Set(changes.map(({ extId, date }) => `${extId} ${date}`));
  for (const extId of lookedAt) {
    const dates = sql('SELECT date FROM period_change WHERE period_id = ? AND kind = ? AND ext_id = ?').all(
      id,
      kind,
      extId,
    ) as { date: string }[];
    for (const { date } of dates)
      if (!kept.has(`${extId} ${date}`))
        sql('DELETE FROM period_change WHERE period_id = ? AND kind = ? AND ext_id = ? AND date = ?').run(
          id,
          kind,
          extId,
          date,
        );
  }
  for (const { extId, name, date, was, now } of changes)
    sql(
      `INSERT INTO period_change (period_id, kind, ext_id, name, date, was, now, noticed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (period_id, kind, ext_id, date) DO UPDATE SET now = excluded.now, noticed_at = excluded.noticed_at
       WHERE period_change.now IS DISTINCT FROM excluded.now`,
    ).run(id, kind, extId, name, date, was, now, at);
}

/** The late changes are those of these inputs. */
function notePeriodChecked(
  { sql }: OperationContext,
  { id, of, at }: OfOne & { readonly of: string; readonly at: UnixMs },
): void {
  sql('UPDATE period SET checked_of = ?, checked_at = ? WHERE id = ?').run(of, at, id);
}

/** Removes closings of months before this one. Returns how many. */
function dropPeriods(context: OperationContext, { before }: { readonly before: string }): number {
  const rows = context
    .sql("SELECT id FROM period WHERE month < ? AND (state <> 'closing' OR refusal IS NOT NULL)")
    .all(before);
  for (const { id } of rows as { id: number }[]) remove(context, id);
  return rows.length;
}

const writes = {
  beginClosing,
  freezeRows,
  finishClosing,
  dropClosing,
  refuseClosing,
  askReopening,
  decideReopening,
  notePeriodChanges,
  notePeriodChecked,
  dropPeriods,
};

export type { ClosingDraft, FrozenRow, Period, PeriodChange, PeriodState } from './tables.ts';

/**
 * Months that were closed. The figures of a closed month are kept as they were; nothing computes
 * them again (docs/decisions/schedules.md).
 */
export const periods = { reads, writes };

export type PeriodReads = ReadsOf<typeof periods>;
export type PeriodWrites = WritesOf<typeof periods>;
