import type { DateText, Shift, ShiftSegment } from '../../platform/shifts.ts';
import type { Leave } from '../../store/index.ts';
import type { PersonPlan } from './plan.ts';
import { minutesOf, overlap, overlaps, type Span, union, without } from './spans.ts';
import { cutToMinute, type WallTime } from './wall-time.ts';

/** A segment of a shift on a date: when somebody has to be there. */
export interface Slot {
  readonly date: DateText;
  /** Among the segments of its shift. */
  readonly index: number;
  readonly segment: ShiftSegment;
  readonly shift: Shift;
  /** As the shift has it. */
  readonly planned: Span;
  /** What is left of it after leave; empty: all of it is leave. */
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

/** The approved leave of a person. Of wall times that come twice, the longer leave. */
export const leaveSpans = (leaves: readonly Pick<Leave, 'from' | 'to' | 'state'>[], wall: WallTime): Span[] =>
  union(
    leaves
      .filter(({ state }) => state === 'approved')
      .map(({ from, to }) => ({
        from: cutToMinute(wall.read(from, 'first')),
        to: cutToMinute(wall.read(to, 'second')),
      })),
  );

/** Every slot of a plan, in the order of dates. */
export function slotsOf({ days }: PersonPlan, leave: readonly Span[], wall: WallTime): Slot[] {
  return [...days.values()].flatMap(({ date, shift }) =>
    (shift?.segments ?? []).map((segment, index): Slot => {
      const spanOf = ({ from, to }: { from: number; to: number }): Span => ({
        from: wall.instant(date, from, 'first'),
        to: wall.instant(date, to, 'second'),
      });
      const planned = spanOf({ from: segment.on, to: segment.off });
      const breaks = shift!.breaks.map(spanOf);
      const unpaidBreaks = union(shift!.breaks.filter(({ paid }) => !paid).map(spanOf));
      const within = overlaps(leave, planned);
      return {
        date,
        index,
        segment,
        shift: shift!,
        planned,
        span: within.length === 0 ? planned : afterLeave(planned, leave, breaks),
        unpaidBreaks,
        breaks,
        leave: within,
        leaveMinutes: minutesOf(within.flatMap(span => without(span, unpaidBreaks))),
      };
    }),
  );
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
