import { expect, test } from 'vitest';
import { wallTime } from '../../../src/attendance/schedules/wall-time.ts';

const utc = (text: string): number => Date.parse(`${text}:00Z`) / 1000;

test.each([
  ['Asia/Shanghai', '2026-11-16', 540, '2026-11-16T01:00', '2026-11-16T01:00'],
  // 06:00 of the next date.
  ['Asia/Shanghai', '2026-11-16', 1800, '2026-11-16T22:00', '2026-11-16T22:00'],
  // 02:30 does not exist: 03:30.
  ['Europe/Berlin', '2026-03-29', 150, '2026-03-29T01:30', '2026-03-29T01:30'],
  ['Europe/Berlin', '2026-03-28', 1440 + 150, '2026-03-29T01:30', '2026-03-29T01:30'],
  // 02:30 exists twice.
  ['Europe/Berlin', '2026-10-25', 150, '2026-10-25T00:30', '2026-10-25T01:30'],
  ['Europe/Berlin', '2026-10-25', 180, '2026-10-25T02:00', '2026-10-25T02:00'],
  ['America/New_York', '2026-11-01', 90, '2026-11-01T05:30', '2026-11-01T06:30'],
  // A clock that is set by half an hour.
  ['Australia/Lord_Howe', '2026-04-05', 105, '2026-04-04T14:45', '2026-04-04T15:15'],
])('in %s minute %3$i of %2$s is one moment, or the first and the second', (zone, date, minute, first, second) => {
  const wall = wallTime(zone);
  expect(wall.instant(date, minute, 'first')).toBe(utc(first));
  expect(wall.instant(date, minute, 'second')).toBe(utc(second));
});

test('only a time that the clocks show again is a second time', () => {
  const berlin = wallTime('Europe/Berlin');
  const times = ['2026-10-24T23:59', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:59', '2026-10-25T02:00'];
  expect(times.map(time => berlin.isSecondTime(utc(time)))).toEqual([false, false, true, true, false]);
  expect(berlin.isSecondTime(utc('2026-03-29T01:30'))).toBe(false);
});

test('a moment is on the date that the clocks show', () => {
  expect(wallTime('Asia/Shanghai').dateOf(utc('2026-11-15T16:00'))).toBe('2026-11-16');
  expect(wallTime('America/New_York').dateOf(utc('2026-11-16T04:59'))).toBe('2026-11-15');
  expect(wallTime('Europe/Berlin').read('2026-11-16T09:30', 'first')).toBe(utc('2026-11-16T08:30'));
});
