import { expect, test } from 'vitest';
import { isDay, monthBoundsOf } from '../../src/runtime/day-bounds.ts';

const at = (text: string): number => Date.parse(text) / 1000;

test('a month begins and ends where the site is, also at the end of a year and where the clock turns', () => {
  expect(monthBoundsOf('2026-12', 'Asia/Shanghai')).toEqual({
    from: at('2026-12-01T00:00:00+08:00'),
    to: at('2027-01-01T00:00:00+08:00'),
  });
  expect(monthBoundsOf('2026-03', 'Europe/Berlin')).toEqual({
    from: at('2026-03-01T00:00:00+01:00'),
    to: at('2026-04-01T00:00:00+02:00'),
  });
  expect(monthBoundsOf('2026-9', 'UTC')).toBeNull();
  expect(monthBoundsOf('2026-13', 'UTC')).toBeNull();
});

test('a day is one of the calendar', () => {
  expect(['2026-02-28', '2028-02-29', '2026-12-31'].every(isDay)).toBe(true);
  expect(['2026-02-29', '2026-11-31', '2026-11-00', '2026-13-01', '2026-1-1', ''].some(isDay)).toBe(false);
});
