import type { DateText } from '../../platform/shifts.ts';
import { isEmployedOn, stintsOf } from '../../platform/stints.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import { cutToMinute, type WallTime } from '../../runtime/wall-time.ts';
import { spareMinutes } from './free-day.ts';
import type { PersonPlan } from './plan.ts';
import type { UnplacedReason } from './result.ts';
import { isAllLeave, type Slot } from './slots.ts';
import type { Span } from './spans.ts';
import { ownWindow, type WindowedSlot } from './windows.ts';

/** On which day a punch of no slot is shown, and why it is in none. */
export interface Outside {
  readonly date: DateText;
  /** Reason; null for a free shift. */
  readonly reason: UnplacedReason | null;
  /** To the window. */
  readonly minutes: number | null;
}

/** Days and slots around the punches of a person. */
export interface Surroundings {
  readonly plan: PersonPlan;
  readonly slots: readonly Slot[];
  readonly windowed: readonly WindowedSlot[];
  readonly leave: readonly Span[];
  readonly wall: WallTime;
}

/**
 * Use of a punch outside all slots; null if its date is not in the plan. `movedTo`: the work date
 * that a correction gives it, which has no slot that takes it.
 */
export function outsideOf(
  { at, movedTo }: { readonly at: UnixSeconds; readonly movedTo: DateText | null },
  around: Surroundings,
): Outside | null {
  const { plan, slots, wall } = around;
  const date = movedTo ?? wall.dateOf(at);
  const here = (reason: UnplacedReason | null): Outside => ({ date, reason, minutes: null });
  if (!isEmployedOn(plan.employment, date))
    return here(hasBeenEmployed(plan, date) ? 'after_leaving' : 'before_joining');
  const isThere = (slot: Slot) => (movedTo === null ? isWithin(ownWindow(slot), at) : slot.date === movedTo);
  const onLeave = slots.find(slot => isAllLeave(slot) && isThere(slot));
  if (onLeave) return { date: onLeave.date, reason: 'on_leave', minutes: null };
  const day = plan.days.get(date);
  if (!day) return null;
  if (day.shift?.kind === 'free') return here(spareMinutes(day.shift, date, around) > 0 ? null : 'on_leave');
  if (day.shift) return nearestWindow(at, date, around);
  return here(day.kind === 'rest' ? 'rest_day' : day.kind === 'legal_holiday' ? 'holiday' : 'no_schedule');
}

/**
 * Between two stints a person has left: a return changes nothing of the days before it, not even
 * the reason of a punch.
 */
const hasBeenEmployed = ({ employment }: PersonPlan, date: DateText): boolean =>
  employment !== null && stintsOf(employment).some(({ to }) => to !== null && to < date);

const isWithin = ({ from, to }: Span, at: UnixSeconds): boolean => from <= at && at < to;

/** A window of another date is looked at only so near to it. */
const nearSeconds = 180 * 60;

/** The nearest window of the date, unless that of a neighbouring date is close, and nearer. */
function nearestWindow(at: UnixSeconds, date: DateText, { slots, windowed }: Surroundings): Outside {
  const windows = [
    ...windowed.map(({ slot, window }) => ({ slot, window })),
    ...slots.filter(isAllLeave).map(slot => ({ slot, window: ownWindow(slot) })),
  ].sort((one, other) => one.slot.planned.from - other.slot.planned.from);
  const distance = ({ window }: { window: Span }) => (at < window.from ? window.from - at : at - window.to);
  const { slot, window } = windows
    .filter(one => one.slot.date === date || distance(one) <= nearSeconds)
    .reduce((best, one) => (distance(one) < distance(best) ? one : best));
  const isBefore = at < window.from;
  const seconds = isBefore ? window.from - cutToMinute(at) : cutToMinute(at) - window.to;
  return {
    date: slot.date,
    reason: isBefore ? 'before_window' : 'after_window',
    minutes: Math.max(0, Math.floor(seconds / 60)),
  };
}
