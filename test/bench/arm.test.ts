import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Assumed, best, rate, stormSeconds, worst } from '../../bench/arm/estimate.ts';
import { pageFile, readCounts, withFigures } from '../../bench/arm/page.ts';

/** What docs/arm.md says of a board is what its counts give. */

const counted = readCounts();
const { log, loginOverTls } = counted.cases;
const even: Assumed = { ...worst, ipc: 1, kernel: 1 };

test('the figures of docs/arm.md are those that the counts give', () => {
  const page = readFileSync(pageFile, 'utf8');
  expect(withFigures(page, counted)).toBe(page);
  const twice = { ...log, all: 2 * log.all, busiest: 2 * log.busiest };
  const others = { ...counted, cases: { ...counted.cases, log: twice } };
  expect(withFigures(page, others)).not.toBe(page);
});

test('a processor of half the pace does half the logins, and the sync of a card makes none slower', () => {
  const whole = rate(loginOverTls, 0, even);
  expect(rate(loginOverTls, 0, { ...even, ipc: even.ipc / 2 })).toBeCloseTo(whole / 2);
  expect(rate(loginOverTls, 0, { ...even, syncMs: 1000 })).toBe(whole);
});

test('a login whose instructions are all in one thread has one core, one spread over threads two', () => {
  const counts = { all: 1e6, busiest: 1e6, kernelShare: 0 };
  expect(rate(counts, 0, even)).toBeCloseTo(1500);
  expect(rate({ ...counts, busiest: 0.5e6 }, 0, even)).toBeCloseTo(3000);
  expect(rate({ ...counts, kernelShare: 0.5 }, 0, even)).toBeCloseTo(750);
});

test('records wait for one and a half syncs: with a slow card their rate is how many are in flight by that', () => {
  expect(rate(log, 800, { ...even, syncMs: 1000 })).toBeCloseTo(800 / 1.5, -1);
  expect(rate(log, 800, { ...best, syncMs: 1000 })).toBeCloseTo(800 / 1.5);
});

test('the worst case gives less than the best, and takes longer', () => {
  expect(rate(log, 800, worst)).toBeLessThan(rate(log, 800, best));
  expect(stormSeconds(counted, 500, 100, worst)).toBeGreaterThan(stormSeconds(counted, 500, 100, best));
});
