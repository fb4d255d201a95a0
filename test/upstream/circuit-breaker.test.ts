import { expect, test } from 'vitest';
import { CircuitBreaker } from '../../src/upstream/circuit-breaker.ts';
import { HandClock } from '../support/clock.ts';

const patience = new AbortController().signal;

/** Tries until it is told otherwise; `let in` notes when. */
function tryToEnter(breaker: CircuitBreaker, session: object, entered: object[]): void {
  void breaker.acquire(session, patience).then(() => entered.push(session));
}

test('while the cloud is not reached one session tries and the others wait; they follow when it is through', async () => {
  const clock = new HandClock();
  const breaker = new CircuitBreaker(clock);
  const [first, second, third] = [{ name: 1 }, { name: 2 }, { name: 3 }];
  const entered: object[] = [];
  tryToEnter(breaker, first, entered);
  await clock.advance(0);
  breaker.failed(first);
  tryToEnter(breaker, second, entered);
  tryToEnter(breaker, third, entered);
  await clock.advance(60_000);
  expect(entered).toEqual([first]);
  breaker.reached();
  await clock.advance(1000);
  expect(entered).toEqual([first, second, third]);
});

test('no more than 50 sessions try in a second when the breaker closes', async () => {
  const clock = new HandClock();
  const breaker = new CircuitBreaker(clock);
  const entered: object[] = [];
  for (let index = 0; index < 200; index++) tryToEnter(breaker, { index }, entered);
  await clock.advance(0);
  await clock.advance(1000);
  expect(entered.length).toBeGreaterThanOrEqual(48);
  expect(entered.length).toBeLessThanOrEqual(52);
  await clock.advance(4000);
  expect(entered).toHaveLength(200);
});

test('a session that is closed while it probes leaves its place to the next', async () => {
  const clock = new HandClock();
  const breaker = new CircuitBreaker(clock);
  const [first, second] = [{ name: 1 }, { name: 2 }];
  const entered: object[] = [];
  tryToEnter(breaker, first, entered);
  await clock.advance(0);
  breaker.failed(first);
  tryToEnter(breaker, second, entered);
  breaker.left(first);
  await clock.advance(1000);
  expect(entered).toEqual([first, second]);
});

test('a device that the cloud never answers does not keep the others waiting for ever', async () => {
  const clock = new HandClock();
  const breaker = new CircuitBreaker(clock);
  const [stuck, healthy] = [{ name: 'stuck' }, { name: 'healthy' }];
  const entered: object[] = [];
  tryToEnter(breaker, stuck, entered);
  await clock.advance(0);
  breaker.failed(stuck);
  tryToEnter(breaker, healthy, entered);
  tryToEnter(breaker, stuck, entered); // its next try is due
  await clock.advance(1000);
  expect(entered).toEqual([stuck, healthy]);
  breaker.reached();
  await clock.advance(1000);
  expect(entered).toEqual([stuck, healthy, stuck]);
});
