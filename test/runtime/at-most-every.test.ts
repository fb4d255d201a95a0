import { expect, test } from 'vitest';
import { atMostEvery } from '../../src/runtime/at-most-every.ts';
import { HandClock } from '../support/clock.ts';

const turn = () => new Promise(resolve => setImmediate(resolve));

test('the first call runs after this turn, and the calls of one turn are one', async () => {
  let runs = 0;
  const soon = atMostEvery(10, new HandClock(), new AbortController().signal, () => runs++);
  soon();
  soon();
  expect(runs).toBe(0);
  await turn();
  expect(runs).toBe(1);
});

test('what is called within the rest runs once, at its end', async () => {
  let runs = 0;
  const clock = new HandClock();
  const soon = atMostEvery(10, clock, new AbortController().signal, () => runs++);
  soon();
  await turn();
  soon();
  await clock.advance(4);
  soon();
  await clock.advance(5);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect(runs).toBe(2);
  await clock.advance(100);
  expect(runs).toBe(2);
});

test('nothing runs after the signal, neither what was called before nor after it', async () => {
  let runs = 0;
  const over = new AbortController();
  const clock = new HandClock();
  const soon = atMostEvery(10, clock, over.signal, () => runs++);
  soon();
  await turn();
  soon();
  over.abort();
  soon();
  await clock.advance(100);
  expect(runs).toBe(1);
});

test('rests in proportion to what a run took, where it is told so', async () => {
  let tookMs = 0;
  let runs = 0;
  class ClockOfRuns extends HandClock {
    override monotonic(): number {
      return super.monotonic() + tookMs;
    }
  }
  const clock = new ClockOfRuns();
  const run = () => {
    runs++;
    tookMs += 10;
  };
  const soon = atMostEvery(took => 9 * took, clock, new AbortController().signal, run);
  soon();
  await turn();
  soon();
  await clock.advance(89);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect(runs).toBe(2);
});
