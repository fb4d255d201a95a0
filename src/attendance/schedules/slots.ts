import type { DateText, Shift, ShiftBreak, ShiftSegment } from '../../platform/shifts.ts';
import { dayNumber } from '../../runtime/calendar-date.ts';
import { cutToMinute, type WallTime } from '../../runtime/wall-time.ts';
import type { Leave } from '../../store/index.ts';
import type { PersonPlan } from './plan.ts';
import { minutesOf, overlap, overlaps, type Span, union, without } from './spans.ts';

/** A segment of a shift on a date: when somebody has to be there. */
export interface Slot {
  readonly date: DateText;
  /** Among the segments of its shift. */
  readonly index: number;
  readonly segment: ShiftSegment;
  readonly shift: Shift;
  /** As the shift has it. */
  readonly planned: Span;
  /** Part of the slot that remains after leave; empty if all of it is leave. */
  readonly span: Span;
  readonly unpaidBreaks: readonly Span[];
  /** All of them, in order. */
  readonly breaks: readonly Span[];
  /** The leave within it. */
  readonly leave: readonly Span[];
  readonly leaveMinutes: number;
}

export const isAllLeave = ({ span }: Slot): boolean => span.from >= span.to;

/** A leave has moved its start or its end. */
export const isCutByLeave = ({ planned, span }: Slot): boolean => planned.from !== span.from || planned.to !== span.to;

/** The approved leave of a person. */
export const leaveSpans = (leaves: readonly Pick<Leave, 'from' | 'to' | 'state'>[], wall: WallTime): Span[] =>
  union(
    leaves
      .filter(({ state }) => state === 'approved')
      .map(({ from, to }) => ({
        from: cutToMinute(wall.read(from)),
        to: cutToMinute(wall.read(to)),
      })),
  );

/** Slots of plans without leave: people of one plan share them. */
const withoutLeave = new WeakMap<PersonPlan['days'], { readonly wall: WallTime; readonly slots: readonly Slot[] }>();

/** Every slot of a plan, in the order of dates. */
export function slotsOf({ days }: PersonPlan, leave: readonly Span[], wall: WallTime): readonly Slot[] {
  if (leave.length > 0) return slotsWith(days, leave, wall);
  const known = withoutLeave.get(days);
  if (known?.wall === wall) return known.slots;
  const slots = slotsWith(days, leave, wall);
  withoutLeave.set(days, { wall, slots });
  return slots;
}

function slotsWith(days: PersonPlan['days'], leave: readonly Span[], wall: WallTime): Slot[] {
  const plannedSpan = plannedSpans(wall);
  return [...days.values()].flatMap(({ date, shift }) => {
    if (!shift) return [];
    const spanOf = (one: ShiftBreak): Span => breakSpan(wall, date, one);
    const breaks = shift.breaks.map(spanOf);
    const unpaidBreaks = union(shift.breaks.filter(({ paid }) => !paid).map(spanOf));
    return shift.segments.map((segment, index): Slot => {
      const planned = plannedSpan(date, segment);
      const within = overlaps(leave, planned);
      return {
        date,
        index,
        segment,
        shift,
        planned,
        span: within.length === 0 ? planned : afterLeave(planned, leave, breaks),
        unpaidBreaks,
        breaks,
        leave: within,
        leaveMinutes: minutesOf(within.flatMap(span => without(span, unpaidBreaks))),
      };
    });
  });
}

/** A break is as long as the shift says, from its start by the clocks. */
function breakSpan(wall: WallTime, date: DateText, { from, to }: ShiftBreak): Span {
  const start = wall.instant(date, from);
  return { from: start, to: start + (to - from) * 60 };
}

/**
 * From the start to the end of a segment by the clocks. One that follows another on the clocks does
 * so in time as well: where they skip the end of the one before, it begins when that has ended.
 */
function plannedSpans(wall: WallTime): (date: DateText, segment: ShiftSegment) => Span {
  let before = { off: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  return (date, { on, off }) => {
    const midnight = dayNumber(date) * 1440;
    const follows = midnight + on >= before.off;
    const start = wall.instant(date, on);
    const from = follows ? Math.max(start, before.to) : start;
    const to = Math.max(wall.instant(date, off), from);
    before = { off: midnight + off, to };
    return { from, to };
  };
}

/** A leave that touches an end moves it, and then also over a break. */
function afterLeave(planned: Span, leave: readonly Span[], breaks: readonly Span[]): Span {
  let { from, to } = planned;
  for (let moved = true; moved && from < to; ) {
    moved = false;
    const isMoved = { from: from !== planned.from, to: to !== planned.to };
    const start = [...leave, ...(isMoved.from ? breaks : [])].find(one => one.from <= from && from < one.to);
    if (start) {
      from = start.to;
      moved = true;
    }
    const end = [...leave, ...(isMoved.to ? breaks : [])].find(one => one.from < to && to <= one.to);
    if (end) {
      to = end.from;
      moved = true;
    }
  }
  return overlap({ from, to }, planned) ?? { from: planned.from, to: planned.from };
}

const byDate = new WeakMap<readonly Slot[], ReadonlyMap<DateText, readonly Slot[]>>();

/** Of each date in the order of time. */
export function slotsByDate(slots: readonly Slot[]): ReadonlyMap<DateText, readonly Slot[]> {
  const found = byDate.get(slots) ?? Map.groupBy(slots, ({ date }) => date);
  byDate.set(slots, found);
  return found;
}
