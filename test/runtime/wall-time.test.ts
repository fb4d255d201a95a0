import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDay } from '../../src/runtime/calendar-date.ts';
import { dayOf, monthBoundsOf, wallTime } from '../../src/runtime/wall-time.ts';

const at = (text: string): number => Date.parse(text) / 1000;
const utc = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(':00.000', '');

test.each([
  ['Asia/Shanghai', '2026-11-16', 540, '2026-11-16T01:00Z'],
  // 06:00 of the next date.
  ['Asia/Shanghai', '2026-11-16', 1800, '2026-11-16T22:00Z'],
  // 02:30 does not exist: 03:30.
  ['Europe/Berlin', '2026-03-29', 150, '2026-03-29T01:30Z'],
  ['Europe/Berlin', '2026-03-28', 1440 + 150, '2026-03-29T01:30Z'],
  // 02:30 exists twice.
  ['Europe/Berlin', '2026-10-25', 150, '2026-10-25T00:30Z'],
  ['Europe/Berlin', '2026-10-25', 180, '2026-10-25T02:00Z'],
  ['America/New_York', '2026-11-01', 90, '2026-11-01T05:30Z'],
  // A clock that is set by half an hour.
  ['Australia/Lord_Howe', '2026-04-05', 105, '2026-04-04T14:45Z'],
])(
  'in %s minute %3$i of %2$s is the first moment that shows it, or lies after the gap',
  (zone, date, minute, found) => {
    expect(utc(wallTime(zone).instant(date, minute))).toBe(found);
  },
);

test('a time is shown never, once or twice', () => {
  const { shownAt } = wallTime('Europe/Berlin');
  expect(shownAt('2026-03-29T02:30')).toEqual([]);
  expect(shownAt('2026-03-29T03:00').map(utc)).toEqual(['2026-03-29T01:00Z']);
  expect(shownAt('2026-10-25T02:30').map(utc)).toEqual(['2026-10-25T00:30Z', '2026-10-25T01:30Z']);
  expect(shownAt('2026-10-25T03:00').map(utc)).toEqual(['2026-10-25T02:00Z']);
});

test('of a time that comes twice the text says which, by its distance from UTC', () => {
  const { text, isSecondTime } = wallTime('Europe/Berlin');
  const times = [
    '2026-10-24T23:59Z',
    '2026-10-25T00:30Z',
    '2026-10-25T01:00Z',
    '2026-10-25T01:59Z',
    '2026-10-25T02:00Z',
  ];
  expect(times.map(time => text(at(time)))).toEqual([
    '2026-10-25 01:59:00',
    '2026-10-25 02:30:00 +02:00',
    '2026-10-25 02:00:00 +01:00',
    '2026-10-25 02:59:00 +01:00',
    '2026-10-25 03:00:00',
  ]);
  expect(times.map(time => isSecondTime(at(time)))).toEqual([false, false, true, true, false]);
  expect(isSecondTime(at('2026-03-29T01:30Z'))).toBe(false);
  expect(wallTime('America/St_Johns').text(at('2026-11-01T04:10Z'))).toBe('2026-11-01 01:40:00 -02:30');
});

test('clocks are right on both sides of a change, and where they never change', () => {
  expect(wallTime('Europe/Berlin').text(at('2026-03-29T00:59:59Z'))).toBe('2026-03-29 01:59:59');
  expect(wallTime('Europe/Berlin').text(at('2026-03-29T01:00:00Z'))).toBe('2026-03-29 03:00:00');
  expect(wallTime('Asia/Kathmandu').text(0)).toBe('1970-01-01 05:30:00');
  expect(wallTime('UTC').text(0)).toBe('1970-01-01 00:00:00');
});

test('a moment is on the date that the clocks show', () => {
  expect(wallTime('Asia/Shanghai').dateOf(at('2026-11-15T16:00Z'))).toBe('2026-11-16');
  expect(wallTime('America/New_York').dateOf(at('2026-11-16T04:59:59Z'))).toBe('2026-11-15');
});

test.each([
  ['Asia/Shanghai', '2026-11-16', '2026-11-15T16:00Z', '2026-11-16T16:00Z'],
  // Midnight does not exist: the day begins at 01:00.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00Z', '2026-09-07T03:00Z'],
  // Midnight comes twice: the day begins with the first.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
])('in %s a day lies between the first seconds of two dates', (zone, day, from, to) => {
  expect(wallTime(zone).dayBounds(day)).toEqual({ from: at(from), to: at(to) });
  expect(dayOf(at(from) * 1000, zone).day).toBe(day);
  expect(dayOf(at(from) * 1000 - 1, zone).day < day).toBe(true);
  expect(dayOf(at(to) * 1000 - 1, zone)).toEqual({ day, from: at(from), to: at(to) });
});

test('a month begins and ends where the site is, also at the end of a year and where the clocks change', () => {
  expect(monthBoundsOf('2026-12', 'Asia/Shanghai')).toEqual({
    from: at('2026-12-01T00:00:00+08:00'),
    to: at('2027-01-01T00:00:00+08:00'),
  });
  expect(monthBoundsOf('2026-03', 'Europe/Berlin')).toEqual({
    from: at('2026-03-01T00:00:00+01:00'),
    to: at('2026-04-01T00:00:00+02:00'),
  });
  expect(monthBoundsOf('9999-12', 'UTC')!.to).toBe(at('+010000-01-01T00:00:00Z'));
  expect(monthBoundsOf('2026-9', 'UTC')).toBeNull();
  expect(monthBoundsOf('2026-13', 'UTC')).toBeNull();
});

test('a day is one of the calendar', () => {
  expect(['2026-02-28', '2028-02-29', '2026-12-31'].every(isDay)).toBe(true);
  expect(['2026-02-29', '2026-11-31', '2026-11-00', '2026-13-01', '2026-1-1', ''].some(isDay)).toBe(false);
});

test('a moment is written as the clocks of the place show it', () => {
  const zones = fc.constantFrom('Asia/Shanghai', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'UTC');
  const moments = fc.integer({ min: at('1930-01-01T00:00Z'), max: at('2150-01-01T00:00Z') });
  fc.assert(
    fc.property(zones, fc.array(moments), (zone, all) => {
      for (const moment of all) {
        const wall = Temporal.Instant.fromEpochMilliseconds(moment * 1000)
          .toZonedDateTimeISO(zone)
          .toPlainDateTime();
        const shown = wall.toString({ smallestUnit: 'second' }).replace('T', ' ');
        expect(wallTime(zone).text(moment).slice(0, 19)).toBe(shown);
      }
    }),
  );
});

test('the bounds of a day are calculated once: holidays by the calendar day ask for them with each shift', () => {
  const { dayBounds } = wallTime('Europe/Berlin');
  expect(dayBounds('2026-03-29')).toBe(dayBounds('2026-03-29'));
});
