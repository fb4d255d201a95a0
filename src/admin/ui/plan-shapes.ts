import { z } from '@hono/zod-openapi';
import { type PlanProblem, type Shift, shiftLimits } from '../../platform/shifts.ts';
import { isDay } from '../../runtime/calendar-date.ts';
import type { DayOverride, LeaveRow, PlanOutcome, PlanTarget, RosterRule } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { planErrors } from '../../words/plans.ts';
import type { Report } from '../operation.ts';
import { dayText, extIdText } from '../people-shapes.ts';
import { refused } from '../problem.ts';

/** Plans as the admin API writes them. Minutes are counted from 00:00 of the work date. */

const minutes = (max: number = shiftLimits.minutesMax) => z.number().int().min(0).max(max);
const dayMinute = minutes(shiftLimits.minuteMax);
// A refinement: a pattern of /openapi.json has no flag for letters of every language.
const code = z
  .string()
  .min(1)
  .max(32)
  .refine(text => /^[\p{L}\p{N}._-]+$/u.test(text), { error: 'a code has letters, digits, ".", "_" and "-"' });

/** `0000-01-01` is the first version's. */
export const shift = z.object({
  code,
  name: z.string().trim().min(1).max(30),
  valid_from: dayText.describe(described('0000-01-01: the first version', '0000-01-01：第一个版本')),
  kind: z.enum(['fixed', 'flexible', 'free']),
  segments: z
    .array(
      z.object({
        on: dayMinute,
        off: dayMinute,
        before: minutes(),
        after: minutes(),
        need_in: z.boolean(),
        need_out: z.boolean(),
      }),
    )
    .max(shiftLimits.segmentsMax),
  breaks: z.array(z.object({ from: dayMinute, to: dayMinute, paid: z.boolean() })).max(shiftLimits.breaksMax),
  late_grace: minutes(240),
  early_grace: minutes(240),
  flex_late: minutes(720),
  flex_early: minutes(720),
  late_off_late_on: z.array(z.object({ stayed: minutes(), later: minutes() })).max(shiftLimits.lateOffMax),
  required_minutes: minutes(),
  overtime: z.object({ before: z.boolean(), after: z.boolean(), min: minutes(), step: minutes().min(1) }),
  counting: z.enum(['first_last', 'pairs']),
});
export type ShiftFacts = Report<typeof shift>;

export const shiftFacts = (one: Shift): ShiftFacts => ({
  code: one.code,
  name: one.name,
  valid_from: one.validFrom,
  kind: one.kind,
  segments: one.segments.map(({ needIn, needOut, ...times }) => ({ ...times, need_in: needIn, need_out: needOut })),
  breaks: one.breaks,
  late_grace: one.lateGrace,
  early_grace: one.earlyGrace,
  flex_late: one.flexLate,
  flex_early: one.flexEarly,
  late_off_late_on: one.lateOffLateOn,
  required_minutes: one.requiredMinutes,
  overtime: one.overtime,
  counting: one.counting,
});

export const shiftOf = (one: ShiftFacts): Shift => ({
  code: one.code,
  name: one.name,
  validFrom: one.valid_from,
  kind: one.kind,
  segments: one.segments.map(({ need_in: needIn, need_out: needOut, ...times }) => ({ ...times, needIn, needOut })),
  breaks: one.breaks,
  lateGrace: one.late_grace,
  earlyGrace: one.early_grace,
  flexLate: one.flex_late,
  flexEarly: one.flex_early,
  lateOffLateOn: one.late_off_late_on,
  requiredMinutes: one.required_minutes,
  overtime: one.overtime,
  counting: one.counting,
});

const target = z.object({
  kind: z.enum(['site', 'department', 'person']),
  ext_id: z.string().max(64).default('').describe(described('Empty: the site', '空：站点')),
});
type TargetFacts = Report<typeof target>;

export const targetOf = ({ kind, ext_id: extId }: TargetFacts): PlanTarget =>
  kind === 'site' ? { kind } : { kind, extId };
const targetFacts = (one: PlanTarget): TargetFacts =>
  one.kind === 'site' ? { kind: one.kind, ext_id: '' } : { kind: one.kind, ext_id: one.extId };

export const rosterBody = z.object({
  target,
  cycle: z.array(code.nullable()).min(1).max(shiftLimits.cycleMax).describe(described('Null: a day off', 'null：休息')),
  anchor: dayText.describe(described('A date on which the cycle begins', '周期开始的一个日期')),
  from: dayText,
  to: dayText.nullable().describe(described('Inclusive; null: without an end', '含当天；null：没有结束日期')),
});

export const rosterRow = rosterBody.extend({
  id: z.number(),
  name: z
    .string()
    .describe(
      described(
        'Of the department or person; empty: the site, or one that is not there',
        '部门或人员的名称；空：站点，或已不存在',
      ),
    ),
  recorded_at: z.number(),
  recorded_by: z.string(),
});

export const rosterFacts = ({ id, target: whose, cycle, anchor, from, to, recordedAt, recordedBy }: RosterRule) => ({
  ...{ id, target: targetFacts(whose), cycle: [...cycle], anchor, from, to },
  recorded_at: recordedAt,
  recorded_by: recordedBy,
});

const what = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['rest', 'workday', 'legal_holiday']) }),
  z.object({ kind: z.literal('makeup'), weekday: z.number().int().min(1).max(7) }),
  z.object({ kind: z.literal('shift'), code }),
]);
export const overrideBody = z.object({ date: dayText, target, what, reason: z.string().trim().max(100).default('') });
export const overrideRow = overrideBody.extend({
  id: z.number(),
  name: z.string().describe(described('Of the department or person', '部门或人员的名称')),
});
export const overrideFacts = ({ target: whose, ...one }: DayOverride) => ({ ...one, target: targetFacts(whose) });

const wallTime = z.string().refine(text => /T([01]\d|2[0-3]):[0-5]\d$/.test(text) && isDay(text.slice(0, -6)), {
  error: 'write a time of the site such as 2026-11-16T09:00',
});
export const leaveStates = ['asked', 'approved', 'refused', 'withdrawn'] as const;
export const leaveBody = z.object({
  ext_id: extIdText,
  from: wallTime,
  to: wallTime.describe(described('Exclusive', '不含此时刻')),
  kind: z
    .string()
    .trim()
    .min(1)
    .max(32)
    .describe(described('Such as annual or sick: the site’s own word', '例如年假、病假：站点自己的用词')),
  paid: z.boolean().default(true),
  state: z.enum(['asked', 'approved']).default('approved'),
  reason: z.string().trim().max(200).default(''),
});
export const leaveRow = leaveBody.extend({
  id: z.number(),
  state: z.enum(leaveStates),
  name: z.string(),
  recorded_at: z.number(),
  recorded_by: z.string(),
  decided_at: z.number().nullable(),
  decided_by: z.string().nullable(),
});
export const leaveFacts = ({ extId, recordedAt, recordedBy, decidedAt, decidedBy, ...one }: LeaveRow) => ({
  ...one,
  ext_id: extId,
  recorded_at: recordedAt,
  recorded_by: recordedBy,
  decided_at: decidedAt,
  decided_by: decidedBy,
});

export type RosterFacts = Report<typeof rosterRow>;
export type LeaveFacts = Report<typeof leaveRow>;

/** Stored plan; throws a refusal that names the plan and each problem of it. */
export function stored<T>(plan: string, outcome: PlanOutcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw refusedPlan(plan, outcome.problems);
}

export const refusedPlan = (plan: string, problems: readonly PlanProblem[]) =>
  refused(422, 'plan_refused', problems.map(({ reason }) => `${plan}: ${reason}`).join('; '), { problems });

export const throwIfEndsEarly = (plan: string, from: string | null, to: string | null): void => {
  if (from !== null && to !== null && to < from)
    throw refusedPlan(plan, [{ path: ['to'], ...planErrors.say('last_before_first') }]);
};
