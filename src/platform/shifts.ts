import { dayNumber } from '../runtime/calendar-date.ts';
import { planErrors } from '../words/plans.ts';
import type { Reason } from '../words/sentences.ts';

/**
 * Shifts and cycles of shifts, and what is wrong with one: what a site file, a page and an import
 * are held to alike. Pure; SPEC has no schedules.
 */

/** A local date as `2026-11-16`. */
export type DateText = string;
/** Minutes after 00:00 of the work date; a time past midnight is over 1,440, at most 2,880. */
export type DayMinute = number;

export interface ShiftSegment {
  readonly on: DayMinute;
  readonly off: DayMinute;
  /** How many minutes before `on`, and after `off`, a punch still belongs to it. */
  readonly before: number;
  readonly after: number;
  /** False: the planned time counts where there is no punch. */
  readonly needIn: boolean;
  readonly needOut: boolean;
}

export interface ShiftBreak {
  readonly from: DayMinute;
  readonly to: DayMinute;
  readonly paid: boolean;
}

interface ShiftOvertime {
  readonly before: boolean;
  readonly after: boolean;
  /** Minutes: less counts nothing, and what counts is cut down to a multiple of `step`. */
  readonly min: number;
  readonly step: number;
}

/** A version of a shift: never changed; a change makes a new one, which holds from a date on. */
export interface Shift {
  /** Of the site, such as `day`: what the site file and rosters name. */
  readonly code: string;
  readonly name: string;
  /** The first version has `0000-01-01`. */
  readonly validFrom: DateText;
  readonly kind: 'fixed' | 'flexible' | 'free';
  /** In order; none for `free`. */
  readonly segments: readonly ShiftSegment[];
  readonly breaks: readonly ShiftBreak[];
  /** Minutes. Who is later than this is late, from the planned time on. */
  readonly lateGrace: number;
  readonly earlyGrace: number;
  /** `flexible` only: how much later, or earlier, a person may come and then leave, in minutes. */
  readonly flexLate: number;
  readonly flexEarly: number;
  /** Minutes stayed longer the day before, and by how many minutes that allows coming later. */
  readonly lateOffLateOn: readonly { readonly stayed: number; readonly later: number }[];
  /** `free` only. */
  readonly requiredMinutes: number;
  readonly overtime: ShiftOvertime;
  readonly counting: 'first_last' | 'pairs';
}

export const firstVersion: DateText = '0000-01-01';
export const shiftDefaults = { before: 180, after: 360, overtimeMinutes: 30 } as const;
export const shiftLimits = {
  segmentsMax: 4,
  breaksMax: 8,
  minutesMax: 1440,
  minuteMax: 2880,
  cycleMax: 366,
  lateOffMax: 8,
} as const;

/** Words of a roster that mean a day off, and so are no code of a shift. */
const dayOffWords: ReadonlySet<string> = new Set(['off', 'rest', '休']);
export const isDayOff = (word: string): boolean => dayOffWords.has(word.toLowerCase());

/** `06:00` for 360 and for 1,800. */
export const minuteText = (minute: DayMinute): string => {
  const ofDay = minute === 1440 || minute === 2880 ? 1440 : minute % 1440;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
};

const { say } = planErrors;

/** One thing wrong with a plan: where, and why with the remedy. */
export interface PlanProblem extends Reason {
  readonly path: readonly (string | number)[];
}

/** Problems of a shift whose types are right. The paths are those of `Shift`. */
export function shiftProblems(shift: Shift): PlanProblem[] {
  const { code, kind, segments, breaks } = shift;
  const problems: PlanProblem[] = [];
  const wrong = (path: PlanProblem['path'], why: Reason) => problems.push({ path, ...why });
  if (isDayOff(code)) wrong(['code'], say('code_means_rest', { shift: code }));
  if (kind === 'free') {
    if (segments.length > 0) wrong(['segments'], say('free_has_times'));
    if (shift.requiredMinutes < 1) wrong(['requiredMinutes'], say('free_needs_minutes'));
  } else if (segments.length === 0) wrong(['segments'], say('shift_is_empty'));
  for (const [index, { on, off }] of segments.entries()) {
    if (off <= on)
      wrong(
        ['segments', index, 'off'],
        say('segment_ends_early', { place: index, off: minuteText(off), on: minuteText(on) }),
      );
    const last = segments[index - 1];
    if (last && on < last.off)
      wrong(
        ['segments', index, 'on'],
        say('segments_overlap', { place: index, on: minuteText(on), before: minuteText(last.off) }),
      );
  }
  const [first] = segments;
  if (first && first.on >= 1440) wrong(['segments', 0, 'on'], say('begins_next_day'));
  const end = segments.at(-1)?.off ?? 0;
  if (first && problems.length === 0 && end - first.on > 1440)
    wrong(['segments', segments.length - 1, 'off'], say('shift_too_long'));
  for (const [index, { from, to }] of breaks.entries()) {
    if (to <= from) wrong(['breaks', index, 'to'], say('break_ends_early', { place: index, to: minuteText(to) }));
    else if (!first || from < first.on || to > end)
      wrong(['breaks', index], say('break_outside', { place: index, from: minuteText(from), to: minuteText(to) }));
    const last = breaks[index - 1];
    if (last && from < last.to) wrong(['breaks', index, 'from'], say('breaks_overlap', { place: index }));
  }
  return problems;
}

/**
 * Problems of a cycle of shifts in the time in which it holds: shifts that nobody has described,
 * and planned times of a day that run into those of the next. `versions`: those of each code, by
 * `validFrom`. Windows of punches may overlap: they are cut in the middle.
 */
export function cycleProblems(
  cycle: readonly (string | null)[],
  { from, to }: { readonly from: DateText; readonly to: DateText | null },
  versions: ReadonlyMap<string, readonly Shift[]>,
): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const codes = new Set(cycle);
  for (const code of codes)
    if (code !== null && !versions.has(code))
      problems.push({ path: ['cycle', cycle.indexOf(code)], ...say('no_such_shift') });
  if (problems.length > 0) return problems;
  const until = to === null ? Number.POSITIVE_INFINITY : dayNumber(to);
  const found = new Set<string>();
  for (const [index, code] of cycle.entries()) {
    const next = cycle[(index + 1) % cycle.length] ?? null;
    if (code === null || next === null || found.has(`${code} ${next}`)) continue;
    for (const [one, oneFrom, oneTo] of spansOf(versions.get(code)!))
      for (const [other, otherFrom, otherTo] of spansOf(versions.get(next)!)) {
        const first = Math.max(dayNumber(from), oneFrom, otherFrom - 1);
        const last = Math.min(until - 1, oneTo - 1, otherTo - 2);
        if (first > last || !runsInto(one, other) || found.has(`${code} ${next}`)) continue;
        found.add(`${code} ${next}`);
        problems.push({
          path: ['cycle', (index + 1) % cycle.length],
          ...say('runs_into', {
            next,
            begins: minuteText(other.segments[0]!.on),
            shift: code,
            ends: minuteText(one.segments.at(-1)!.off),
          }),
        });
      }
  }
  return problems;
}

/** Whether the times of one day's shift reach into those of the next day's. */
const runsInto = (one: Shift, next: Shift): boolean => {
  const end = one.segments.at(-1)?.off;
  const begin = next.segments[0]?.on;
  return end !== undefined && begin !== undefined && end > begin + 1440;
};

/** Each version with its first day and the day after its last, as day numbers. */
const spansOf = (versions: readonly Shift[]): [shift: Shift, from: number, to: number][] =>
  versions.map((shift, index) => [
    shift,
    dayNumber(shift.validFrom),
    index + 1 < versions.length ? dayNumber(versions[index + 1]!.validFrom) : Number.POSITIVE_INFINITY,
  ]);

/** The versions of each code, the earliest first. */
export function versionsByCode(shifts: readonly Shift[]): Map<string, Shift[]> {
  const versions = new Map<string, Shift[]>();
  for (const shift of [...shifts].sort((one, other) => (one.validFrom < other.validFrom ? -1 : 1))) {
    const known = versions.get(shift.code);
    if (known) known.push(shift);
    else versions.set(shift.code, [shift]);
  }
  return versions;
}

/** The code that a cycle has on a date. */
export const inCycle = (cycle: readonly (string | null)[], anchor: DateText, date: DateText): string | null => {
  const place = (dayNumber(date) - dayNumber(anchor)) % cycle.length;
  return cycle[(place + cycle.length) % cycle.length] ?? null;
};
