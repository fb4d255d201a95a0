import { describe, expect, test } from 'vitest';
import { localDays } from '../../src/runtime/wall-time.ts';
import { Pace } from '../../src/upstream/pace.ts';
import { HandClock, seededRandom } from '../support/clock.ts';

const aPace = (clock: HandClock, change: { perSecond?: number; perDay?: number; openedAt?: number } = {}) =>
  new Pace({ perSecond: 20, perDay: 10_000, clock, dayOf: localDays('Asia/Shanghai'), openedAt: -1000, ...change });

/**
 * The most in any 1000 ms, as the cloud counts: a record leaves the window a full second after it
 * came.
 */
function mostInAnySecond(moments: readonly number[]): number {
  const sorted = [...moments].sort((a, b) => a - b);
  return sorted.reduce((most, at, index) => {
    let first = index;
    while (first > 0 && sorted[first - 1]! > at - 1000) first--;
    return Math.max(most, index - first + 1);
  }, 0);
}

/**
 * A line with delays of its own there and back; pipelines as far as the pace allows. Answers the
 * moments of arrival.
 */
async function drain(pace: Pace, clock: HandClock, records: number, delay: () => number, back: () => number) {
  const arrivals: number[] = [];
  const returns: number[] = [];
  let sent = 0;
  let lastArrival = 0;
  let lastReturn = 0;
  while (arrivals.length < records || returns.length > 0) {
    const now = clock.monotonic();
    while (returns.length > 0 && returns[0]! <= now) {
      returns.shift();
      pace.confirmed();
    }
    while (sent < records && pace.wait() === 0) {
      pace.sent();
      sent++;
      // One connection: nothing overtakes.
      lastArrival = Math.max(lastArrival, now + delay());
      lastReturn = Math.max(lastReturn, lastArrival + back());
      arrivals.push(lastArrival);
      returns.push(lastReturn);
    }
    const wait = sent < records ? pace.wait() : Number.POSITIVE_INFINITY;
    const until = Math.min(wait, (returns[0] ?? Number.POSITIVE_INFINITY) - now);
    await clock.advance(Number.isFinite(until) ? Math.max(0.25, until) : 1);
  }
  return arrivals;
}

describe('however the line jitters', () => {
  test.each([
    ['steady, 1 ms', 1, 0],
    ['a far cloud, 40 ms', 40, 0],
    ['a poor mobile line, up to 900 ms', 5, 900],
    ['stalls of up to 3 s', 5, 3000],
  ])('the cloud never counts more than 20 in any second: %s', async (_name, base, jitter) => {
    const clock = new HandClock();
    const random = seededRandom(7);
    const delay = () => base + jitter * random() ** 4;
    const arrivals = await drain(aPace(clock), clock, 400, delay, delay);
    expect(arrivals).toHaveLength(400);
    expect(mostInAnySecond(arrivals)).toBeLessThanOrEqual(20);
  });
});

test('over a near line more than 98 % of the allowed rate is used', async () => {
  const clock = new HandClock();
  const arrivals = await drain(
    aPace(clock),
    clock,
    600,
    () => 1,
    () => 1,
  );
  const seconds = (arrivals.at(-1)! - arrivals[0]!) / 1000;
  expect((arrivals.length - 20) / seconds / 20).toBeGreaterThan(0.98);
});

test('what was in flight when the connection broke counts as if it had arrived at that moment', async () => {
  const clock = new HandClock();
  const pace = aPace(clock);
  for (let index = 0; index < 20; index++) pace.sent();
  await clock.advance(5000);
  pace.lost();
  expect(pace.wait()).toBeGreaterThan(999);
  await clock.advance(1001);
  expect(pace.wait()).toBe(0);
});

test('what went out before a restart may have arrived until the start, so that nothing goes for a second', async () => {
  const clock = new HandClock();
  await clock.advance(500);
  const pace = aPace(clock, { openedAt: clock.monotonic() });
  expect(pace.wait()).toBe(1000);
  await clock.advance(999);
  expect(pace.wait()).toBe(1);
  await clock.advance(1);
  expect(pace.wait()).toBe(0);
});

test('the count of the day ends at midnight in the time zone of the cloud', async () => {
  const clock = new HandClock(Date.UTC(2026, 10, 21, 15, 59, 0)); // 23:59 in Shanghai
  const pace = aPace(clock, { perDay: 3 });
  for (let index = 0; index < 3; index++) {
    pace.sent();
    pace.confirmed();
  }
  expect(pace.wait()).toBeGreaterThan(0);
  await clock.advance(50_000);
  expect(pace.wait()).toBeGreaterThan(0);
  await clock.advance(11_000);
  expect(pace.wait()).toBe(0);
});

test('what goes after midnight counts for the new day, though the day before was not spent', async () => {
  const clock = new HandClock(Date.UTC(2026, 10, 21, 15, 59, 58)); // 23:59:58 in Shanghai
  const pace = aPace(clock, { perDay: 3 });
  const goes = () => {
    pace.sent();
    pace.confirmed();
  };
  for (let index = 0; index < 2; index++) goes();
  await clock.advance(3000);
  for (let index = 0; index < 2; index++) goes();
  expect(pace.wait()).toBe(0);
  goes();
  expect(pace.spentToday).toBe(true);
});
