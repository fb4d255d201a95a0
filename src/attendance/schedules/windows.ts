import type { DateText } from '../../platform/shifts.ts';
import { isAllLeave, type Slot } from './slots.ts';
import type { Span } from './spans.ts';

/** A slot and when a punch belongs to it. */
export interface WindowedSlot {
  readonly slot: Slot;
  readonly window: Span;
}

/** As the shift has it, without regard to other slots. */
export const ownWindow = ({ planned, segment }: Slot): Span => ({
  from: planned.from - segment.before * 60,
  to: planned.to + segment.after * 60,
});

/** By the slots, which people of one plan share. */
const known = new WeakMap<readonly Slot[], readonly WindowedSlot[]>();

/** See windowed. */
export function windowsOf(slots: readonly Slot[]): readonly WindowedSlot[] {
  const found = known.get(slots) ?? windowed(slots);
  known.set(slots, found);
  return found;
}

/**
 * The slots that leave has left, in order, each with its window. Between two of them the windows
 * meet at most in the middle.
 */
function windowed(slots: readonly Slot[]): WindowedSlot[] {
  const left = slots
    .filter(slot => !isAllLeave(slot))
    .sort(
      (one, other) =>
        one.span.from - other.span.from ||
        (one.date < other.date ? -1 : one.date > other.date ? 1 : one.index - other.index),
    );
  return left.map((slot, place) => {
    const { from, to } = ownWindow(slot);
    const before = left[place - 1];
    const after = left[place + 1];
    return {
      slot,
      window: {
        from: before ? Math.max(from, middle(before, slot)) : from,
        to: after ? Math.min(to, middle(slot, after)) : to,
      },
    };
  });
}

const middle = (one: Slot, next: Slot): number => one.span.to + Math.floor((next.span.from - one.span.to) / 2);

const apart = new WeakMap<readonly WindowedSlot[], { readonly seconds: number; readonly found: ByDate | null }>();
type ByDate = ReadonlyMap<DateText, readonly WindowedSlot[]>;

/** By date, where no two slots lie nearer than `seconds` to each other: then no windows overlap. */
export function apartByDate(slots: readonly WindowedSlot[], seconds: number): ByDate | null {
  const kept = apart.get(slots);
  if (kept?.seconds === seconds) return kept.found;
  const isApart = slots.every(
    ({ slot }, place) => place === 0 || slot.span.from - slots[place - 1]!.slot.span.to >= seconds,
  );
  const found = isApart ? Map.groupBy(slots, ({ slot }) => slot.date) : null;
  apart.set(slots, { seconds, found });
  return found;
}
