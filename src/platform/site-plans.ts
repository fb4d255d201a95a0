import { mondayOf, weekdayOf } from '../runtime/calendar-date.ts';
import { readSpan, spanText } from './shift-times.ts';
import {
  type DateText,
  firstVersion,
  isDayOff,
  type PlanProblem,
  type Shift,
  type ShiftSegment,
  shiftDefaults,
} from './shifts.ts';

/** Plans as the site file writes them (docs/site.md), and as the store keeps them. */

type SiteTime =
  | string
  | {
      readonly time: string;
      readonly before?: number | undefined;
      readonly after?: number | undefined;
      readonly need_in?: boolean | undefined;
      readonly need_out?: boolean | undefined;
    };
type SiteBreak = string | { readonly time: string; readonly paid?: boolean | undefined };

export interface SiteShift {
  readonly code: string;
  readonly name: string;
  /** Absent: the first version. */
  readonly from?: DateText | undefined;
  readonly kind?: Shift['kind'] | undefined;
  readonly times?: readonly SiteTime[] | undefined;
  readonly breaks?: readonly SiteBreak[] | undefined;
  readonly late_grace?: number | undefined;
  readonly early_grace?: number | undefined;
  readonly flex_late?: number | undefined;
  readonly flex_early?: number | undefined;
  readonly late_off_late_on?: readonly { readonly stayed: number; readonly later: number }[] | undefined;
  readonly required_minutes?: number | undefined;
  readonly overtime?:
    | {
        readonly before?: boolean | undefined;
        readonly after?: boolean | undefined;
        readonly min?: number | undefined;
        readonly step?: number | undefined;
      }
    | undefined;
  readonly counting?: Shift['counting'] | undefined;
}

export type SiteWho = 'site' | { readonly department: string } | { readonly person: string };

export interface SiteSchedule {
  readonly who: SiteWho;
  /** Monday to Friday. */
  readonly shift?: string | undefined;
  readonly week?: readonly (string | null)[] | undefined;
  readonly cycle?: readonly (string | null)[] | undefined;
  /** Of a cycle; absent: `from`. */
  readonly anchor?: DateText | undefined;
  readonly from: DateText;
  /** Inclusive; empty: none. */
  readonly to?: string | undefined;
}

export const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export interface SiteDay {
  readonly date: DateText;
  /** Absent: the site. */
  readonly who?: SiteWho | undefined;
  readonly what:
    | 'rest'
    | 'workday'
    | 'legal_holiday'
    | { readonly makeup: (typeof weekdayNames)[number] }
    | { readonly shift: string };
  readonly reason?: string | undefined;
}

const overtimeDefaults = {
  before: false,
  after: true,
  min: shiftDefaults.overtimeMinutes,
  step: shiftDefaults.overtimeMinutes,
} as const;

/** Defaults of a shift. */
export const siteShiftDefaults = {
  kind: 'fixed',
  times: [],
  breaks: [],
  late_grace: 0,
  early_grace: 0,
  flex_late: 0,
  flex_early: 0,
  late_off_late_on: [],
  required_minutes: 0,
  overtime: overtimeDefaults,
  counting: 'first_last',
} as const;

const segmentDefaults = {
  before: shiftDefaults.before,
  after: shiftDefaults.after,
  need_in: true,
  need_out: true,
} as const;

/** As the store keeps it. What is no time is left out: the schema of the file has refused it. */
export function shiftOfSite(written: SiteShift): Shift {
  const item = { ...siteShiftDefaults, ...defined(written) };
  const segments: ShiftSegment[] = [];
  for (const said of item.times) {
    const one = typeof said === 'string' ? { time: said } : said;
    const span = readSpan(one.time, segments[0]?.on);
    if (!span) continue;
    const { before, after, need_in: needIn, need_out: needOut } = { ...segmentDefaults, ...defined(one) };
    segments.push({ on: span.from, off: span.to, before, after, needIn, needOut });
  }
  const breaks = item.breaks.flatMap(said => {
    const { time, paid = false } = typeof said === 'string' ? { time: said } : said;
    const span = readSpan(time, segments[0]?.on);
    return span ? [{ ...span, paid }] : [];
  });
  return {
    code: item.code,
    name: item.name,
    validFrom: item.from ?? firstVersion,
    kind: item.kind,
    segments,
    breaks,
    lateGrace: item.late_grace,
    earlyGrace: item.early_grace,
    flexLate: item.flex_late,
    flexEarly: item.flex_early,
    lateOffLateOn: item.late_off_late_on,
    requiredMinutes: item.required_minutes,
    overtime: { ...overtimeDefaults, ...defined(item.overtime) },
    counting: item.counting,
  };
}

/** Whom a plan is for, such as `person e1`. */
const siteWhoText = (who: SiteWho = 'site'): string => {
  if (who === 'site') return who;
  return 'department' in who ? `department ${who.department}` : `person ${who.person}`;
};

/** Key of an entry in each section, such as in a list of changes. */
export const sitePlanKeys = {
  shifts: ({ code, from = '' }: Pick<SiteShift, 'code' | 'from'>): string =>
    from === '' ? code : `${code} from ${from}`,
  schedules: ({ who, from }: Pick<SiteSchedule, 'who' | 'from'>): string => `${siteWhoText(who)} from ${from}`,
  calendar: ({ date, who }: Pick<SiteDay, 'date' | 'who'>): string => `${date} ${siteWhoText(who)}`,
} as const;

/** As the file writes it, with every key. */
export function siteShiftOf(shift: Shift): SiteShift {
  return {
    code: shift.code,
    name: shift.name,
    from: shift.validFrom === firstVersion ? undefined : shift.validFrom,
    kind: shift.kind,
    times: shift.segments.map(({ on, off, before, after, needIn, needOut }) => {
      const more = changed({ before, after, need_in: needIn, need_out: needOut }, segmentDefaults);
      return Object.keys(more).length === 0 ? spanText(on, off) : { time: spanText(on, off), ...more };
    }),
    breaks: shift.breaks.map(({ from, to, paid }) => (paid ? { time: spanText(from, to), paid } : spanText(from, to))),
    late_grace: shift.lateGrace,
    early_grace: shift.earlyGrace,
    flex_late: shift.flexLate,
    flex_early: shift.flexEarly,
    late_off_late_on: shift.lateOffLateOn,
    required_minutes: shift.requiredMinutes,
    overtime: shift.overtime,
    counting: shift.counting,
  };
}

/** The place in the file of a problem of `shiftProblems`. */
export const placeInFile = ({ path: [first, ...rest], ...why }: PlanProblem): PlanProblem => {
  const key = first === 'segments' ? 'times' : first === 'requiredMinutes' ? 'required_minutes' : first;
  return { path: key === undefined ? [] : [key, ...rest.filter(step => typeof step === 'number')], ...why };
};

/** A cycle with its anchor; `off` is null. */
export function cycleOfSite({ shift, week, cycle, anchor, from }: SiteSchedule): {
  readonly cycle: readonly (string | null)[];
  readonly anchor: DateText;
} {
  const days = cycle ?? week ?? (shift === undefined ? [] : [shift, shift, shift, shift, shift, null, null]);
  const start = cycle ? (anchor ?? from) : mondayOf(from);
  return {
    cycle: days.map(day => (day === null || isDayOff(day) ? null : day)),
    anchor: isWeek({ cycle: days, anchor: start }) ? mondayOf(from) : start,
  };
}

/** Seven days from a Monday are a week. */
export const isWeek = ({ cycle, anchor }: { readonly cycle: readonly unknown[]; readonly anchor: DateText }): boolean =>
  cycle.length === 7 && weekdayOf(anchor) === 1;

/** The values that differ from the defaults. */
export const changed = (item: object, defaults: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify((defaults as Record<string, unknown>)[key]),
    ),
  );

const defined = <T extends object>(item: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as never;
