import type { DateText } from '../../platform/shifts.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import { eventsOfSlots } from './chained.ts';
import { countedAt, eventsOf, inOrder, type PunchEvent } from './events.ts';
import { type Outside, outsideOf, type Surroundings } from './outside.ts';
import { everyPunch, type PunchList } from './punch-list.ts';
import type { PunchUse, ScheduleRules } from './result.ts';
import type { FilledSlot } from './slot-result.ts';
import { usesOf } from './uses.ts';

/** An event of no slot. */
export interface Loose extends Outside {
  readonly event: PunchEvent;
}

/** Where the check-ins of a person belong. */
export interface Placed {
  /** Slots that leave has left, in the order of time. */
  filledOn(date: DateText): readonly FilledSlot[];
  looseOn(date: DateText): readonly Loose[];
  setAsideOn(date: DateText): readonly PunchUse[];
}

const none: readonly never[] = [];

/** Any check-ins in any slots: placed one by one. See plainlyPlaced for those of most people. */
export function placed(list: PunchList, around: Surroundings, rules: ScheduleRules): Placed {
  const filled = new Map<DateText, FilledSlot[]>();
  const loose = new Map<DateText, Loose[]>();
  const setAside = new Map<DateText, PunchUse[]>();
  const counted = everyPunch(list).map(punch => ({ punch, at: countedAt(punch, rules) }));
  const { ofSlots, others } = eventsOfSlots(around.windowed, eventsOf(counted, rules), rules);
  for (const [place, one] of around.windowed.entries()) addTo(filled, one.slot.date, { ...one, ...ofSlots[place]! });
  for (const event of others) {
    const outside = outsideOf(event, around);
    if (outside) addTo(loose, outside.date, { event, ...outside });
  }
  for (const one of inOrder(counted.filter(({ punch }) => punch.isSetAside))) {
    const home = homeOf(one.at, one.punch.workDate, around);
    if (!home) continue;
    const place = { segment: home.segment, reason: null, minutes: null };
    for (const use of usesOf([one], 'set_aside', place, around.wall)) addTo(setAside, home.date, use);
  }
  return {
    filledOn: date => filled.get(date) ?? none,
    looseOn: date => loose.get(date) ?? none,
    setAsideOn: date => setAside.get(date) ?? none,
  };
}

/** The day to which a moment belongs, or to which a correction has moved it. */
export function homeOf(
  at: UnixSeconds,
  movedTo: DateText | null,
  around: Surroundings,
): { readonly date: DateText; readonly segment: number | null } | null {
  if (movedTo !== null) return { date: movedTo, segment: null };
  const found = around.windowed.find(({ window }) => window.from <= at && at < window.to);
  if (found) return { date: found.slot.date, segment: found.slot.index };
  const outside = outsideOf({ at, movedTo }, around);
  return outside && { date: outside.date, segment: null };
}

export function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
