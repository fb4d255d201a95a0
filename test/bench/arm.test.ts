import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { best, likely, rate, stormSeconds, worst } from '../../bench/arm/estimate.ts';
import { pageFile, readCounts, withFigures } from '../../bench/arm/page.ts';

/** What docs/arm.md says of a board is what its counts give. */

const counted = readCounts();
const { log, loginOverTls } = counted.cases;

test('the figures of docs/arm.md are those that the counts give', () => {
  const page = readFileSync(pageFile, 'utf8');
  expect(withFigures(page, counted)).toBe(page);
  const others = { ...counted, cases: { ...counted.cases, log: { ...log, all: 2 * log.all, main: 2 * log.main } } };
  expect(withFigures(page, others)).not.toBe(page);
});

test('a processor of half the pace does half the logins, and the sync of a card makes none slower', () => {
  const whole = rate(loginOverTls, 0, likely);
  expect(rate(loginOverTls, 0, { ...likely, ipc: likely.ipc / 2 })).toBeCloseTo(whole / 2);
  expect(rate(loginOverTls, 0, { ...likely, syncMs: 1000 })).toBe(whole);
});

test('a login whose instructions are all in the main thread has one core, one spread over threads two', () => {
  const counts = { all: 1e6, main: 1e6, kernelShare: 0 };
  expect(rate(counts, 0, likely)).toBeCloseTo(1500);
  expect(rate({ ...counts, main: 0.5e6 }, 0, likely)).toBeCloseTo(3000);
  expect(rate({ ...counts, kernelShare: 0.5 }, 0, likely)).toBeCloseTo(750);
});

test('records wait for one and a half syncs: with a slow card their rate is how many are in flight by that', () => {
  expect(rate(log, 800, { ...likely, syncMs: 1000 })).toBeCloseTo(800 / 1.5, -1);
  expect(rate(log, 800, { ...best, syncMs: 1000 })).toBeCloseTo(800 / 1.5);
});

test('what is likely lies between the worst and the best', () => {
  const [low, middle, high] = [worst, likely, best].map(assumed => rate(log, 800, assumed));
  expect(low).toBeLessThan(middle!);
  expect(middle).toBeLessThan(high!);
  const storms = [best, likely, worst].map(assumed => stormSeconds(counted, 500, 100, assumed));
  expect(storms).toEqual(storms.toSorted((one, other) => one - other));
});
