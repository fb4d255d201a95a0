import type { SlotEvents } from './chained.ts';
import type { PunchEvent } from './events.ts';
import type { Slot } from './slots.ts';
import type { Span } from './spans.ts';

/** The events that are the start and the end of a slot; null: missing. */
export interface Ends {
  readonly in: PunchEvent | null;
  readonly out: PunchEvent | null;
}

/**
 * Which events are the start and the end of a slot that has to be kept during `span`. While it is
 * under way there is no end: who is out at noon may come back.
 */
export function endsOf({ segment, shift }: Slot, slotEvents: SlotEvents, span: Span, isUnderWay: boolean): Ends {
  const { events } = slotEvents;
  if (isUnderWay) return { in: events[0] ?? null, out: null };
  const found = firstAndLast(slotEvents, span, segment);
  const isOdd = shift.counting === 'pairs' && found.in && found.out && events.length % 2 === 1;
  return isOdd ? { in: found.in, out: null } : found;
}

function firstAndLast(
  { events, chainedIn, chainedOut }: SlotEvents,
  { from, to }: Span,
  { needIn, needOut }: Slot['segment'],
): Ends {
  const first = events[0];
  const last = events.at(-1);
  if (!first || !last) return { in: null, out: null };
  if (chainedIn && chainedOut) return { in: chainedIn, out: chainedOut.at > chainedIn.at ? chainedOut : null };
  if (chainedOut) return { in: first.at < chainedOut.at ? first : null, out: chainedOut };
  if (chainedIn) return { in: chainedIn, out: last.at > chainedIn.at && last.at >= from ? last : null };
  if (first === last) {
    const isNearerToStart = Math.abs(first.at - from) <= Math.abs(to - first.at);
    const isIn = needIn === needOut ? isNearerToStart : needIn;
    return isIn ? { in: first, out: null } : { in: null, out: first };
  }
  if (last.at < from) return { in: first, out: null };
  if (first.at >= to) return { in: null, out: last };
  return { in: first, out: last };
}

/** Events by two: from the first to the second, and so on; one that is left over is left out. */
export const pairsOf = (events: readonly PunchEvent[]): [PunchEvent, PunchEvent][] =>
  Array.from({ length: Math.floor(events.length / 2) }, (_, pair) => [events[pair * 2]!, events[pair * 2 + 1]!]);
