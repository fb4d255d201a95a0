import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filtersIn, filtersOf, isPlanned } from '../../../src/attendance/schedules/month-filters.ts';
import { PersonDays } from '../../../src/attendance/schedules/person-days.ts';
import { Plans } from '../../../src/attendance/schedules/plan.ts';
import { punchList } from '../../../src/attendance/schedules/punch-list.ts';
import {
  type DayResult,
  defaultRules,
  type Minutes,
  type Punch,
  type ScheduleRules,
} from '../../../src/attendance/schedules/result.ts';
import { marginDays, type ResultsInput, resultsOf } from '../../../src/attendance/schedules/results.ts';
import { addDays } from '../../../src/runtime/calendar-date.ts';
import { wallTime } from '../../../src/runtime/wall-time.ts';
import type { DeviceNo } from '../../../src/store/index.ts';
import { correctedPunches, type RandomPerson, type RandomSite, randomSite } from './random-site.ts';

const options = { people: 12, days: 14, from: '2026-10-18', zone: 'Europe/Berlin', rules: defaultRules };
/** A small site with one of each department, and one of its people. */
const somebody = fc.record({ seed: fc.integer(), place: fc.nat(options.people - 1) }).map(({ seed, place }) => {
  const site = randomSite(seed, options);
  return { site, person: site.people[place]! };
});

interface Asked {
  readonly from?: string;
  readonly to?: string;
  readonly punches?: readonly Punch[];
  readonly oneByOne?: boolean;
  readonly now?: number;
  readonly rules?: Partial<ScheduleRules>;
}

const results = (site: RandomSite, person: RandomPerson, asked: Asked = {}): DayResult[] =>
  resultsOf(inputOf(site, person, asked));

function inputOf(
  site: RandomSite,
  person: RandomPerson,
  { from = site.from, to = site.to, punches = correctedPunches(person), oneByOne = false, now, rules }: Asked,
): ResultsInput {
  const plans = new Plans({ ...site, rules: site.rosterRules, calendar: date => site.calendar[date] ?? null });
  return {
    wall: wallTime(site.zone),
    from,
    to,
    plan: plans.of(person, addDays(from, -marginDays), addDays(to, marginDays)),
    punches: oneByOne ? { ...punchList(punches), isPlain: false } : punchList(punches),
    asked: [],
    leaves: person.leaves,
    reported: () => ({ until: person.reportedUntil, deviceNo: null }),
    now: now ?? site.now,
    rules: { ...site.rules, ...rules },
  };
}

const byTime = (punches: readonly Punch[]) => [...punches].sort((one, other) => one.at - other.at || one.id - other.id);

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
  let plain = 0;
  fc.assert(
    fc.property(somebody, ({ site, person }) => {
      const punches = byTime(correctedPunches(person)).filter(({ isSetAside }) => !isSetAside);
      if (punchList(punches).isPlain) plain++;
      expect(results(site, person, { punches })).toEqual(results(site, person, { punches, oneByOne: true }));
    }),
  );
  expect(plain).toBe(100);
});

test('filters find by the ends of slots what they find in the days counted', () => {
  const known = fc.record({
    now: fc.integer({ min: 0, max: options.days * 24 * 60 }),
    rules: fc.record({
      nightOvertime: fc.constantFrom('work_date', 'calendar_day'),
      repeatSeconds: fc.constantFrom(60, 900),
    }),
    isPlain: fc.boolean(),
    own: fc.constantFrom(0, 0.5, 1),
    // Around the ends of slots, and some of them together.
    others: fc.array(
      fc.record({ day: fc.nat(options.days - 1), quarter: fc.integer({ min: 24, max: 88 }), seconds: fc.nat(240) }),
      { maxLength: 50, size: 'max' },
    ),
  });
  let [plain, days] = [0, 0];
  fc.assert(
    fc.property(somebody, known, ({ site, person: one }, { now: minutes, rules, isPlain, own, others }) => {
      const { instant } = wallTime(site.zone);
      const person = isPlain ? { ...one, leaves: [], corrections: [] } : one;
      const kept = correctedPunches(person).filter(({ id }) => ((id * 7919) % 10) / 10 < own);
      const made = others.map(({ day, quarter, seconds }, index): Punch => {
        const at = instant(addDays(site.from, day), quarter * 15) + seconds;
        const source = { receivedAt: at * 1000, clock: null, source: 'device', checkType: 'fa' } as const;
        const untouched = { isSetAside: false, workDate: null, correctionId: null };
        return { ...source, ...untouched, id: 1_000_000 + index, at, deviceNo: 1 as DeviceNo };
      });
      const now = instant(site.from, minutes) * 1000;
      const input = inputOf(site, person, { punches: byTime([...kept, ...made]), now, rules });
      const counted = resultsOf(input);
      const found = filtersIn(input);
      expect(new Set(found.filters)).toEqual(new Set(filtersOf({ days: counted, closed: null })));
      expect(found.isPlanned).toBe(counted.some(isPlanned));
      const ends = new PersonDays(input);
      for (const day of counted) {
        const filters = ends.plainFilters(input.plan.days.get(day.date)!);
        days++;
        if (filters === null) continue;
        plain++;
        expect(new Set(filters), day.date).toEqual(new Set(filtersOf({ days: [day], closed: null })));
      }
    }),
    { numRuns: 400 },
  );
  expect(plain).toBeGreaterThan(days / 5);
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
