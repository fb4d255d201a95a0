import type { DateText, Shift } from '../../platform/shifts.ts';
import type { WallTime } from '../../runtime/wall-time.ts';
import { countedOvertime, type HolidayTime } from './counting.ts';
import type { PunchEvent } from './events.ts';
import { presenceOf } from './presence.ts';
import { noMinutes, type SegmentResult } from './result.ts';
import { finishEnd, startEnd } from './slot-result.ts';
import { minutesOf, overlaps, type Span } from './spans.ts';
import { type Known, stateOf } from './state.ts';

/** A free shift has a length and no times: its punches are those of its date, in pairs. */

const leaveMinutesOn = (date: DateText, { leave, wall }: { leave: readonly Span[]; wall: WallTime }): number =>
  minutesOf(overlaps(leave, wall.dayBounds(date)));

/** Required minutes that remain after leave. */
export const spareMinutes = (
  { requiredMinutes }: Pick<Shift, 'requiredMinutes'>,
  date: DateText,
  around: { readonly leave: readonly Span[]; readonly wall: WallTime },
): number => Math.max(0, requiredMinutes - leaveMinutesOn(date, around));

export function segmentOfFreeDay(
  shift: Shift,
  date: DateText,
  events: readonly PunchEvent[],
  { leave, known, holidays }: { leave: readonly Span[]; known: Known; holidays: HolidayTime },
): SegmentResult {
  const { wall } = holidays;
  const spare = spareMinutes(shift, date, { leave, wall });
  const bounds = wall.dayBounds(date);
  const isHoliday = holidays.isLegalHoliday(date);
  const first = events[0];
  const isOver = known.now >= bounds.to * 1000;
  const last = isOver && events.length % 2 === 0 ? events.at(-1) : undefined;
  const present = last ? minutesOf(presenceOf(events)) : 0;
  const worked = isHoliday ? 0 : Math.min(present, spare);
  const judged = stateOf(
    { span: bounds, closes: bounds.to, hasEvents: !!first, hasIn: !!first, hasOut: !!last, isHoliday },
    known,
  );
  return {
    shift: shift.code,
    plannedOn: null,
    plannedOff: null,
    in: first ? startEnd(first) : null,
    out: last ? finishEnd(last) : null,
    state: spare === 0 ? 'leave' : judged.state,
    minutes: {
      ...noMinutes,
      planned: isHoliday ? 0 : spare,
      worked,
      leave: shift.requiredMinutes - spare,
      overtimeWorkday: !isHoliday && shift.overtime.after ? countedOvertime(present - worked, shift) : 0,
      overtimeHoliday: isHoliday ? present : 0,
    },
    flags: judged.isDespiteSilence ? [{ flag: 'devices_silent', minutes: null }] : [],
    waitsFor: spare === 0 ? null : judged.waitsFor,
  };
}
