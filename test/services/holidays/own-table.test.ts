import { expect, test } from 'vitest';
import { HolidayCalendar } from '../../../src/services/holidays/calendar.ts';
import { HolidayTableRefused, readHolidayTable } from '../../../src/services/index.ts';

const file = `# Published on 2026-11-04.
2027:
  holidays:
    - code: spring-festival
      name: 春节
      days:
        - { day: 2027-02-20, type: WORK }
        - { day: 2027-02-05, type: BREAK }
        - { day: 2027-02-06, name: 初一, type: BREAK }
`;

const problemsOf = (text: string): readonly string[] => {
  try {
    readHolidayTable('holidays.yaml', text);
  } catch (error) {
    if (error instanceof HolidayTableRefused) return error.problems;
    throw error;
  }
  return [];
};

test('a year in YAML, with names for days that have none', () => {
  const calendar = new HolidayCalendar({ own: readHolidayTable('holidays.yaml', file) });
  expect(calendar.year(2027)).toEqual({
    year: 2027,
    source: 'site',
    holidays: [
      {
        code: 'spring-festival',
        name: '春节',
        days: [
          { day: '2027-02-05', name: '春节', type: 'BREAK' },
          { day: '2027-02-06', name: '初一', type: 'BREAK' },
          { day: '2027-02-20', name: '春节补班', type: 'WORK' },
        ],
      },
    ],
  });
  expect(calendar.day('2027-02-20')).toMatchObject({ type: 'WORK', name: '春节补班' });
});

test('the same in JSON', () => {
  const { holidays } = new HolidayCalendar().year(2026);
  const own = readHolidayTable('holidays.json', JSON.stringify({ 2026: { holidays } }));
  expect(own.get(2026)).toEqual({ year: 2026, holidays });
});

test('an empty file has no years', () => {
  expect(readHolidayTable('holidays.yaml', '').size).toBe(0);
  expect(readHolidayTable('holidays.yaml', '# nothing yet\n').size).toBe(0);
});

test('all that is wrong is said at once, each with its place', () => {
  expect(
    problemsOf(`2027:
  holidays:
    - code: new-year
      name: 元旦
      days:
        - { day: 2027-01-01, type: BREAK }
        - { day: 2027-01-01, type: WORK }
        - { day: 2026-12-31, type: BREAK }
        - { day: "2027-2-30", type: BREAK }
        - { day: 2027-2-3, type: BREAK }
        - { day: tomorrow, type: BREAK }
    - code: new-year
      name: again
      days: []
20270:
  holidays: []
`),
  ).toEqual([
    'holidays.yaml:7:18 2027.holidays[0].days[1].day "2027-01-01": already listed at 2027.holidays[0].days[0]',
    'holidays.yaml:8:18 2027.holidays[0].days[2].day "2026-12-31": not in 2027',
    'holidays.yaml:9:18 2027.holidays[0].days[3].day "2027-2-30": no such day',
    'holidays.yaml:10:18 2027.holidays[0].days[4].day "2027-2-3": not a day: write 2027-02-03',
    'holidays.yaml:11:18 2027.holidays[0].days[5].day "tomorrow": not a day: write YYYY-MM-DD',
    'holidays.yaml:12:13 2027.holidays[1].code "new-year": already the code of holidays[0]',
    'holidays.yaml:16:3 20270: not a year: write 1 to 9999',
  ]);
});

test.each([
  ['a wrong type', 'type: OFF', 'holidays.yaml:7:36 2027.holidays[0].days[0].type "OFF": not a type: write BREAK'],
  ['no type', 'name: x', 'holidays.yaml:7:11 2027.holidays[0].days[0].type: not a type: write BREAK'],
  ['an unknown key', 'type: WORK, typ: WORK', '2027.holidays[0].days[0].typ "WORK": unknown key: known here are day,'],
  ['no name', "type: WORK, name: ''", '2027.holidays[0].days[0].name "": empty: write the name of the day'],
])('%s', (_what, instead, expected) => {
  const [problem] = problemsOf(file.replace('type: WORK', instead));
  expect(problem).toContain(expected);
});

test.each([
  ['spring-festival', 'Spring', '2027.holidays[0].code "Spring": not a code: small letters, digits and hyphens'],
  ['name: 春节', 'name: 7', '2027.holidays[0].name "7": not the name of the holiday: write text'],
  ['      name: 春节\n', '', '2027.holidays[0].name: missing: write the name of the holiday'],
])('%s as %j', (written, instead, expected) => {
  expect(problemsOf(file.replace(written, instead))[0]).toContain(expected);
});

test.each([
  ['[]', 'holidays.yaml: no map of years'],
  ['2027', 'holidays.yaml: no map of years'],
  ['2027: []', 'holidays.yaml:1:7 2027: not a map: write its keys: holidays'],
  ['2027:', 'holidays.yaml:1:6 2027: not a map: write its keys: holidays'],
  ['2027: { holidays: 5 }', 'holidays.yaml:1:19 2027.holidays "5": not a list'],
  ['2027: { holidays: [5] }', 'holidays.yaml:1:20 2027.holidays[0] "5": not a map: write its keys: code, name, days'],
  ['2027: { holidays: [] }\n2027: { holidays: [] }', 'holidays.yaml:2:1: not YAML: Map keys must be unique'],
  ['"2027: ', 'holidays.yaml:1:8: not YAML: '],
  ['next: { holidays: [] }', 'holidays.yaml:1:7 next: not a year: write 1 to 9999'],
  ['2027: *nowhere', 'holidays.yaml: cannot be read: '],
  [`#${'x'.repeat(1 << 20)}`, 'holidays.yaml: larger than 1 MiB'],
])('no table: %j', (text, expected) => {
  expect(problemsOf(text)[0]).toContain(expected);
});
