import type { DateText } from '../../platform/shifts.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import type { PunchEvent } from './events.ts';
import { outsideOf, type Surroundings } from './outside.ts';
import { addTo, type Loose, type Placed } from './placed.ts';
import type { PunchList } from './punch-list.ts';
import type { ScheduleRules } from './result.ts';
import type { FilledSlot } from './slot-result.ts';
import type { Span } from './spans.ts';
import { apartByDate, type WindowedSlot } from './windows.ts';

const none: readonly never[] = [];

/** First and last event of a window. */
export interface WindowEnds {
  readonly first: UnixSeconds;
  /** Of the last event, its first check-in and its last. */
  readonly last: UnixSeconds;
  readonly lastEnds: UnixSeconds;
}

export interface PlainlyPlaced extends Placed {
  /** Windows of a date that leave has left. */
  windowsOn(date: DateText): readonly WindowedSlot[];
  /** Returns null for no event. */
  endsIn(window: Span): WindowEnds | null;
}

/**
 * The same as `placed`, for most people: no correction has touched their check-ins, each counts at
 * the time that its terminal said, and their slots lie so far apart that no two of them share one.
 * Then a window alone says what is in it, and only the days that are asked for are looked at. Null
 * for everybody else.
 */
export function plainlyPlaced(list: PunchList, around: Surroundings, rules: ScheduleRules): PlainlyPlaced | null {
  if (!list.isPlain || rules.clock !== 'as_said') return null;
  const windows = apartByDate(around.windowed, rules.chainedMinutes * 60);
  if (!windows) return null;
  const starts = startsOf(list, rules.repeatSeconds);
  const grouped = (place: number): PunchEvent => {
    const [first, end] = [starts[place]!, starts[place + 1] ?? list.times.length];
    const punches = [];
    for (let one = first; one < end; one++) punches.push({ punch: list.of(one), at: list.times[one]! });
    return { at: list.times[first]!, movedTo: null, punches };
  };
  const filled = ({ slot, window }: WindowedSlot): FilledSlot => {
    const events: PunchEvent[] = [];
    for (let place = firstFrom(window.from, list, starts); place < starts.length; place++) {
      if (list.times[starts[place]!]! >= window.to) break;
      events.push(grouped(place));
    }
    return { slot, window, events, chainedIn: null, chainedOut: null, isInShared: false, isOutShared: false };
  };
  let loose: ReadonlyMap<DateText, readonly Loose[]> | undefined;
  const others = () => {
    const found = new Map<DateText, Loose[]>();
    let next = 0;
    for (let place = 0; place < starts.length; place++) {
      const at = list.times[starts[place]!]!;
      while (next < around.windowed.length && around.windowed[next]!.window.to <= at) next++;
      const ahead = around.windowed[next];
      if (ahead && ahead.window.from <= at) continue;
      const event = grouped(place);
      const outside = outsideOf(event, around);
      if (outside) addTo(found, outside.date, { event, ...outside });
    }
    return found;
  };
  const endsIn = (window: Span): WindowEnds | null => {
    const place = firstFrom(window.from, list, starts);
    let end = place;
    while (end < starts.length && list.times[starts[end]!]! < window.to) end++;
    if (end === place) return null;
    const next = starts[end] ?? list.times.length;
    return {
      first: list.times[starts[place]!]!,
      last: list.times[starts[end - 1]!]!,
      lastEnds: list.times[next - 1]!,
    };
  };
  return {
    windowsOn: date => windows.get(date) ?? none,
    endsIn,
    filledOn: date => windows.get(date)?.map(filled) ?? none,
    looseOn(date) {
      loose ??= others();
      return loose.get(date) ?? none;
    },
    setAsideOn: () => none,
  };
}

/** Places of the check-ins with which an event begins. */
function startsOf({ times }: PunchList, repeatSeconds: number): number[] {
  const starts: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < times.length; place++) {
    const at = times[place]!;
    if (at - last <= repeatSeconds) continue;
    starts.push(place);
    last = at;
  }
  return starts;
}

/** The first event that does not begin before a moment. */
function firstFrom(from: number, list: PunchList, starts: readonly number[]): number {
  let first = 0;
  for (let end = starts.length; first < end; ) {
    const middle = (first + end) >> 1;
    if (list.times[starts[middle]!]! < from) first = middle + 1;
    else end = middle;
  }
  return first;
}
