import { isReservedName } from '../../../platform/reserved-names.ts';
import type { UnixMs } from '../../../runtime/clock.ts';
import type { OperationContext } from '../../domain.ts';
import type { Period, PeriodChange, PeriodState } from './tables.ts';

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

export type PeriodOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: PeriodRefusal };

interface Made {
  /** An account, or `command`. */
  readonly by: string;
  readonly at: UnixMs;
}

interface OfOne {
  readonly id: number;
}

/** Nothing was added to a draft for so long: its writer has gone. */
const draftMs = 2 * 60_000;

const no = (why: PeriodRefusal): { ok: false; why: PeriodRefusal } => ({ ok: false, why });

/**
 * Begins a revision, which counts only when it is finished. A draft to which nothing was added for
 * two minutes is dropped: its writer has gone.
 */
function beginClosing(
  context: OperationContext,
  {
    month,
    scopeId,
    scopeName,
    forced,
    timeZone,
    rules,
    by,
    at,
  }: Pick<Period, 'month' | 'scopeId' | 'scopeName' | 'forced' | 'timeZone' | 'rules'> & Made,
): PeriodOutcome<{ readonly id: number; readonly revision: number }> {
  const { sql } = context;
  const drafts = sql("SELECT id, closed_at FROM period WHERE state = 'closing'").all() as unknown as Draft[];
  // A clock that was set back does not keep a draft for ever.
  if (drafts.some(draft => Math.abs(at - draft.closed_at) < draftMs)) return no('closing');
  for (const { id } of drafts) dropClosing(context, { id });
  const last = sql(
    'SELECT revision, state FROM period WHERE month = ? AND scope_id = ? ORDER BY revision DESC LIMIT 1',
  ).get(month, scopeId) as { revision: number; state: PeriodState } | undefined;
  if (last && last.state !== 'reopened') return no('closed');
  const revision = (last?.revision ?? 0) + 1;
  const { id } = sql(
    `INSERT INTO period (month, scope_id, scope_name, revision, state, closed_at, closed_by, forced, time_zone, rules)
     VALUES (?, ?, ?, ?, 'closing', ?, ?, ?, ?, ?) RETURNING id`,
  ).get(month, scopeId, scopeName, revision, at, by, forced, timeZone, rules) as { id: number };
  return { ok: true, value: { id, revision } };
}

interface Draft {
  id: number;
  closed_at: number;
}

const isDraft = ({ sql }: OperationContext, id: number): boolean =>
  sql("SELECT 1 FROM period WHERE id = ? AND state = 'closing'").get(id) !== undefined;

/** Adds rows to a draft. */
function freezeRows(
  context: OperationContext,
  { id, rows, at }: OfOne & { readonly rows: readonly NewFrozenRow[]; readonly at: UnixMs },
): void {
  if (!isDraft(context, id)) return;
  const { sql } = context;
  for (const { extId, name, employeeNum, departments, packed } of rows)
    sql(
      'INSERT INTO period_row (period_id, ext_id, name, employee_num, departments, packed) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(id, extId, name, employeeNum, JSON.stringify(departments), packed);
  sql('UPDATE period SET closed_at = ? WHERE id = ?').run(at, id);
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

function remove({ sql }: OperationContext, id: number): void {
  sql('DELETE FROM period_change WHERE period_id = ?').run(id);
  sql('DELETE FROM period_row WHERE period_id = ?').run(id);
  sql('DELETE FROM period WHERE id = ?').run(id);
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
  if (approve && (row.reopen_asked_by === by || isReservedName(row.reopen_asked_by ?? ''))) return no('same_person');
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
  const rows = context.sql("SELECT id FROM period WHERE month < ? AND state <> 'closing'").all(before);
  for (const { id } of rows as { id: number }[]) remove(context, id);
  return rows.length;
}

export const writes = {
  beginClosing,
  freezeRows,
  finishClosing,
  dropClosing,
  askReopening,
  decideReopening,
  notePeriodChanges,
  notePeriodChecked,
  dropPeriods,
};
