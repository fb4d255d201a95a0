import type { PunchEvent } from './events.ts';
import type { ScheduleRules } from './result.ts';
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
  readonly out: PunchEvent;
  readonly in: PunchEvent;
}

/**
 * Gives each slot its events: those in its window; around the change between two chained slots, up
 * to the last event that is not after the first one's end, or from the one after it. Returns the
 * events of no slot as well.
 */
export function eventsOfSlots(
  slots: readonly WindowedSlot[],
  events: readonly PunchEvent[],
  rules: Pick<ScheduleRules, 'chainedMinutes'>,
): { readonly ofSlots: readonly SlotEvents[]; readonly others: readonly PunchEvent[] } {
  const chains = slots.map((one, place) => chainOf(one, slots[place + 1], events, rules.chainedMinutes * 60));
  const isInZone = (event: PunchEvent) => chains.some(chain => chain?.zone.has(event));
  const taken = new Set<PunchEvent>();
  const ofSlots = slots.map(({ window }, place): SlotEvents => {
    const before = chains[place - 1] ?? null;
    const after = chains[place] ?? null;
    const own = events.filter(event => {
      if (after?.zone.has(event) && event.at <= after.out.at) return true;
      if (before?.zone.has(event) && event.at >= before.in.at) return true;
      return !isInZone(event) && window.from <= event.at && event.at < window.to && !taken.has(event);
    });
    for (const event of own) taken.add(event);
    return {
      events: own,
      chainedIn: before?.in ?? null,
      chainedOut: after?.out ?? null,
      isInShared: before !== null && before.in === before.out,
      isOutShared: after !== null && after.in === after.out,
    };
  });
  return { ofSlots, others: events.filter(event => !taken.has(event) && !isInZone(event)) };
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
  const zone = events.filter(({ at }) => end - seconds <= at && at <= start + seconds);
  const out = zone.findLast(({ at }) => at <= end) ?? zone[0];
  if (!out) return null;
  return { zone: new Set(zone), out, in: zone.find(({ at }) => at > out.at) ?? out };
}
