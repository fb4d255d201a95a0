import { expect, test } from 'vitest';
import { outsideOf } from '../../src/attendance/schedules/outside.ts';
import { Plans } from '../../src/attendance/schedules/plan.ts';
import {
  type SiteStints,
  type Stint,
  type Stints,
  siteStintsAfter,
  siteStintsOf,
  stintProblem,
  stintsAfter,
  stintsOf,
  stintsOfSite,
} from '../../src/platform/stints.ts';
import { addDays } from '../../src/runtime/calendar-date.ts';
import { seededRandom } from '../support/clock.ts';

const start = '2026-01-01';
const days = 120;
const dates = Array.from({ length: days }, (_, day) => addDays(start, day));

/** Up to six stints in 120 days, of which the first and the last may be open. */
function randomStints(random: () => number): Stints {
  const below = (limit: number) => Math.floor(random() * limit);
  const chosen = new Set(Array.from({ length: 2 * (1 + below(6)) }, () => dates[below(days)]!));
  const sorted = [...chosen].sort();
  const all: Stint[] = [];
  for (let at = 0; at + 1 < sorted.length; at += 2) all.push({ from: sorted[at]!, to: sorted[at + 1]! });
  const first = all.shift() ?? { from: null, to: null };
  all.unshift(random() < 0.3 ? { ...first, from: null } : first);
  const last = all.pop()!;
  return { ...last, ...(random() < 0.5 && { to: null }), earlier: all };
}

const seeds = Array.from({ length: 200 }, (_, seed) => seed + 1);

test('a day is one of employment if and only if it lies in one of the stints', () => {
  const plans = new Plans({ shifts: [], rules: [], overrides: [], calendar: () => null });
  for (const seed of seeds) {
    const employment = randomStints(seededRandom(seed));
    expect({ seed, problem: stintProblem(employment) }).toEqual({ seed, problem: null });
    const plan = plans.of({ extId: 'e1', places: [{ to: '9999-12-31', chain: [] }], employment }, start, dates.at(-1)!);
    const all = stintsOf(employment);
    for (const date of dates) {
      const isIn = all.filter(({ from, to }) => (from ?? start) <= date && date <= (to ?? '9999-12-31')).length === 1;
      expect({ seed, date, employed: plan.days.get(date)!.kind !== 'not_employed' }).toEqual({
        seed,
        date,
        employed: isIn,
      });
    }
  }
});

test('a return changes nothing before it, neither days nor the reasons of punches', () => {
  const wall = { dateOf: (at: number) => dates[at]! } as unknown as Parameters<typeof outsideOf>[1]['wall'];
  const plans = new Plans({ shifts: [], rules: [], overrides: [], calendar: () => null });
  for (const seed of seeds) {
    const before = randomStints(seededRandom(seed));
    if (before.to === null || before.to >= dates.at(-3)!) continue;
    const from = addDays(before.to, 2);
    const after = stintsAfter(before, { from, to: null });
    expect(stintsOf(after)).toEqual([...stintsOf(before), { from, to: null }]);
    const [was, is] = [before, after].map(employment => {
      const plan = plans.of(
        { extId: 'e1', places: [{ to: '9999-12-31', chain: [] }], employment },
        start,
        dates.at(-1)!,
      );
      return dates
        .filter(date => date < from)
        .map((date, at) => [
          plan.days.get(date),
          outsideOf({ at, movedTo: null }, { plan, slots: [], windowed: [], leave: [], wall }),
        ]);
    });
    expect({ seed, days: is }).toEqual({ seed, days: was });
  }
});

test('the stints of a site file are those of the store, and an entry that is applied twice says nothing new', () => {
  for (const seed of seeds) {
    const random = seededRandom(seed);
    const stints = randomStints(random);
    expect(stintsOfSite(siteStintsOf(stints))).toEqual(stints);
    expect(siteStintsAfter(randomStints(random), siteStintsOf(stints))).toEqual(stints);
    const date = () => dates[Math.floor(random() * days)]!;
    for (const said of [{ from: date() }, { to: date() }, { from: date(), to: date() }, { to: '' }]) {
      const once = siteStintsAfter(stints, said);
      if (stintProblem(once) === null)
        expect({ seed, said, twice: siteStintsAfter(once, said) }).toEqual({ seed, said, twice: once });
    }
  }
});

const first = { from: '2024-01-10', to: '2025-06-30' };
const back = { from: '2026-11-01', to: null, earlier: [first] };

test.each<[string, Stints, SiteStints, Stints]>([
  ['a first day after the last day', { ...first, earlier: [] }, { from: '2026-11-01' }, back],
  [
    'the same, with a last day of its own',
    { ...first, earlier: [] },
    { from: '2026-11-01', to: '2026-12-31' },
    { ...back, to: '2026-12-31' },
  ],
  ['the days of the first stint, in a file from before the return', back, first, back],
  ['its first day alone', back, { from: '2024-01-10' }, back],
  ['its first day, and no last day', back, { from: '2024-01-10', to: '' }, back],
  ['its last day alone', back, { to: '2025-06-30' }, back],
  [
    'another first day of the first stint',
    back,
    { from: '2024-01-15' },
    { ...back, earlier: [{ ...first, from: '2024-01-15' }] },
  ],
  ['an earlier return', back, { from: '2026-10-26' }, { ...back, from: '2026-10-26' }],
  ['a last day of the present stint', back, { to: '2026-12-31' }, { ...back, to: '2026-12-31' }],
  ['a last day that is taken back', { ...back, to: '2026-12-31' }, { to: '' }, back],
  ['nothing', back, {}, back],
  ['no earlier stints', back, { earlier: [] }, { ...back, earlier: [] }],
])('of a list or file that says: %s', (_what, before, said, after) => {
  expect(siteStintsAfter(before, said)).toEqual(after);
});
