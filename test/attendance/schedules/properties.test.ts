import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Plans } from '../../../src/attendance/schedules/plan.ts';
import { punchList } from '../../../src/attendance/schedules/punch-list.ts';
import { type DayResult, defaultRules, type Minutes, type Punch } from '../../../src/attendance/schedules/result.ts';
import { marginDays, resultsOf } from '../../../src/attendance/schedules/results.ts';
import { addDays } from '../../../src/runtime/calendar-date.ts';
import { wallTime } from '../../../src/runtime/wall-time.ts';
import { correctedPunches, type RandomPerson, type RandomSite, randomSite } from './random-site.ts';

const options = { people: 12, days: 14, from: '2026-10-18', zone: 'Europe/Berlin', rules: defaultRules };
/** A small site with one of each department, and one of its people. */
const somebody = fc.record({ seed: fc.integer(), place: fc.nat(options.people - 1) }).map(({ seed, place }) => {
  const site = randomSite(seed, options);
  return { site, person: site.people[place]! };
});

function results(
  site: RandomSite,
  person: RandomPerson,
  {
    from = site.from,
    to = site.to,
    punches = correctedPunches(person),
    oneByOne = false,
  }: { from?: string; to?: string; punches?: readonly Punch[]; oneByOne?: boolean } = {},
): DayResult[] {
  const plans = new Plans({ ...site, rules: site.rosterRules, calendar: date => site.calendar[date] ?? null });
  return resultsOf({
    wall: wallTime(site.zone),
    from,
    to,
    plan: plans.of(person, addDays(from, -marginDays), addDays(to, marginDays)),
    punches: oneByOne ? { ...punchList(punches), isPlain: false } : punchList(punches),
    asked: [],
    leaves: person.leaves,
    reported: { until: person.reportedUntil, deviceNo: null },
    now: site.now,
    rules: site.rules,
  });
}

test('no punch is lost: each is a start, an end, between, a repeat, set aside, or unplaced with a reason', () => {
  fc.assert(
    fc.property(somebody, ({ site, person }) => {
      const wide = results(site, person, { from: addDays(site.from, -marginDays), to: addDays(site.to, marginDays) });
      const uses = wide.flatMap(({ punches }) => punches);
      const punches = correctedPunches(person);
      expect(new Set(uses.map(({ punch }) => punch.id))).toEqual(new Set(punches.map(({ id }) => id)));
      expect(uses.filter(({ role, reason }) => role === 'unplaced' && reason === null)).toEqual([]);
      expect(uses.filter(({ punch, role }) => punch.isSetAside !== (role === 'set_aside'))).toEqual([]);
    }),
  );
});

test('the order of punches changes nothing', () => {
  fc.assert(
    fc.property(
      somebody.chain(({ site, person }) => {
        const punches = correctedPunches(person);
        return fc.record({
          site: fc.constant(site),
          person: fc.constant(person),
          punches: fc.shuffledSubarray(punches, { minLength: punches.length }),
        });
      }),
      ({ site, person, punches }) => {
        expect(results(site, person, { punches })).toEqual(results(site, person));
      },
    ),
  );
});

test('check-ins that windows alone place are where they are one by one', () => {
  const byTime = (person: RandomPerson) =>
    correctedPunches(person)
      .filter(({ isSetAside }) => !isSetAside)
      .sort((one, other) => one.at - other.at || one.id - other.id);
  let plain = 0;
  fc.assert(
    fc.property(somebody, ({ site, person }) => {
      const punches = byTime(person);
      if (punchList(punches).isPlain) plain++;
      expect(results(site, person, { punches })).toEqual(results(site, person, { punches, oneByOne: true }));
    }),
  );
  expect(plain).toBe(100);
});

test('a range gives what each of its days gives alone', () => {
  fc.assert(
    fc.property(somebody, ({ site, person }) => {
      const days = results(site, person);
      expect(days.flatMap(({ date }) => results(site, person, { from: date, to: date }))).toEqual(days);
    }),
    { numRuns: 30 },
  );
});

test('minutes are whole and never negative, and nobody works more than is planned', () => {
  fc.assert(
    fc.property(somebody, ({ site, person }) => {
      for (const { minutes, segments } of results(site, person))
        for (const one of [minutes, ...segments.map(segment => segment.minutes)]) {
          const figures = Object.values(one) as Minutes[keyof Minutes][];
          expect(figures.filter(figure => figure < 0 || !Number.isInteger(figure))).toEqual([]);
          expect(one.worked).toBeLessThanOrEqual(one.planned);
        }
    }),
  );
});
