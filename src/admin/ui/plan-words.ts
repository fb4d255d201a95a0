import { firstVersion, minuteText, type Shift } from '../../platform/shifts.ts';
import type { DayOverride, PlanTarget, RosterRule } from '../../store/index.ts';
import { auditPlans } from '../../words/audit-plans.ts';
import type { Reason } from '../../words/sentences.ts';

/** Plans in the audit log: what is, and what was before a change. */

/** With `was_` before each name. */
type Was<T> = { readonly [Key in keyof T & string as `was_${Key}`]: T[Key] };
export const was = <T extends object>(one: T): Was<T> =>
  Object.fromEntries(Object.entries(one).map(([key, value]) => [`was_${key}`, value])) as Was<T>;

export const targetWords = (target: PlanTarget): string =>
  target.kind === 'site' ? 'the site' : `${target.kind} ${target.extId}`;

const whoseOf = (target: PlanTarget) => ({
  whose: target.kind,
  id: target.kind === 'site' ? '' : target.extId,
});

const versionOf = ({ code, validFrom }: Shift) => ({
  code,
  valid_from: validFrom === firstVersion ? '' : validFrom,
});

const shiftTimes = ({ name, segments, breaks, lateGrace, earlyGrace, requiredMinutes, kind }: Shift) => ({
  name,
  segments: segments.map(({ on, off }) => `${minuteText(on)}-${minuteText(off)}`).join(' '),
  breaks: breaks.map(({ from, to }) => `${minuteText(from)}-${minuteText(to)}`).join(' '),
  grace: kind === 'free' ? '' : `${lateGrace}/${earlyGrace}`,
  minutes: requiredMinutes,
});

const ruleOf = ({ cycle, from, to }: Pick<RosterRule, 'cycle' | 'from' | 'to'>) => ({
  ...{ cycle: cycle.map(code => code ?? 'off').join(' '), from, to: to ?? '' },
});

const dayOfPlan = ({ what }: Pick<DayOverride, 'what'>) => ({
  day: what.kind,
  which: what.kind === 'makeup' ? what.weekday : what.kind === 'shift' ? what.code : '',
});

type Rule = Pick<RosterRule, 'target' | 'cycle' | 'from' | 'to'>;
type PlannedDay = Pick<DayOverride, 'target' | 'date' | 'what'>;

export function rosterSaid(rule: Rule, before?: Rule | null): Reason {
  const after = { ...whoseOf(rule.target), ...ruleOf(rule) };
  return before
    ? auditPlans.say('roster_changed', { ...after, ...was(ruleOf(before)) })
    : auditPlans.say('roster', after);
}

export function shiftSaid(next: Shift, before?: Shift): Reason {
  const after = { ...versionOf(next), ...shiftTimes(next) };
  return before
    ? auditPlans.say('shift_changed', { ...after, ...was(shiftTimes(before)) })
    : auditPlans.say('shift', after);
}

export function daySaid(day: PlannedDay, before?: PlannedDay): Reason {
  const after = { date: day.date, ...whoseOf(day.target), ...dayOfPlan(day) };
  return before ? auditPlans.say('day_changed', { ...after, ...was(dayOfPlan(before)) }) : auditPlans.say('day', after);
}
