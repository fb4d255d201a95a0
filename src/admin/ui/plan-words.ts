import { firstVersion, minuteText, type Shift } from '../../platform/shifts.ts';
import type { DayOverride, PlanTarget, RosterRule } from '../../store/index.ts';

/** Plans in the audit log: what was, and what is. */

export const targetWords = (target: PlanTarget): string =>
  target.kind === 'site' ? 'the site' : `${target.kind} ${target.extId}`;

export const versionWords = ({ validFrom }: Shift): string => (validFrom === firstVersion ? '' : ` from ${validFrom}`);

export const shiftWords = ({ name, segments, breaks, lateGrace, earlyGrace, requiredMinutes, kind }: Shift): string =>
  [
    name,
    ...segments.map(({ on, off }) => `${minuteText(on)}-${minuteText(off)}`),
    ...breaks.map(({ from, to }) => `break ${minuteText(from)}-${minuteText(to)}`),
    kind === 'free' ? `${requiredMinutes} min` : `grace ${lateGrace}/${earlyGrace}`,
  ].join(' ');

export const ruleWords = ({ cycle, from, to }: Pick<RosterRule, 'cycle' | 'from' | 'to'>): string =>
  `${cycle.map(code => code ?? 'off').join(' ')} from ${from}${to === null ? '' : ` to ${to}`}`;

export const whatWords = ({ what }: Pick<DayOverride, 'what'>): string => {
  if (what.kind === 'makeup') return `makeup for weekday ${what.weekday}`;
  return what.kind === 'shift' ? `shift ${what.code}` : what.kind;
};
