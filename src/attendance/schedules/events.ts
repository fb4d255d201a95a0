import { clockWords, isClockWrong } from '../../platform/device-clock.ts';
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

/** Punches that are set aside are part of no event. */
export function eventsOf(punches: readonly CountedPunch[], { repeatSeconds }: ScheduleRules): PunchEvent[] {
  const events: { at: UnixSeconds; punches: CountedPunch[] }[] = [];
  for (const punch of inOrder(punches.filter(one => !one.punch.isSetAside))) {
    const last = events.at(-1);
    if (last && punch.at - last.at <= repeatSeconds) last.punches.push(punch);
    else events.push({ at: punch.at, punches: [punch] });
  }
  return events;
}
