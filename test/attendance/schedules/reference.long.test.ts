import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Plans } from '../../../src/attendance/schedules/plan.ts';
import { type DayResult, defaultRules } from '../../../src/attendance/schedules/result.ts';
import { marginDays, resultsOf } from '../../../src/attendance/schedules/results.ts';
import { wallTime } from '../../../src/attendance/schedules/wall-time.ts';
import { addDays } from '../../../src/runtime/calendar-date.ts';
import { suiteNeeding } from '../../support/tools.ts';
import { correctedPunches, type RandomPerson, type RandomSite, randomSite } from './random-site.ts';

const reference = fileURLToPath(new URL('reference.py', import.meta.url));

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
    punches: correctedPunches(person),
    asked: [],
    leaves: person.leaves,
    reported: { until: person.reportedUntil, deviceNo: null },
    now,
    rules,
  });
}

function theirs(site: RandomSite): Record<string, unknown[]> {
  const run = spawnSync('python3', ['-B', reference], {
    input: JSON.stringify(site),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout);
}

const season = { days: 90, from: '2026-08-20', rules: defaultRules };

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
  ] as const)('has the same minutes and states for each day of %s', (_name, seed, options) => {
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
  });
});
