import { planErrors } from '../../../words/plans.ts';
import type { OperationContext } from '../../domain.ts';
import type { Leave, PlanOutcome } from '../../port/schedules.ts';
import type { StoreWrites } from '../../port/store.ts';
import { leaveById } from '../../readers/plan-rows.ts';
import { People } from '../organization/people.ts';
import { Employments } from '../schedules/employments.ts';
import { done, Plans, refused } from '../schedules/plans.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

export const putShift = (context: OperationContext, { shift, at, by }: Input<'putShift'>): PlanOutcome =>
  new Plans(context).putShift(shift, { at, by });

export const removeShift = (context: OperationContext, { code }: Input<'removeShift'>): PlanOutcome =>
  new Plans(context).removeShift(code);

export const putRosterRule = (
  context: OperationContext,
  { id, rule, at, by }: Input<'putRosterRule'>,
): PlanOutcome<number> => new Plans(context).putRule(id, rule, { at, by });

export const removeRosterRule = ({ sql }: OperationContext, { id }: Input<'removeRosterRule'>): boolean =>
  Number(sql('DELETE FROM roster_rule WHERE id = ?').run(id).changes) > 0;

export const putDayOverride = (
  context: OperationContext,
  { override, at, by }: Input<'putDayOverride'>,
): PlanOutcome<number> => new Plans(context).putOverride(override, { at, by });

export const removeDayOverride = ({ sql }: OperationContext, { id }: Input<'removeDayOverride'>): boolean =>
  Number(sql('DELETE FROM day_override WHERE id = ?').run(id).changes) > 0;

export const setEmployment = (context: OperationContext, { employment }: Input<'setEmployment'>): PlanOutcome =>
  new Employments(context).put(employment);

export const leaveTerminals = (context: OperationContext, { today, minute, limit }: Input<'leaveTerminals'>): number =>
  new Employments(context).leaveTerminals(today, minute, limit);

export function putLeave(context: OperationContext, { id, leave, at, by }: Input<'putLeave'>): PlanOutcome<number> {
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

export function decideLeave(context: OperationContext, { id, state, at, by }: Input<'decideLeave'>): PlanOutcome {
  const before = leaveById(context, id);
  if (!before) return refused({ path: ['id'], ...planErrors.say('no_such_leave') });
  if (!mayBecome[before.state].includes(state))
    return refused({ path: ['state'], ...planErrors.say('leave_is_already', { state: before.state }) });
  context.sql('UPDATE leave SET state = ?, decided_at = ?, decided_by = ? WHERE id = ?').run(state, at, by, id);
  return done;
}
