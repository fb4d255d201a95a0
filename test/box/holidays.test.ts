import { expect, test } from 'vitest';
import { holidaysOf } from '../../src/box/holidays.ts';
import { HolidayCalendar } from '../../src/services/holidays/calendar.ts';
import { readHolidayTable } from '../../src/services/holidays/own-table.ts';

const kindsOf = async (calendar: HolidayCalendar, timeZone: string, ...days: string[]) => {
  const services = { days: async (asked: readonly string[]) => asked.map(day => calendar.day(day)) };
  return Object.fromEntries(await holidaysOf(services, { timezone: timeZone })(days));
};

const days = ['2026-09-20', '2026-09-25', '2026-09-26', '2026-09-28', '2026-10-01', '2026-10-04', '2026-10-11'];

test('of the days off only the legal holidays are holidays, and an ordinary weekend is left to the plans', async () => {
  expect(await kindsOf(new HolidayCalendar(), 'Asia/Shanghai', ...days)).toEqual({
    '2026-09-20': 'makeup',
    '2026-09-25': 'legal_holiday',
    '2026-09-26': 'rest',
    '2026-10-01': 'legal_holiday',
    '2026-10-04': 'rest',
  });
});

test('a site elsewhere has the holidays of its own table, or none', async () => {
  expect(await kindsOf(new HolidayCalendar(), 'Europe/Berlin', ...days)).toEqual({});
  const table =
    '2026:\n  holidays:\n    - code: unity\n      name: Unity\n      days:\n        - { day: 2026-09-28, type: BREAK }\n';
  const own = new HolidayCalendar({ own: readHolidayTable('holidays.yaml', table) });
  expect(await kindsOf(own, 'Europe/Berlin', ...days)).toEqual({ '2026-09-28': 'legal_holiday' });
});
