import type { DateText, Shift } from '../../../platform/shifts.ts';
import { planErrors } from '../../../words/plans.ts';
import type { OperationContext, PartOf, ReadsOf, WritesOf } from '../../domain.ts';
import { People } from '../../people/people.ts';
import { Employments, type NewEmployment } from './employments.ts';
import { leaveById, reads } from './reads.ts';
import { done, Plans, refused } from './roster.ts';
import type { DayOverride, Leave, PlanOutcome, Recorded, RosterRule } from './tables.ts';

/**
 * Adds a version of a shift, or replaces the one of the same date. Refused where a roster has it
 * beside a shift whose times it would run into. The shape was checked (`shiftProblems`).
 */
const putShift = (context: OperationContext, { shift, at, by }: { shift: Shift } & Recorded): PlanOutcome =>
  new Plans(context).putShift(shift, { at, by });

/** All versions of a shift. Refused while a roster or a day names it. */
const removeShift = (context: OperationContext, { code }: { code: string }): PlanOutcome =>
  new Plans(context).removeShift(code);

/**
 * Adds a rule, or with `id` changes one, which keeps its place among its equals. A target has one
 * rule from a date on. Returns the id.
 */
const putRosterRule = (
  context: OperationContext,
  { id, rule, at, by }: { id: number | null; rule: Omit<RosterRule, 'id' | 'recordedAt' | 'recordedBy'> } & Recorded,
): PlanOutcome<number> => new Plans(context).putRule(id, rule, { at, by });

/** Returns false if there is none. */
const removeRosterRule = ({ sql }: OperationContext, { id }: { id: number }): boolean =>
  Number(sql('DELETE FROM roster_rule WHERE id = ?').run(id).changes) > 0;

/** Adds what a date is for a target, or replaces what it was. Returns the id. */
const putDayOverride = (
  context: OperationContext,
  { override, at, by }: { override: Omit<DayOverride, 'id'> } & Recorded,
): PlanOutcome<number> => new Plans(context).putOverride(override, { at, by });

const removeDayOverride = ({ sql }: OperationContext, { id }: { id: number }): boolean =>
  Number(sql('DELETE FROM day_override WHERE id = ?').run(id).changes) > 0;

/**
 * Sets when a person is employed; a single stint without ends: always. Without `earlier` the
 * stints before stay, and a first day after the last one begins a new stint (`stintsAfter`).
 * Refused are stints that overlap or are out of order (`stintProblem`). Who is back is sent to
 * the terminals at once, also where the first day is still to come; who has left the last stint
 * leaves them with `leaveTerminals`.
 */
const setEmployment = (context: OperationContext, { employment }: { employment: NewEmployment }): PlanOutcome =>
  new Employments(context).put(employment);

/**
 * Takes people off the terminals whose last day is before `today`, and are still on them; at most
 * `limit`. Who works a night that began on that day stays until its window has ended, `minute`
 * being that of today. Returns how many. Their features stay in the store.
 */
const leaveTerminals = (
  context: OperationContext,
  { today, minute, limit }: { today: DateText; minute: number; limit: number },
): number => new Employments(context).leaveTerminals(today, minute, limit);

/** Adds a leave, or with `id` changes one that is asked or approved. Returns the id. */
function putLeave(
  context: OperationContext,
  { id, leave, at, by }: { id: number | null; leave: Omit<Leave, 'id'> & { readonly reason: string } } & Recorded,
): PlanOutcome<number> {
  const { sql } = context;
  const { extId, from, to, kind, paid, state, reason } = leave;
  if (!new People(context).byExtId(extId))
    return refused({ path: ['extId'], ...planErrors.say('nobody_has_id', { id: extId }) });
  if (to <= from) return refused({ path: ['to'], ...planErrors.say('leave_ends_early', { from, to }) });
  const before = id === null ? null : leaveById(context, id);
  if (id !== null && !before) return refused({ path: ['id'], ...planErrors.say('no_such_leave') });
  if (before && before.state !== 'asked' && before.state !== 'approved')
    return refused({ path: ['state'], ...planErrors.say('leave_is', { state: before.state }) });
  const other = sql(
    `SELECT from_time, to_time FROM leave WHERE ext_id = ? AND from_time < ? AND to_time > ? AND state IN ('asked', 'approved')
       AND id IS DISTINCT FROM ? LIMIT 1`,
  ).get(extId, to, from, id) as { from_time: string; to_time: string } | undefined;
  if (other)
    return refused({
      path: ['from'],
      ...planErrors.say('leave_overlaps', { from: other.from_time, to: other.to_time }),
    });
  const decided = state === 'asked' ? ([null, null] as const) : ([at, by] as const);
  if (before) {
    sql(
      'UPDATE leave SET ext_id = ?, from_time = ?, to_time = ?, kind = ?, paid = ?, state = ?, reason = ?, decided_at = ?, decided_by = ? WHERE id = ?',
    ).run(extId, from, to, kind, Number(paid), state, reason, ...decided, before.id);
    return { ok: true, value: before.id };
  }
  const { id: value } = sql(
    'INSERT INTO leave (ext_id, from_time, to_time, kind, paid, state, reason, recorded_at, recorded_by, decided_at, decided_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id',
  ).get(extId, from, to, kind, Number(paid), state, reason, at, by, ...decided) as { id: number };
  return { ok: true, value };
}

const mayBecome: Readonly<Record<Leave['state'], readonly Leave['state'][]>> = {
  asked: ['approved', 'refused', 'withdrawn'],
  approved: ['withdrawn'],
  refused: [],
  withdrawn: [],
};

/** Asked becomes any; approved becomes withdrawn. */
function decideLeave(
  context: OperationContext,
  { id, state, at, by }: { id: number; state: Exclude<Leave['state'], 'asked'> } & Recorded,
): PlanOutcome {
  const before = leaveById(context, id);
  if (!before) return refused({ path: ['id'], ...planErrors.say('no_such_leave') });
  if (!mayBecome[before.state].includes(state))
    return refused({ path: ['state'], ...planErrors.say('leave_is_already', { state: before.state }) });
  context.sql('UPDATE leave SET state = ?, decided_at = ?, decided_by = ? WHERE id = ?').run(state, at, by, id);
  return done;
}

/**
 * Plans: shifts, who works which from when, single days, who is employed from when to when, and
 * leave. What somebody worked is nowhere stored: it is computed from these and the punches
 * (docs/decisions/schedules.md).
 */
export const plans = {
  reads,
  writes: {
    putShift,
    removeShift,
    putRosterRule,
    removeRosterRule,
    putDayOverride,
    removeDayOverride,
    setEmployment,
    leaveTerminals,
    putLeave,
    decideLeave,
  },
};

export type ScheduleStore = PartOf<typeof plans>;
export type ScheduleReads = ReadsOf<typeof plans>;
export type ScheduleWrites = WritesOf<typeof plans>;
