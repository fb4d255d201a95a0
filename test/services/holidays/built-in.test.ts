import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWorkday } from 'chinese-workday';
import { HolidayUtil } from 'lunar-typescript';
import { SolarDay } from 'tyme4ts';
import { describe, expect, test } from 'vitest';
import { builtInFile, builtInSource } from '../../../scripts/holidays.ts';
import { HolidayCalendar } from '../../../src/services/holidays/calendar.ts';

const calendar = new HolidayCalendar();
const years = [2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026];

const daysOf = (year: number): string[] => {
  const days: string[] = [];
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
};

const standardWeek = (day: string): 'BREAK' | 'WORK' => ([0, 6].includes(new Date(day).getUTCDay()) ? 'BREAK' : 'WORK');

test('the table in the program is the one that scripts/holidays.ts makes', () => {
  expect(readFileSync(builtInFile, 'utf8')).toBe(builtInSource());
});

test('no source file imports the packages that the table is made from and checked with', () => {
  const source = fileURLToPath(new URL('../../../src', import.meta.url));
  const guilty = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .filter(file =>
      /from '(chinese-days|chinese-workday|holiday-calendar|lunar-typescript|tyme4ts|pinyin-pro)/.test(
        readFileSync(join(source, file), 'utf8'),
      ),
    );
  expect(guilty).toEqual([]);
});

describe.each(years)('every day of %i is what other packages say', year => {
  const differing = (other: (day: string) => 'BREAK' | 'WORK') =>
    daysOf(year).filter(day => calendar.day(day).type !== other(day));

  test('holiday-calendar', () => {
    const folder = dirname(createRequire(import.meta.url).resolve('holiday-calendar/package.json'));
    const { dates } = JSON.parse(readFileSync(`${folder}/data/CN/${year}.json`, 'utf8'));
    const types = new Map<string, string>(dates.map((one: { date: string; type: string }) => [one.date, one.type]));
    expect(new Set(types.values())).toEqual(new Set(['public_holiday', 'transfer_workday']));
    const said = { public_holiday: 'BREAK', transfer_workday: 'WORK' } as const;
    expect(differing(day => said[types.get(day) as keyof typeof said] ?? standardWeek(day))).toEqual([]);
  });

  test('tyme4ts', () => {
    const said = (day: string) => {
      const [, month, date] = day.split('-').map(Number);
      const holiday = SolarDay.fromYmd(year, month!, date!).getLegalHoliday();
      return holiday === null ? standardWeek(day) : holiday.isWork() ? 'WORK' : 'BREAK';
    };
    expect(differing(said)).toEqual([]);
  });

  test('lunar-typescript', () => {
    const said = (day: string) => {
      const holiday = HolidayUtil.getHoliday(day);
      return holiday ? (holiday.isWork() ? 'WORK' : 'BREAK') : standardWeek(day);
    };
    expect(differing(said)).toEqual([]);
  });

  test('chinese-workday, save where it does not follow the notices', () => {
    // 2020: the State Council prolonged the Spring Festival to February 2 on January 26; the
    // package has the notice before it. 2023: the notice has the New Year from 2022-12-31 to
    // 2023-01-02; the package adds the 3rd.
    const known: Record<number, string[]> = { 2020: ['2020-01-31', '2020-02-01'], 2023: ['2023-01-03'] };
    expect(differing(day => (isWorkday(day) ? 'WORK' : 'BREAK'))).toEqual(known[year] ?? []);
  });
});

test('known days', () => {
  const said = (day: string) => {
    const { type, name } = calendar.day(day);
    return `${day} ${type} ${name}`.trim();
  };
  expect(
    [
      '2019-05-05',
      '2020-01-31',
      '2020-02-02',
      '2020-02-03',
      '2020-10-08',
      '2022-12-31',
      '2023-01-03',
      '2024-02-04',
      '2024-02-09',
      '2024-02-29',
      '2025-10-06',
      '2026-01-04',
      '2026-02-14',
      '2026-02-16',
      '2026-02-28',
      '2026-05-09',
      '2026-09-20',
      '2026-10-10',
      '2026-11-21',
      '2026-11-23',
    ].map(said),
  ).toEqual([
    '2019-05-05 WORK 劳动节补班',
    '2020-01-31 BREAK 春节',
    '2020-02-02 BREAK 春节',
    '2020-02-03 WORK',
    '2020-10-08 BREAK 国庆节',
    '2022-12-31 BREAK 元旦',
    '2023-01-03 WORK',
    '2024-02-04 WORK 春节补班',
    '2024-02-09 WORK',
    '2024-02-29 WORK',
    '2025-10-06 BREAK 中秋节',
    '2026-01-04 WORK 元旦补班',
    '2026-02-14 WORK 春节补班',
    '2026-02-16 BREAK 春节',
    '2026-02-28 WORK 春节补班',
    '2026-05-09 WORK 劳动节补班',
    '2026-09-20 WORK 国庆节补班',
    '2026-10-10 WORK 国庆节补班',
    '2026-11-21 BREAK',
    '2026-11-23 WORK',
  ]);
});

test('a year has its holidays in order, with codes that stay and days in order, none twice', () => {
  expect(calendar.year(2026).holidays.map(({ code, name }) => `${code} ${name}`)).toEqual([
    'new-year 元旦',
    'spring-festival 春节',
    'tomb-sweeping-day 清明节',
    'labour-day 劳动节',
    'dragon-boat-festival 端午节',
    'mid-autumn-festival 中秋节',
    'national-day 国庆节',
  ]);
  for (const year of years) {
    const { holidays, source } = calendar.year(year);
    expect(source).toBe('built-in');
    for (const { days } of holidays) expect(days.map(one => one.day)).toEqual(days.map(one => one.day).sort());
    const all = holidays.flatMap(one => one.days.map(each => each.day));
    expect(new Set(all).size).toBe(all.length);
    expect(all.every(day => day.startsWith(`${year}-`))).toBe(true);
  }
});
