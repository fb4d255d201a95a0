import type { UnixSeconds } from '../../runtime/clock.ts';
import { cutToMinute } from '../../runtime/wall-time.ts';
import type { SlotEvents } from './chained.ts';
import { type Ends, endsOf, pairsOf } from './ends.ts';
import { lastOf, type PunchEvent } from './events.ts';
import { isCutByLeave, type Slot } from './slots.ts';
import type { Span } from './spans.ts';

/** When somebody was there for a slot, in whole minutes, and when they had to be. */
export interface Presence {
  /** After flexible hours and a late start. */
  readonly span: Span;
  readonly ends: Ends;
  /** Check-in; null if it is missing. */
  readonly in: UnixSeconds | null;
  readonly out: UnixSeconds | null;
  /** The planned time counts, because no punch is asked for. */
  readonly isInPlanned: boolean;
  readonly isOutPlanned: boolean;
  /** From each start to its end; none while one is missing. */
  readonly present: readonly Span[];
}

/** An event counts as a start with its first punch, as an end with its last. */
export const startOf = (event: PunchEvent): UnixSeconds => cutToMinute(event.at);
const endOf = (event: PunchEvent): UnixSeconds => cutToMinute(lastOf(event).at);

/** From each start to its end. */
export const presenceOf = (events: readonly PunchEvent[]): Span[] =>
  pairsOf(events).map(([one, other]) => ({ from: startOf(one), to: endOf(other) }));

/** Of work on a day off: from the first event to the last. */
export const presenceFromTo = (events: readonly PunchEvent[]): Span[] =>
  events.length < 2 ? [] : [{ from: startOf(events[0]!), to: endOf(events.at(-1)!) }];

/** `lateOnMinutes`: how much later the slot may begin, because of the day before. */
export function presenceIn(
  slot: Slot,
  slotEvents: SlotEvents,
  { lateOnMinutes, now }: { readonly lateOnMinutes: number; readonly now: UnixSeconds },
): Presence {
  const { segment, shift } = slot;
  const fixed = { from: Math.min(slot.span.from + lateOnMinutes * 60, slot.span.to), to: slot.span.to };
  const isUnderWay = now < fixed.to;
  const ends = endsOf(slot, slotEvents, fixed, isUnderWay);
  const span = ends.in && isFlexible(slot) ? movedBy(startOf(ends.in), fixed, slot) : fixed;
  const hasEvents = slotEvents.events.length > 0;
  const isInPlanned = !ends.in && !segment.needIn && (hasEvents || !segment.needOut) && now >= fixed.from;
  const isOutPlanned = !ends.out && !segment.needOut && (hasEvents || !segment.needIn) && !isUnderWay;
  const start = ends.in ? startOf(ends.in) : isInPlanned ? span.from : null;
  const end = ends.out ? endOf(ends.out) : isOutPlanned ? span.to : null;
  const inPairs = shift.counting === 'pairs' && ends.in && ends.out;
  const present =
    start === null || end === null ? [] : inPairs ? presenceOf(slotEvents.events) : [{ from: start, to: end }];
  return { span, ends, in: start, out: end, isInPlanned, isOutPlanned, present };
}

/** A leave that cuts a slot fixes it: nobody comes later into the leave of the afternoon. */
export const isFlexible = (slot: Slot): boolean => slot.shift.kind === 'flexible' && !isCutByLeave(slot);

/** Slot moved within its limits by as much as the person came later or earlier. */
function movedBy(came: UnixSeconds, { from, to }: Span, { shift }: Slot): Span {
  const start = Math.min(Math.max(came, from - shift.flexEarly * 60), from + shift.flexLate * 60);
  return { from: start, to: to + (start - from) };
}
