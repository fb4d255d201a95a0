import { addDays } from '../runtime/calendar-date.ts';
import type { DateText } from './shifts.ts';

/** The department that a person stood in, or that stood above a department, up to `until`. */
export interface FormerPlace {
  /** Inclusive. */
  readonly until: DateText;
  readonly departmentId: number;
}

/** Where somebody, or a department, stands now, and where before. */
export interface Places {
  /** Oldest first; each ends on the eve of the next. */
  readonly former: readonly FormerPlace[];
  readonly now: number;
  /** The first date in `now`. Null: always, as far as is known. */
  readonly since: DateText | null;
}

/**
 * The places after a move to `to`, from the date `since` on. What was said of dates from then on is
 * replaced; dates before it stay as they are. A move to where one stands already dates the last
 * move otherwise; of whoever never moved it says that nothing is known of before. Whoever moves on
 * the day since which one is known stood nowhere else before.
 */
export function placesAfter({ former, now, since: nowSince }: Places, to: number, since: DateText): Places {
  const eve = addDays(since, -1);
  const last = former.at(-1);
  if (to === now && (last === undefined || last.until < eve))
    return { former: last ? [...former.slice(0, -1), { ...last, until: eve }] : [], now, since };
  const before = former.filter(({ until }) => until < eve);
  const wasHere = last !== undefined || nowSince !== since;
  const onEve = former.find(({ until }) => until >= eve)?.departmentId ?? (wasHere ? now : null);
  if (onEve !== to)
    return { former: onEve === null ? before : [...before, { until: eve, departmentId: onEve }], now: to, since };
  const end = before.at(-1)?.until;
  return { former: before, now: to, since: end === undefined ? null : addDays(end, 1) };
}

/** Where it stands on a date. */
export const placeOn = ({ former, now }: Pick<Places, 'former' | 'now'>, date: DateText): number =>
  former.find(({ until }) => date <= until)?.departmentId ?? now;
