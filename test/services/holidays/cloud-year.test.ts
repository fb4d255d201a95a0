import { expect, test } from 'vitest';
import { HolidayCalendar } from '../../../src/services/holidays/calendar.ts';
import { readCloudYear } from '../../../src/services/holidays/cloud-year.ts';

const data = (day: unknown = '2027-01-01', type: unknown = 'BREAK') => ({
  year: 2027,
  holidays: [{ code: '1', name: '元旦', days: [{ day, name: '元旦', type }] }],
});

test('what the box itself answers for a year is read back the same', () => {
  const { year, holidays } = new HolidayCalendar().year(2026);
  expect(readCloudYear(JSON.parse(JSON.stringify({ year, holidays })), 2026)).toEqual({
    ok: true,
    value: { year, holidays },
  });
});

test.each(['2027-01-01', '2027/1/1', '2027/01/01', '2027-1-1', '20270101'])('the day is read as %s', day => {
  const read = readCloudYear(data(day), 2027);
  expect(read.ok && read.value.holidays[0]!.days).toEqual([{ day: '2027-01-01', name: '元旦', type: 'BREAK' }]);
});

test('keys that are not known are left out, days are put in order, a day said twice stands once', () => {
  const read = readCloudYear(
    {
      year: 2027,
      updated: true,
      holidays: [
        {
          code: 'a',
          name: 'b',
          colour: 'red',
          days: [
            { day: '2027-02-02', name: 'x', type: 'BREAK', id: 7 },
            { day: '2027-02-01', name: 'y', type: 'WORK' },
            { day: '20270202', name: 'z', type: 'BREAK' },
          ],
        },
      ],
    },
    2027,
  );
  expect(read).toEqual({
    ok: true,
    value: {
      year: 2027,
      holidays: [
        {
          code: 'a',
          name: 'b',
          days: [
            { day: '2027-02-01', name: 'y', type: 'WORK' },
            { day: '2027-02-02', name: 'x', type: 'BREAK' },
          ],
        },
      ],
    },
  });
});

test.each([
  ['nothing', null, 'data: '],
  ['an empty object', {}, 'year: '],
  ['another year', { year: 2026, holidays: [] }, 'year: 2026, asked for was 2027'],
  ['no list', { year: 2027, holidays: {} }, 'holidays: '],
  ['a day of another year', data('2026-12-31'), 'day "2026-12-31": no day of 2027'],
  ['a day that does not exist', data('2027-02-29'), 'day "2027-02-29": no day of 2027'],
  ['mixed separators', data('2027-01/01'), 'day "2027-01/01": no day of 2027'],
  ['a moment', data('2026-12-31T16:00:00Z'), 'day "2026-12-31T16:00:00Z": no day of 2027'],
  ['a number', data(20270101), 'holidays.0.days.0.day: '],
  ['a type that SPEC does not have', data('2027-01-01', 'HALF'), 'holidays.0.days.0.type: '],
  [
    'a day that is both',
    { year: 2027, holidays: [...data().holidays, ...data('2027-01-01', 'WORK').holidays] },
    'day 2027-01-01: both BREAK and WORK',
  ],
])('refused as a whole: %s', (_what, value, reason) => {
  const read = readCloudYear(value, 2027);
  expect(read.ok ? '' : read.reason).toContain(reason);
  expect(read.ok).toBe(false);
});
