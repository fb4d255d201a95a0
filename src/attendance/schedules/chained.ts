import type { DateText } from '../../platform/shifts.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import type { PunchEvent } from './events.ts';
import type { ScheduleRules } from './result.ts';
import type { Span } from './spans.ts';
import type { WindowedSlot } from './windows.ts';

/** The events of a slot. Where it is chained, its neighbour has decided one of its ends. */
export interface SlotEvents {
  /** By time. */
  readonly events: readonly PunchEvent[];
  /** The start, decided with the slot before. */
  readonly chainedIn: PunchEvent | null;
  /** The end, decided with the slot after. */
  readonly chainedOut: PunchEvent | null;
  readonly isInShared: boolean;
  readonly isOutShared: boolean;
}

interface Chain {
  readonly zone: ReadonlySet<PunchEvent>;
  /** Null, of either: every event there was moved to the date of the other slot. */
  readonly out: PunchEvent | null;
  readonly in: PunchEvent | null;
}

/**
 * Gives each slot its events: those in its window; around the change between two chained slots, up
 * to the last event that is not after the first one's end, or from the one after it. What a
 * correction has moved to a date goes to the nearest slot of that date. Returns the events of no
 * slot as well.
 */
export function eventsOfSlots(
  slots: readonly WindowedSlot[],
  events: readonly PunchEvent[],
  rules: Pick<ScheduleRules, 'chainedMinutes'>,
): { readonly ofSlots: readonly SlotEvents[]; readonly others: readonly PunchEvent[] } {
  const chains = slots.map((one, place) => chainOf(one, slots[place + 1], events, rules.chainedMinutes * 60));
  const zones = new Set(chains.flatMap(chain => (chain ? [...chain.zone] : [])));
  const isInZone = (event: PunchEvent) => zones.has(event);
  const slotOfMoved = new Map(
    events
      .filter(event => event.movedTo !== null && !isInZone(event))
      .map(event => [event, nearestOn(event.movedTo!, event.at, slots)]),
  );
  const taken = new Set<PunchEvent>();
  const ofSlots = slots.map((one, place): SlotEvents => {
    const { slot, window } = one;
    const before = chains[place - 1] ?? null;
    const after = chains[place] ?? null;
    const isPlain = zones.size === 0 && slotOfMoved.size === 0;
    const near = isPlain ? between(events, window) : events;
    const own = near.filter(event => {
      const mayBe = isOf(event, slot.date);
      if (mayBe && after?.out && after.zone.has(event) && event.at <= after.out.at) return true;
      if (mayBe && before?.in && before.zone.has(event) && event.at >= before.in.at) return true;
      if (slotOfMoved.has(event)) return slotOfMoved.get(event) === one;
      return !isInZone(event) && window.from <= event.at && event.at < window.to && !taken.has(event);
    });
    for (const event of own) taken.add(event);
    return {
      events: own,
      chainedIn: before?.in ?? null,
      chainedOut: after?.out ?? null,
      isInShared: !!before?.in && before.in === before.out,
      isOutShared: !!after?.out && after.in === after.out,
    };
  });
  return { ofSlots, others: events.filter(event => !taken.has(event) && !isInZone(event)) };
}

/** Events of a window, which are in the order of time. */
function between(events: readonly PunchEvent[], { from, to }: Span): readonly PunchEvent[] {
  let first = 0;
  for (let end = events.length; first < end; ) {
    const middle = (first + end) >> 1;
    if (events[middle]!.at < from) first = middle + 1;
    else end = middle;
  }
  let last = first;
  while (last < events.length && events[last]!.at < to) last++;
  return events.slice(first, last);
}

function chainOf(
  one: WindowedSlot,
  next: WindowedSlot | undefined,
  events: readonly PunchEvent[],
  seconds: number,
): Chain | null {
  const end = one.slot.span.to;
  const start = next?.slot.span.from;
  if (start === undefined || start < end || start - end >= seconds) return null;
  const near = events.filter(({ at }) => end - seconds <= at && at <= start + seconds);
  const ofOne = near.filter(event => isOf(event, one.slot.date));
  const ofNext = near.filter(event => isOf(event, next!.slot.date));
  if (ofOne.length + ofNext.length === 0) return null;
  // A punch that was moved to the date of one of them alone is its end, or the other's start.
  const movedIn = ofNext.find(event => !ofOne.includes(event));
  const before = ofOne.filter(({ at }) => !movedIn || at < movedIn.at);
  const movedOut = ofOne.findLast(event => !ofNext.includes(event));
  const out = movedOut ?? before.findLast(({ at }) => at <= end) ?? before[0] ?? null;
  const shared = out && ofNext.includes(out) ? out : null;
  const after = movedIn ?? ofNext.find(({ at }) => !out || at > out.at) ?? shared;
  return { zone: new Set([...ofOne, ...ofNext]), out, in: after };
}

/** Whether an event may count on a date. */
const isOf = ({ movedTo }: PunchEvent, date: DateText): boolean => movedTo === null || movedTo === date;

/** The slot of the date in whose window a moment lies, or to whose window it is nearest. */
function nearestOn(date: DateText, at: UnixSeconds, slots: readonly WindowedSlot[]): WindowedSlot | null {
  const distance = ({ window }: WindowedSlot) => Math.max(window.from - at, at - window.to, 0);
  const [first, ...others] = slots.filter(({ slot }) => slot.date === date);
  return first ? others.reduce((best, one) => (distance(one) < distance(best) ? one : best), first) : null;
}
