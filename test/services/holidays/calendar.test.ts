import { expect, test } from 'vitest';
import { HolidayCalendar } from '../../../src/services/holidays/calendar.ts';
import { NoSuchDay } from '../../../src/services/holidays/day.ts';
import type { HolidayYear } from '../../../src/services/holidays/table.ts';
import { readHolidayTable } from '../../../src/services/index.ts';

const year2027: HolidayYear = {
  year: 2027,
  holidays: [
    { code: 'new-year', name: '元旦', days: [{ day: '2027-01-01', name: '元旦', type: 'BREAK' }] },
    { code: 'x', name: '春节', days: [{ day: '2027-02-20', name: '春节补班', type: 'WORK' }] },
  ],
};

test('a year that nobody has published is a state of its own, and so is each day in it', () => {
  const calendar = new HolidayCalendar();
  expect(calendar.year(2027)).toEqual({ year: 2027, holidays: [], source: 'unpublished' });
  expect(calendar.day('2027-01-01')).toEqual({ day: '2027-01-01', name: '', type: 'WORK', source: 'unpublished' });
  expect(calendar.day('2027-01-02')).toMatchObject({ type: 'BREAK', source: 'unpublished' });
  expect(calendar.year(2018).source).toBe('unpublished');
  expect(calendar.year(1).source).toBe('unpublished');
});

test("the cloud's year counts from the moment that the box has it, and stands before the built-in one", () => {
  const held = new Map<number, HolidayYear>();
  const calendar = new HolidayCalendar({ upstream: year => held.get(year) });
  expect(calendar.year(2027).source).toBe('unpublished');
  held.set(2027, year2027);
  expect(calendar.year(2027)).toEqual({ ...year2027, source: 'cloud' });
  expect(calendar.day('2027-02-20')).toEqual({
    day: '2027-02-20',
    name: '春节补班',
    type: 'WORK',
    source: 'cloud',
  });
  expect(calendar.day('2027-02-21')).toEqual({ day: '2027-02-21', name: '', type: 'BREAK', source: 'cloud' });
  held.set(2026, { year: 2026, holidays: [{ ...year2027.holidays[0]!, days: [] }] });
  expect(calendar.day('2026-01-01')).toMatchObject({ type: 'WORK', source: 'cloud' });
});

test('a cloud that knows no holiday of a year does not have the year', () => {
  const calendar = new HolidayCalendar({ upstream: year => ({ year, holidays: [] }) });
  expect(calendar.year(2027).source).toBe('unpublished');
  expect(calendar.year(2026).source).toBe('built-in');
});

test("the site's own year replaces the whole year, also with no holidays at all", () => {
  const own = readHolidayTable('holidays.yaml', '2026: { holidays: [] }');
  const calendar = new HolidayCalendar({ own, upstream: year => (year === 2027 ? year2027 : undefined) });
  expect(calendar.year(2026)).toEqual({ year: 2026, holidays: [], source: 'site' });
  expect(calendar.day('2026-10-01')).toEqual({ day: '2026-10-01', name: '', type: 'WORK', source: 'site' });
  expect(calendar.year(2027).source).toBe('cloud');
  expect(calendar.year(2025).source).toBe('built-in');
});

test('leap days', () => {
  const calendar = new HolidayCalendar();
  expect(calendar.day('2020-02-29')).toMatchObject({ day: '2020-02-29', type: 'BREAK' });
  expect(calendar.day('2000-02-29')).toMatchObject({ type: 'WORK' });
  expect(calendar.day('0004-02-29').day).toBe('0004-02-29');
  for (const none of ['2023-02-29', '1900-02-29', '2100-02-29'])
    expect(() => calendar.day(none)).toThrow(new NoSuchDay('no such day'));
});

test.each([
  ['2026-02-30', 'no such day'],
  ['2026-13-01', 'no such day'],
  ['2026-00-10', 'no such day'],
  ['2026-04-31', 'no such day'],
  ['0000-01-01', 'no such day'],
  ['2026-2-3', 'not a day: write 2026-02-03'],
  ['', 'not a day: write YYYY-MM-DD'],
  ['20260101', 'not a day: write YYYY-MM-DD'],
  ['2026/01/01', 'not a day: write YYYY-MM-DD'],
  ['2026-01-01T00:00:00', 'not a day: write YYYY-MM-DD'],
  [' 2026-01-01', 'not a day: write YYYY-MM-DD'],
  ['2026-01-01\n', 'not a day: write YYYY-MM-DD'],
  ['２０２６-01-01', 'not a day: write YYYY-MM-DD'],
])('no day: %j', (text, reason) => {
  expect(() => new HolidayCalendar().day(text)).toThrow(new NoSuchDay(reason));
});

test.each([0, -1, 10_000, 2026.5, Number.NaN, Number.POSITIVE_INFINITY])('no year: %j', year => {
  expect(() => new HolidayCalendar().year(year)).toThrow(NoSuchDay);
});
