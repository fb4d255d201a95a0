import { addDays, dateOfDay } from './calendar-date.ts';
import type { UnixMs, UnixSeconds } from './clock.ts';

/** Minutes of a date as its clocks count them: from 1,440 on they lie on the dates after it. */
type DayMinute = number;
type DateText = string;

/** `2026-11-16T18:00`, with `+08:00` behind it where one of two times is meant. */
export const wallTimePattern = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?([+-]\d{2}:\d{2})?$/;

/** The clocks on the walls of a place, and the instants that they show. */
export interface WallTime {
  /**
   * When the clocks show a minute of a date: of a time that comes twice the first, and a time that
   * they skip moves forward by the gap (RFC 5545): 02:30 becomes 03:30.
   */
  instant(date: DateText, minute: DayMinute): UnixSeconds;
  /** Reads `2026-11-16T09:00` like `instant`. Throws a RangeError for what is no time. */
  read(text: string): UnixSeconds;
  /** Every instant at which the clocks show `2026-11-16T09:00`: none, one or two, in order. */
  shownAt(text: string): UnixSeconds[];
  /** First second of a date, and the first of the next. Days are 23 to 25 hours long. */
  dayBounds(date: DateText): { readonly from: UnixSeconds; readonly to: UnixSeconds };
  dateOf(at: UnixSeconds): DateText;
  /** `2026-11-16 18:00:00`; of a time that comes twice, `2026-10-25 02:30:00 +01:00`. */
  text(at: UnixSeconds): string;
  /**
   * For a cell of a workbook, whose dates have no zone: the wall clock as if it were UTC, and the
   * text where that would not say which of two moments is meant.
   */
  cell(at: UnixSeconds): Date | string;
  /** How far the clocks are ahead of UTC: `+08:00` */
  offset(at: UnixSeconds): string;
  /** The clocks showed the same time before, and were then set back: "02:30 (2nd)". */
  isSecondTime(at: UnixSeconds): boolean;
}

/** From one change of the clocks to the next. */
interface Season {
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
  readonly offset: number;
  /** By how much the clocks are set back at its beginning, and at its end. */
  readonly setBack: number;
  readonly setBackNext: number;
}

const secondsPerDay = 86_400;
/** More than a site's months have: each is filled again within milliseconds. */
const keptMax = 10_000;
const places = new Map<string, WallTime>();

/** The clocks of a time zone of IANA; throws a RangeError where there is none of this name. */
export function wallTime(timeZone: string): WallTime {
  const place = places.get(timeZone) ?? clocksOf(timeZone);
  places.set(timeZone, place);
  return place;
}

function clocksOf(timeZone: string): WallTime {
  const seasons: Season[] = [];
  const instants = new Map<string, UnixSeconds>();
  const bounds = new Map<DateText, ReturnType<WallTime['dayBounds']>>();
  let last = seasonAt(timeZone, 0);
  /** Each record of a day asks for its date. */
  let lastDay = { number: 0, date: dateOfDay(0) };

  const seasonOf = (at: UnixSeconds): Season => {
    if (at >= last.from && at < last.to) return last;
    last = seasons.find(one => at >= one.from && at < one.to) ?? seasonAt(timeZone, at);
    if (!seasons.includes(last)) seasons.push(last);
    if (seasons.length > keptMax) seasons.length = 0;
    return last;
  };
  const shown = (at: UnixSeconds): number => at + seasonOf(at).offset;
  const comesTwice = (at: UnixSeconds): boolean => {
    const { from, to, setBack, setBackNext } = seasonOf(at);
    return at < from + setBack || at >= to - setBackNext;
  };
  const dateOf = (at: UnixSeconds): DateText => {
    const day = Math.floor(shown(at) / secondsPerDay);
    if (day !== lastDay.number) lastDay = { number: day, date: dateOfDay(day) };
    return lastDay.date;
  };
  const text = (at: UnixSeconds): string => {
    const date = dateOf(at);
    const second = Math.floor(shown(at)) - lastDay.number * secondsPerDay;
    const minutes = Math.floor(second / 60);
    const written = `${date} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(second % 60)}`;
    return comesTwice(at) ? `${written} ${offsetText(seasonOf(at).offset)}` : written;
  };

  return {
    instant(date, minute) {
      const key = `${date} ${minute}`;
      let at = instants.get(key);
      if (at === undefined) {
        const wall = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes: minute });
        at = secondsOf(wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' }));
        if (instants.size >= keptMax) instants.clear();
        instants.set(key, at);
      }
      return at;
    },
    read: text => secondsOf(Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone)),
    shownAt(text) {
      const wall = Temporal.PlainDateTime.from(text);
      const found = (['earlier', 'later'] as const)
        .map(disambiguation => wall.toZonedDateTime(timeZone, { disambiguation }))
        .filter(one => one.toPlainDateTime().equals(wall));
      return [...new Set(found.map(secondsOf))];
    },
    dayBounds(date) {
      let found = bounds.get(date);
      if (!found) {
        const day = Temporal.PlainDate.from(date);
        found = {
          from: secondsOf(day.toZonedDateTime(timeZone)),
          to: secondsOf(day.add({ days: 1 }).toZonedDateTime(timeZone)),
        };
        if (bounds.size >= keptMax) bounds.clear();
        bounds.set(date, found);
      }
      return found;
    },
    dateOf,
    text,
    cell: at => (comesTwice(at) ? text(at) : new Date(shown(at) * 1000)),
    offset: at => offsetText(seasonOf(at).offset),
    isSecondTime(at) {
      const { from, setBack } = seasonOf(at);
      return at < from + setBack;
    },
  };
}

const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
/** Of a number below 60. */
const two = (value: number): string => twoDigits[value]!;

function offsetText(offset: number): string {
  const minutes = Math.trunc(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

function seasonAt(timeZone: string, at: UnixSeconds): Season {
  const whole = Math.floor(at);
  const offsetAt = (one: Temporal.ZonedDateTime) => one.offsetNanoseconds / 1e9;
  const offset = offsetAt(zoned(timeZone, whole));
  const begun = zoned(timeZone, whole + 1).getTimeZoneTransition('previous');
  const ends = zoned(timeZone, whole).getTimeZoneTransition('next');
  const before = begun ? offsetAt(begun.subtract({ seconds: 1 })) : offset;
  return {
    from: begun ? secondsOf(begun) : Number.NEGATIVE_INFINITY,
    to: ends ? secondsOf(ends) : Number.POSITIVE_INFINITY,
    offset,
    setBack: Math.max(0, before - offset),
    setBackNext: ends ? Math.max(0, offset - offsetAt(ends)) : 0,
  };
}

const zoned = (timeZone: string, at: UnixSeconds): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(timeZone);

const secondsOf = ({ epochMilliseconds }: Temporal.ZonedDateTime): UnixSeconds => epochMilliseconds / 1000;

/** A moment in a time zone, with the offset: `2026-11-21 10:02:03 +08:00`, or `UTC` for none. */
export function momentText(at: UnixMs, timeZone: string): string {
  const seconds = Math.floor(at / 1000);
  const { text, offset } = wallTime(timeZone);
  const ahead = offset(seconds);
  return `${text(seconds).slice(0, 19)} ${ahead === '+00:00' ? 'UTC' : ahead}`;
}

/** The day of a time zone in which a moment lies, its first second, and the first of the next. */
export function dayOf(now: UnixMs, timeZone: string): { day: DateText; from: UnixSeconds; to: UnixSeconds } {
  const { dateOf, dayBounds } = wallTime(timeZone);
  const day = dateOf(now / 1000);
  return { day, ...dayBounds(day) };
}

/** First second of the month `YYYY-MM`, and the first of the next; null for what is no month. */
export function monthBoundsOf(month: string, timeZone: string): { from: UnixSeconds; to: UnixSeconds } | null {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return null;
  const { dayBounds } = wallTime(timeZone);
  const first = `${month}-01`;
  const next = `${addDays(first, 31).slice(0, -2)}01`;
  return { from: dayBounds(first).from, to: dayBounds(next).from };
}

/** Returns the day of a moment in a time zone: the counter of logs turns at 00:00 (SPEC 8). */
export function localDays(timeZone: string): (now: UnixMs) => DateText {
  const { dateOf } = wallTime(timeZone);
  return now => dateOf(now / 1000);
}

/** Seconds are cut: 09:05:59 counts as 09:05. */
export const cutToMinute = (at: UnixSeconds): UnixSeconds => at - (at % 60);
