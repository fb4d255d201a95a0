import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileRefused, readSiteFile, siteProblems } from '../../src/config/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-site-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string) => {
  writeFileSync(join(folder, 'site.yaml'), text);
  return readSiteFile('site.yaml', folder);
};
const refusal = (text: string): string[] => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof FileRefused) return error.message.split('\n');
    throw error;
  }
  throw new Error('it was accepted');
};

const shifts = `shifts:
  - { code: day, name: Day, times: [09:00-18:00], breaks: [12:00-13:00] }
  - { code: night, name: Night, times: [22:00-06:00] }
`;

test('shifts, schedules, calendar and employment are read', () => {
  const { site } = read(`${shifts}schedules:
  - { who: site, shift: day, from: 2026-11-16 }
  - { who: { department: d1 }, cycle: [night, night, off], from: 2026-11-16, to: "" }
calendar:
  - { date: 2026-10-10, what: { makeup: wednesday }, reason: National Day }
employees:
  - { ext_id: e1, name: Li Mei, department: { ext_id: "0" }, from: 2026-01-01, to: 2026-11-20 }
`);
  expect(site).toMatchObject({
    shifts: [{ code: 'day', times: ['09:00-18:00'] }, { code: 'night' }],
    schedules: [{ who: 'site', shift: 'day' }, { cycle: ['night', 'night', 'off'] }],
    calendar: [{ what: { makeup: 'wednesday' } }],
    employees: [{ from: '2026-01-01', to: '2026-11-20' }],
  });
});

test.each<[string, string, string]>([
  [
    'a roster that names no shift',
    `${shifts}schedules:\n  - { who: site, shift: d9, from: 2026-11-16 }\n`,
    'site.yaml:5:25 schedules[0].shift "d9": no such shift',
  ],
  [
    'a week that names no shift',
    `${shifts}schedules:\n  - { who: site, week: [day, d9, day, day, day, off, off], from: 2026-11-16 }\n`,
    'site.yaml:5:30 schedules[0].week[1] "d9": no such shift',
  ],
  [
    'segments that overlap',
    'shifts:\n  - { code: night, name: Night, times: [22:00-06:00, 01:00-07:00] }\n',
    'site.yaml:2:54 shifts[0].times[1] "01:00-07:00": shift night: segments[1].on 01:00 is before the end of segments[0] 06:00: segments must not overlap',
  ],
  [
    'a night that runs into the next day',
    `shifts:
  - { code: late, name: Late, times: [22:00-10:00] }
  - { code: day, name: Day, times: [09:00-18:00] }
schedules:
  - { who: site, cycle: [day, late], from: 2026-11-16 }
`,
    'site.yaml:5:26 schedules[0].cycle[0] "day": day begins at 09:00, before late of the previous day ends at 10:00: put a rest day between them, or edit one of the shifts',
  ],
  [
    'no time',
    'shifts:\n  - { code: day, name: Day, times: [nine to five] }\n',
    'site.yaml:2:37 shifts[0].times[0] "nine to five": no time: write start and end, such as 09:00-18:00 or 22:00-06:00',
  ],
  [
    'a version without a first one',
    'shifts:\n  - { code: day, name: Day, from: 2026-12-01, times: [09:00-18:00] }\n',
    'site.yaml:2:35 shifts[0].from "2026-12-01": shift day has no first version: add a row without from',
  ],
  [
    'a last day before the first',
    'employees:\n  - { ext_id: e1, name: A, department: { ext_id: "0" }, from: 2026-11-20, to: 2026-11-19 }\n',
    'site.yaml:2:79 employees[0].to "2026-11-19": before the first day 2026-11-20',
  ],
  [
    'no day',
    'calendar:\n  - { date: 2026-02-30, what: rest }\n',
    'site.yaml:2:13 calendar[0].date "2026-02-30": no date: write it as 2026-11-16',
  ],
  [
    'a shift and a week at once',
    `${shifts}schedules:\n  - { who: site, shift: day, cycle: [day], from: 2026-11-16 }\n`,
    'site.yaml:5:5 schedules[0].week: write one of shift (Monday to Friday), week (seven days) or cycle (any number of days)',
  ],
])('%s is refused, with its place', (_name, text, reason) => {
  expect(refusal(text)).toEqual([reason]);
});

const rules = { prune: false, production: false };

test('a roster may name what the box has, and a changed shift must fit the rosters that stay', () => {
  const { site } = read('schedules:\n  - { who: { person: e1 }, shift: day, from: 2026-11-16 }\n');
  const held = { shifts: [{ code: 'day', name: 'Day', times: ['09:00-18:00'] }], employees: [{ ext_id: 'e1' }] };
  expect(siteProblems(site, held, rules)).toEqual([]);
  expect(siteProblems(site, {}, rules)).toMatchObject([
    { path: ['schedules', 0, 'who', 'person'], reason: 'unknown employee ID' },
    { path: ['schedules', 0, 'shift'], reason: 'no such shift' },
  ]);
  const { site: others } = read('shifts:\n  - { code: late, name: Late, times: [12:00-20:00] }\n');
  const schedules = [{ who: 'site', shift: 'day', from: '2026-11-16' }];
  expect(siteProblems(others, { ...held, schedules }, rules)).toEqual([]);
  expect(siteProblems(others, { ...held, schedules }, { ...rules, prune: true })[0]).toMatchObject({
    path: ['shifts'],
    reason: 'the assignment of the site from 2026-11-16 uses day: no such shift',
  });
});
