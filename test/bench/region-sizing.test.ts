import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readFigures, sizingFile, withSizes } from '../../bench/region/page.ts';
import { best, busiest, cores, type Figures, limits, needs, sitesAt, worst } from '../../bench/region/sizing.ts';

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
  const twice = { ...worst, sites: 2 * worst.sites };
  const [one, two] = [needs(figures, worst), needs(figures, twice)];
  for (const key of ['nodeCores', 'postgresCores', 'diskGBPerDay', 'logGBPerDay', 'connections'] as const)
    expect(two[key], key).toBeCloseTo(2 * one[key]);
  const sitesAtFirst = (of: typeof worst) => sitesAt(limits(figures, of)[0]!, of);
  expect(sitesAtFirst(twice)).toBeCloseTo(sitesAtFirst(worst));
});

test('the first limit is the one that is the nearest', () => {
  const { checkIns } = busiest(worst);
  const slowTables = changed('checkins', { perSecond: checkIns / 1000 });
  const [first] = limits(slowTables, worst);
  expect(first!.what).toMatch(/^check-ins/);
  expect(sitesAt(first!, worst)).toBeCloseTo((worst.sites / 1000) * worst.limitTimes);
});

test('a pull in five seconds costs each site a fifth of a pull a second', () => {
  const idle = { ...worst, checkInsOfPerson: 0, logsOfDevice: 0, processorTimes: 1 };
  const pull = figures.cases.pulls.nodeMicroseconds;
  expect(cores(figures, idle, 'nodeMicroseconds')).toBeCloseTo(((worst.sites / 5) * pull) / 1e6);
});

test('the worst case needs more than the best of everything, and reaches each limit earlier', () => {
  const [most, least] = [needs(figures, worst), needs(figures, best)];
  for (const key of ['processes', 'nodeCores', 'postgresCores', 'diskGBPerDay', 'logGBPerDay'] as const)
    expect(most[key], key).toBeGreaterThan(least[key]);
  for (const limit of limits(figures, worst)) expect(sitesAt(limit, worst)).toBeLessThan(sitesAt(limit, best));
});
