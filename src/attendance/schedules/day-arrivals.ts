import type { UnixMs } from '../../runtime/clock.ts';
import type { Span } from '../../store/index.ts';
import { type Arrived, arrivedOf } from './day-list.ts';
import { hasCome, isDue, type PersonOnDay } from './day-status.ts';

export const arrivalPartSeconds = 15 * 60;

/** How many the schedules expect in each part of a day, and how many of them came in it. */
export interface DayArrivals {
  readonly expected: readonly number[];
  readonly arrived: readonly number[];
  readonly now: Arrived;
}

/** Arrivals of a day within `span`; null: the schedules expect nobody. */
export function dayArrivals(people: readonly PersonOnDay[], { from, to }: Span, now: UnixMs): DayArrivals | null {
  const planned = people.filter(({ status }) => isDue(status) || status === 'expected');
  if (planned.length === 0) return null;
  const length = Math.ceil((to - from) / arrivalPartSeconds);
  const expected = Array.from({ length }, () => 0);
  const arrived = Array.from({ length }, () => 0);
  const partOf = (at: number) => Math.max(0, Math.min(length - 1, Math.floor((at - from) / arrivalPartSeconds)));
  // Parts up to that of now add up to the arrivals until now, which the page of the day has too.
  const nowAt = Math.floor(now / 1000);
  for (const { status, plannedOn, first } of planned) {
    const came = hasCome(status) && first ? first.at : null;
    const isAhead = plannedOn === null || plannedOn > nowAt;
    const on = isAhead ? (came ?? plannedOn) : plannedOn;
    if (on === null) continue;
    const isInPartOfNow = came === null && isAhead && from <= nowAt && partOf(on) <= partOf(nowAt);
    expected[Math.min(length - 1, isInPartOfNow ? partOf(nowAt) + 1 : partOf(on))]!++;
    if (came !== null) arrived[partOf(came)]!++;
  }
  return { expected, arrived, now: arrivedOf(people) };
}
