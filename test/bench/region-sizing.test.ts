import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readFigures, sizingFile, withSizes } from '../../bench/region/page.ts';
import { busiest, cores, type Figures, likely, limits, needs, sitesAtLimit } from '../../bench/region/sizing.ts';

/** What docs/region-sizing.md says of a region is what its figures give. */

const figures = readFigures();

/** With one figure of one case changed. */
const changed = (name: keyof Figures['cases'], change: Partial<Figures['cases']['lone']>): Figures => ({
  ...figures,
  cases: { ...figures.cases, [name]: { ...figures.cases[name], ...change } },
});

test('the figures of docs/region-sizing.md are those that were measured', () => {
  const page = readFileSync(sizingFile, 'utf8');
  expect(withSizes(page, figures)).toBe(page);
  const { perSecond } = figures.cases.lone;
  expect(withSizes(page, changed('lone', { perSecond: perSecond / 3 }))).not.toBe(page);
});

test('twice the sites take twice the cores and bytes, and reach the same limit', () => {
  const twice = { ...likely, sites: 2 * likely.sites };
  const [one, two] = [needs(figures, likely), needs(figures, twice)];
  for (const key of ['nodeCores', 'postgresCores', 'diskGBPerDay', 'logGBPerDay', 'connections'] as const)
    expect(two[key], key).toBeCloseTo(2 * one[key]);
  expect(sitesAtLimit(figures, twice)).toBeCloseTo(sitesAtLimit(figures, likely));
});

test('the first limit is the one that is the nearest', () => {
  const { checkIns } = busiest(likely);
  const slowTables = changed('checkins', { perSecond: checkIns / 1000 });
  expect(limits(slowTables, likely)[0]!.what).toMatch(/^check-ins/);
  expect(sitesAtLimit(slowTables, likely)).toBeCloseTo(likely.sites / 1000);
});

test('a pull in five seconds costs each site a fifth of a pull a second', () => {
  const idle = { ...likely, checkInsOfPerson: 0, logsOfDevice: 0 };
  const pull = figures.cases.pulls.nodeMicroseconds;
  expect(cores(figures, idle, 'nodeMicroseconds')).toBeCloseTo(((likely.sites / 5) * pull) / 1e6);
});
