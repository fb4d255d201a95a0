import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Plans } from '../../../src/attendance/schedules/plan.ts';
import { punchList } from '../../../src/attendance/schedules/punch-list.ts';
import { type DayResult, defaultRules } from '../../../src/attendance/schedules/result.ts';
import { marginDays, resultsOf } from '../../../src/attendance/schedules/results.ts';
import { slotsOf } from '../../../src/attendance/schedules/slots.ts';
import { minutesOf, overlaps, without } from '../../../src/attendance/schedules/spans.ts';
import type { Shift } from '../../../src/platform/shifts.ts';
import { addDays } from '../../../src/runtime/calendar-date.ts';
import { wallTime } from '../../../src/runtime/wall-time.ts';
import { suiteNeeding } from '../../support/tools.ts';
import { shifts } from './example-site.ts';
import { correctedPunches, type RandomPerson, type RandomSite, randomSite } from './random-site.ts';

const python = (name: string, input = ''): string => {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const run = spawnSync('python3', ['-B', file], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  expect(run.stderr).toBe('');
  return run.stdout;
};

/** The form in which reference.py writes a day. */
const asReference = (days: readonly DayResult[]) =>
  days.map(({ date, kind, shift, segments, minutes, punches }) => ({
    date,
    kind,
    shift,
    segments: segments.map(one => ({
      state: one.state,
      minutes: one.minutes,
      on: one.plannedOn,
      off: one.plannedOff,
      in: one.in?.at ?? null,
      out: one.out?.at ?? null,
    })),
    minutes,
    unplaced: punches
      .filter(({ role }) => role === 'unplaced')
      .map(({ punch, reason, minutes: away }) => [punch.id, reason, away])
      .sort((one, other) => (one[0] as number) - (other[0] as number)),
  }));

function ours(site: RandomSite, person: RandomPerson): DayResult[] {
  const { rosterRules, calendar, from, to, zone, now, rules } = site;
  const plans = new Plans({ ...site, rules: rosterRules, calendar: date => calendar[date] ?? null });
  return resultsOf({
    wall: wallTime(zone),
    from,
    to,
    plan: plans.of(person, addDays(from, -marginDays), addDays(to, marginDays)),
    punches: punchList(correctedPunches(person)),
    asked: [],
    leaves: person.leaves,
    reported: () => ({ until: person.reportedUntil, deviceNo: null }),
    now,
    rules,
  });
}

const theirs = (site: RandomSite): Record<string, unknown[]> =>
  JSON.parse(python('reference.py', JSON.stringify(site)));

/** A shift on a date, and when somebody was there; see hours.py. */
interface HoursCase {
  readonly zone: string;
  readonly date: string;
  readonly parts: readonly (readonly [number, number])[];
  readonly breaks: readonly { readonly from: number; readonly to: number; readonly paid: boolean }[];
  readonly in: number | null;
  readonly out: number | null;
}

interface Hours {
  readonly parts: readonly (readonly [number, number])[];
  readonly breaks: readonly (readonly [number, number])[];
  readonly planned: number;
  readonly worked: number | null;
  readonly break: number | null;
  readonly day: readonly [number, number];
}

function hoursOf({ zone, date, parts, breaks, in: came, out: went }: HoursCase): Hours {
  const wall = wallTime(zone);
  const segments = parts.map(([on, off]) => ({ on, off, before: 0, after: 0, needIn: true, needOut: true }));
  const shift: Shift = { ...shifts[0]!, segments, breaks };
  const slots = slotsOf({ days: new Map([[date, { date, kind: 'workday', shift }]]) } as never, [], wall);
  const there = came !== null && went !== null && came < went ? { from: came, to: went } : null;
  const countable = slots.map(({ planned, unpaidBreaks }) => without(planned, unpaidBreaks));
  const present = slots.map(({ planned }) => (there ? overlaps([planned], there) : []));
  const resting = slots.flatMap(({ unpaidBreaks }, place) =>
    present[place]!.flatMap(one => overlaps(unpaidBreaks, one)),
  );
  const { from, to } = wall.dayBounds(date);
  return {
    parts: slots.map(({ planned }) => [planned.from, planned.to]),
    breaks: slots[0]!.breaks.map(one => [one.from, one.to]),
    planned: minutesOf(countable.flat()),
    worked:
      came === null || went === null ? null : minutesOf(countable.flatMap(one => (there ? overlaps(one, there) : []))),
    break: came === null || went === null ? null : minutesOf(resting),
    day: [from, to],
  };
}

const season = { days: 90, from: '2026-08-20', rules: defaultRules };

const zonesThatChange = [
  'America/New_York',
  'Europe/Berlin',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'America/Havana',
  'America/Santiago',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Pacific/Chatham',
  'America/St_Johns',
  'Atlantic/Azores',
  'America/Nuuk',
  'Asia/Beirut',
];

/** Dates of a year that is over: what governments decide of the next reaches each machine at another time. */
function changesOf2025(zone: string): string[] {
  const found: string[] = [];
  const year = Temporal.ZonedDateTime.from({ year: 2025, month: 1, day: 1, timeZone: zone });
  for (let at = year.getTimeZoneTransition('next'); at && at.year === 2025; at = at.getTimeZoneTransition('next'))
    found.push(at.toPlainDate().toString());
  return found;
}

function compare(seed: number, options: Parameters<typeof randomSite>[1]): void {
  const site = randomSite(seed, options);
  const expected = theirs(site);
  let days = 0;
  for (const person of site.people) {
    const found = asReference(ours(site, person));
    days += found.length;
    for (const [place, day] of found.entries())
      expect({ person: person.extId, ...day }).toEqual({
        person: person.extId,
        ...(expected[person.extId]![place] as object),
      });
  }
  expect(days).toBe(options.people * options.days);
}

suiteNeeding('python3', 'python3', 'a second implementation, in Python', () => {
  test.each([
    ['200 people in Shanghai', 18, { ...season, people: 200, zone: 'Asia/Shanghai' }],
    [
      '60 people in Berlin, over the end of summer time, by corrected clocks and calendar days',
      19,
      {
        ...season,
        people: 60,
        zone: 'Europe/Berlin',
        rules: { ...defaultRules, clock: 'corrected', nightOvertime: 'calendar_day' },
      },
    ],
  ] as const)('has the same minutes and states for each day of %s', (_name, seed, options) => compare(seed, options));

  test.each(zonesThatChange)('has them in %s for the months around both changes of the clocks', zone => {
    const changes = changesOf2025(zone);
    expect(changes.length).toBeGreaterThan(1);
    for (const [place, change] of changes.entries())
      compare(20 + place, {
        ...{ people: 13, zone, days: 28, from: addDays(change, -14) },
        rules: { ...defaultRules, nightOvertime: place === 0 ? 'calendar_day' : 'work_date' },
      });
  });

  test('has the same hours for each shift over a change of the clocks, in 16 zones', () => {
    const cases = JSON.parse(python('hours_cases.py')) as { cases: HoursCase[] };
    const expected = JSON.parse(python('hours.py', JSON.stringify(cases))) as Hours[];
    const found = cases.cases.map(hoursOf);
    for (const [place, one] of cases.cases.entries())
      expect({ ...one, ...found[place] }).toEqual({ ...one, ...expected[place] });
    expect(found.length).toBeGreaterThan(1000);
  });
});
