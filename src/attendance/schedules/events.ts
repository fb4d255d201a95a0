import { clockWords, isClockWrong } from '../../platform/device-clock.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import type { Punch, ScheduleRules } from './result.ts';

interface CountedPunch {
  readonly punch: Punch;
  /** When it counts. */
  readonly at: UnixSeconds;
}

/** Punches close together: one arrival, or one departure. */
export interface PunchEvent {
  /** Of the first of them. */
  readonly at: UnixSeconds;
  /** The work date to which a correction has moved them; null: that of their window. */
  readonly movedTo: DateText | null;
  /** By time. */
  readonly punches: readonly CountedPunch[];
}

export const lastOf = ({ punches }: PunchEvent): CountedPunch => punches.at(-1)!;

/** An answer of its terminal proves that the clock was off by more than a minute. */
export function isClockProvedWrong({ clock }: Punch): boolean {
  const words = clockWords(clock);
  return words.within !== null && isClockWrong(words);
}

/** `as_said`: at the device's own time, always. */
export function countedAt(punch: Punch, rules: Pick<ScheduleRules, 'clock'>): UnixSeconds {
  const isCorrected = rules.clock === 'corrected' && isClockProvedWrong(punch);
  return isCorrected ? punch.at - clockWords(punch.clock).offset! : punch.at;
}

export const inOrder = (punches: readonly CountedPunch[]): CountedPunch[] =>
  [...punches].sort((one, other) => one.at - other.at || one.punch.id - other.punch.id);

/**
 * By time. Punches that are set aside are part of no event; one that was moved to another date is
 * in none with one that was not.
 */
export function eventsOf(punches: readonly CountedPunch[], { repeatSeconds }: ScheduleRules): PunchEvent[] {
  const events: (PunchEvent & { readonly punches: CountedPunch[] })[] = [];
  for (const one of inOrder(punches.filter(({ punch }) => !punch.isSetAside))) {
    const { workDate } = one.punch;
    const last = events.findLast(({ movedTo }) => movedTo === workDate);
    if (last && one.at - last.at <= repeatSeconds) last.punches.push(one);
    else events.push({ at: one.at, movedTo: workDate, punches: [one] });
  }
  return events;
}
