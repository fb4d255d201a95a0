import type { MonthFilter } from '../../platform/day-figures.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { cutToMinute } from '../../runtime/wall-time.ts';
import { type CameAndWent, earlyMinutes, type HolidayTime, lateMinutes, overtimeOf } from './counting.ts';
import type { PlainlyPlaced, WindowEnds } from './plainly-placed.ts';
import type { PlanDay } from './plan.ts';
import { shortMinutes } from './slot-result.ts';
import type { Slot } from './slots.ts';

interface Known {
  readonly holidays: HolidayTime;
  readonly now: UnixMs;
}

/**
 * Filters that find a day with a shift whose slots are to come, are under way, or have a start and
 * an end each. Null: the day has to be counted (`PersonDays.day`, which is the reference), as are
 * absences, days of leave, holidays, flexible hours, pairs, and days of whoever may begin later.
 */
export function filtersOfEnds(
  plan: PlanDay,
  slots: readonly Slot[],
  placed: PlainlyPlaced,
  known: Known,
): readonly MonthFilter[] | null {
  const { date, shift } = plan;
  const isPlain = shift?.kind === 'fixed' && shift.counting === 'first_last' && shift.lateOffLateOn.length === 0;
  const windows = placed.windowsOn(date);
  if (!isPlain || plan.isLegalHoliday || windows.length !== slots.length) return null;
  const found: MonthFilter[] = [];
  for (const { slot, window } of windows) {
    const presence = presenceFrom(placed.endsIn(window), slot, known);
    if (!presence) return null;
    if (lateMinutes(slot, presence) > 0) found.push('late');
    if (earlyMinutes(slot, presence) > 0) found.push('early');
    const overtime = overtimeOf(slot, presence, known.holidays);
    if (overtime.workday + overtime.holiday > 0) found.push('overtime');
  }
  return found;
}

/** See presenceIn. */
function presenceFrom(events: WindowEnds | null, slot: Slot, { holidays, now }: Known): CameAndWent | null {
  const { span, leave } = slot;
  if (leave.length > 0 || touchesHoliday(slot, holidays)) return null;
  const start = events && cutToMinute(events.first);
  if (now < span.to * 1000) return { span, in: start, out: null, ends: { in: events, out: null } };
  if (!events || start === null || events.first === events.last || events.last < span.from || events.first >= span.to)
    return null;
  const end = cutToMinute(events.lastEnds);
  return end - start < shortMinutes * 60 ? null : { span, in: start, out: end, ends: { in: events, out: events } };
}

/** With holidays by the calendar day, minutes on any date may count as overtime. */
function touchesHoliday({ span }: Slot, { rule, wall, isLegalHoliday }: HolidayTime): boolean {
  if (rule === 'work_date') return false;
  const last = wall.dateOf(span.to);
  for (let date = wall.dateOf(span.from); date <= last; date = addDays(date, 1)) if (isLegalHoliday(date)) return true;
  return false;
}
