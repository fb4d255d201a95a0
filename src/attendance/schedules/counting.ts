import type { DateText, Shift } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import type { WallTime } from '../../runtime/wall-time.ts';
import type { Presence } from './presence.ts';
import { isFlexible } from './presence.ts';
import type { Minutes, ScheduleRules } from './result.ts';
import type { Slot } from './slots.ts';
import { minutesOf, overlap, overlaps, type Span, without } from './spans.ts';

/** Facts that decide whether a minute is holiday time. */
export interface HolidayTime {
  readonly rule: ScheduleRules['nightOvertime'];
  readonly wall: WallTime;
  isLegalHoliday(date: DateText): boolean;
}

/** The minutes of a slot that leave has not removed. */
export function minutesIn(slot: Slot, presence: Presence, holidays: HolidayTime): Minutes {
  const { span, present } = presence;
  const countable = without(span, slot.leave.length === 0 ? slot.unpaidBreaks : [...slot.unpaidBreaks, ...slot.leave]);
  const worked = withinAny(countable, present);
  const workedOnHoliday = minutesOf(onHolidays(worked, slot.date, holidays));
  const overtime = overtimeOf(slot, presence, holidays);
  const breaks = slot.unpaidBreaks.length === 0 ? 0 : minutesOf(withinAny(overlaps(slot.unpaidBreaks, span), present));
  return {
    planned: minutesOf(countable) - minutesOf(onHolidays(countable, slot.date, holidays)),
    worked: minutesOf(worked) - workedOnHoliday,
    break: breaks,
    late: lateMinutes(slot, presence),
    early: earlyMinutes(slot, presence),
    leave: slot.leaveMinutes,
    overtimeWorkday: overtime.workday,
    overtimeRest: 0,
    overtimeHoliday: workedOnHoliday + overtime.holiday,
  };
}

/** Parts of spans in others, of which there is mostly one. */
const withinAny = (spans: readonly Span[], others: readonly Span[]): readonly Span[] =>
  others.length === 1 ? overlaps(spans, others[0]!) : others.flatMap(one => overlaps(spans, one));

/** A flexible shift has no grace: its range is the grace. */
const graceOf = ({ kind, lateGrace, earlyGrace }: Shift): { late: number; early: number } =>
  kind === 'flexible' ? { late: 0, early: 0 } : { late: lateGrace, early: earlyGrace };

/** Of a presence, without the events that are its ends. */
export interface CameAndWent extends Pick<Presence, 'span' | 'in' | 'out'> {
  /** Anything for an end; null: it is missing, or as planned. */
  readonly ends: { readonly in: object | null; readonly out: object | null };
}

export function lateMinutes({ shift }: Slot, { ends, in: start, span }: CameAndWent): number {
  const late = ends.in && start !== null ? (start - span.from) / 60 : 0;
  return late > graceOf(shift).late ? late : 0;
}

export function earlyMinutes({ shift }: Slot, { ends, out: end, span }: CameAndWent): number {
  const early = ends.out && end !== null ? (span.to - end) / 60 : 0;
  return early > graceOf(shift).early ? early : 0;
}

/** After the last segment, and before the first, as the shift says. */
export function overtimeOf(slot: Slot, { in: start, out: end, ends, span }: CameAndWent, holidays: HolidayTime) {
  const { shift, index, planned } = slot;
  const found = { workday: 0, holiday: 0 };
  if (start === null || end === null) return found;
  const count = (seconds: number, edge: UnixSeconds) => {
    const minutes = countedOvertime(seconds / 60, shift);
    found[isHolidayAt(edge, slot.date, holidays) ? 'holiday' : 'workday'] += minutes;
  };
  // A person who stays into their own leave works no overtime: the planned time is the edge.
  const edge = isFlexible(slot) ? span : planned;
  if (shift.overtime.after && ends.out && index === shift.segments.length - 1) count(end - edge.to, edge.to);
  if (shift.overtime.before && ends.in && index === 0) count(edge.from - start, edge.from);
  return found;
}

/** Nothing below the least, and what counts is cut down to a step. */
export function countedOvertime(minutes: number, { overtime: { min, step } }: Shift): number {
  if (minutes <= 0 || minutes < min) return 0;
  return minutes - (minutes % Math.max(1, step));
}

function isHolidayAt(at: UnixSeconds, workDate: DateText, { rule, wall, isLegalHoliday }: HolidayTime): boolean {
  return isLegalHoliday(rule === 'work_date' ? workDate : wall.dateOf(at));
}

/** Parts of the spans that lie on legal holidays. */
function onHolidays(spans: readonly Span[], workDate: DateText, holidays: HolidayTime): readonly Span[] {
  const { rule, wall, isLegalHoliday } = holidays;
  if (rule === 'work_date') return isLegalHoliday(workDate) ? spans : [];
  return spans.flatMap(span => {
    const found: Span[] = [];
    for (let date = wall.dateOf(span.from); ; date = addDays(date, 1)) {
      const day = wall.dayBounds(date);
      const part = overlap(span, day);
      if (part && isLegalHoliday(date)) found.push(part);
      if (day.to >= span.to) return found;
    }
  });
}
