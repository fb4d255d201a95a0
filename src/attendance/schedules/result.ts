import { isToReview } from '../../platform/day-figures.ts';
import type { ClockBounds } from '../../platform/device-clock.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { DeviceNo } from '../../store/index.ts';

/**
 * Result of a person's day. All times are unix seconds, all spans whole minutes; a night belongs to
 * the date on which it begins. docs/decisions/schedules.md has the rules.
 */

/** A check-in as the store has it. */
export interface Punch {
  /** As callers of the attendance API see it. */
  readonly id: number;
  /** As the device said, or as a correction added it. */
  readonly at: UnixSeconds;
  readonly deviceNo: DeviceNo;
  readonly checkType: string;
  readonly receivedAt: UnixMs;
  /** Bounds of its terminal's clock when it came in; null if unknown. */
  readonly clock: ClockBounds | null;
  readonly source: 'device' | 'added' | 'imported';
  /** Set aside by a correction: it counts for nothing. */
  readonly isSetAside: boolean;
  /** The work date that a correction gives it; null: that of the plan. */
  readonly workDate: DateText | null;
  /** The correction that set it aside, else moved it, else added it. */
  readonly correctionId: number | null;
}

/** Choices of a site. */
export interface ScheduleRules {
  /** `corrected`: a punch of a clock that is proved wrong counts at the corrected time. */
  readonly clock: 'as_said' | 'corrected';
  /** Whether holiday time is that of the work date, or of each calendar day. */
  readonly nightOvertime: 'work_date' | 'calendar_day';
  /** Punches that close together are one event. */
  readonly repeatSeconds: number;
  /** Slots with a gap under this share punches between them. */
  readonly chainedMinutes: number;
  /** So long after its window a slot is absent, even if terminals have not reported. */
  readonly absentAfterHours: number;
}

export const defaultRules: ScheduleRules = {
  clock: 'as_said',
  nightOvertime: 'work_date',
  repeatSeconds: 60,
  chainedMinutes: 30,
  absentAfterHours: 24,
};

/**
 * All of a person's terminals have reported up to here; later punches may still come. `deviceNo`:
 * the one that is behind the others.
 */
export interface Reported {
  readonly until: UnixMs;
  readonly deviceNo: DeviceNo | null;
}

/** `none`: nothing is planned for this person. */
export type DayKind = 'workday' | 'rest' | 'legal_holiday' | 'none' | 'not_employed';

export type SegmentState =
  /** Its start has not come. */
  | 'to_come'
  /** Its end has not come, or somebody may still punch for it. */
  | 'running'
  /** Something is missing, but terminals have not reported yet. */
  | 'not_known_yet'
  | 'ok'
  | 'missing_in'
  | 'missing_out'
  | 'absent'
  | 'leave'
  /** Planned on a legal holiday, and nobody came: no absence. */
  | 'not_worked';

/** `off`: rest day or holiday without work; `extra`: with work. */
export type DayState = SegmentState | 'off' | 'extra' | 'none' | 'not_employed';

/** Without overlap, so that payroll can add them; `worked` is never more than `planned`. */
export interface Minutes {
  readonly planned: number;
  readonly worked: number;
  /** Unpaid breaks that were taken off. */
  readonly break: number;
  readonly late: number;
  readonly early: number;
  readonly leave: number;
  readonly overtimeWorkday: number;
  readonly overtimeRest: number;
  /** Also what was worked in a shift that is planned on a legal holiday. */
  readonly overtimeHoliday: number;
}

export const noMinutes: Minutes = {
  planned: 0,
  worked: 0,
  break: 0,
  late: 0,
  early: 0,
  leave: 0,
  overtimeWorkday: 0,
  overtimeRest: 0,
  overtimeHoliday: 0,
};

export function sumOfMinutes(all: readonly Minutes[]): Minutes {
  const sum = { ...noMinutes };
  for (const one of all) {
    sum.planned += one.planned;
    sum.worked += one.worked;
    sum.break += one.break;
    sum.late += one.late;
    sum.early += one.early;
    sum.leave += one.leave;
    sum.overtimeWorkday += one.overtimeWorkday;
    sum.overtimeRest += one.overtimeRest;
    sum.overtimeHoliday += one.overtimeHoliday;
  }
  return sum;
}

export const flagNames = [
  /** One punch is the end of a slot and the start of the next. */
  'one_punch_for_both',
  /** Start and end lie under 30 minutes apart. */
  'very_short',
  /** The planned time counts, because no punch is asked for. */
  'planned_in',
  'planned_out',
  /** With the minutes after the end of the break. */
  'back_from_break_late',
  /** The terminal of a start or an end has a clock that is proved wrong. */
  'clock_wrong',
  /** A correction of the day waits for approval. */
  'correction_asked',
  /** Decided after 24 hours, though terminals have not reported. */
  'devices_silent',
  /** The start moved by so many minutes, for staying the day before. */
  'late_on',
  /** Work on a day off has a punch without an end. */
  'missing_out',
  /** Work on a day off has more than two punches: it lasts from the first to the last. */
  'several_punches',
  /** Punched on a leave. */
  'on_leave',
] as const;

export interface Flag {
  readonly flag: (typeof flagNames)[number];
  readonly minutes: number | null;
}

/** A start or an end. */
export interface SlotEnd {
  readonly at: UnixSeconds;
  /** Punch; null if the planned time counts. */
  readonly punchId: number | null;
  readonly source: Punch['source'] | 'planned';
}

export interface SegmentResult {
  /** Code of the shift. */
  readonly shift: string;
  /** Time to be kept: after leave, flexible hours and a late start. Null for a free shift. */
  readonly plannedOn: UnixSeconds | null;
  readonly plannedOff: UnixSeconds | null;
  readonly in: SlotEnd | null;
  readonly out: SlotEnd | null;
  readonly state: SegmentState;
  readonly minutes: Minutes;
  readonly flags: readonly Flag[];
  /** Of `not_known_yet`: the terminal that is silent, and since when. */
  readonly waitsFor: { readonly deviceNo: DeviceNo; readonly since: UnixMs } | null;
}

export const punchRoles = ['in', 'out', 'between', 'repeat', 'set_aside', 'unplaced'] as const;

export const unplacedReasons = [
  'before_window',
  'after_window',
  'before_joining',
  'after_leaving',
  'on_leave',
  'rest_day',
  'holiday',
  'no_schedule',
] as const;
export type UnplacedReason = (typeof unplacedReasons)[number];

/** Use of a punch. One that ends a slot and begins the next is listed for each. */
export interface PunchUse {
  readonly punch: Punch;
  /** Differs from that of the punch only with `clock: corrected`. */
  readonly counted: UnixSeconds;
  /** Index of the day's segment. */
  readonly segment: number | null;
  readonly role: (typeof punchRoles)[number];
  /** Why it is unplaced; of a start or an end: it is work on that day off. */
  readonly reason: UnplacedReason | null;
  /** How far from the window. */
  readonly minutes: number | null;
  /** The clocks showed this time before, and were then set back. */
  readonly isSecondTime: boolean;
}

export interface DayResult {
  readonly date: DateText;
  readonly kind: DayKind;
  /** One word for the day: that of the segment which somebody has to look at first. */
  readonly state: DayState;
  /** Code of the shift. */
  readonly shift: string | null;
  readonly segments: readonly SegmentResult[];
  /** Of the segments, and of work on a day off. */
  readonly minutes: Minutes;
  readonly flags: readonly Flag[];
  /** By time. */
  readonly punches: readonly PunchUse[];
}

/** Flags of a day, with those of its segments that somebody has to look at. */
export function flagsToShow({ flags, segments }: Pick<DayResult, 'flags' | 'segments'>): readonly Flag[] {
  const more = segments.flatMap(segment => segment.flags.filter(({ flag }) => isToReview(flag)));
  return more.length > 0 ? [...flags, ...more] : flags;
}
