import { expect, test } from 'vitest';
import { Waking } from '../../src/upstream/waking.ts';
import { HandClock } from '../support/clock.ts';

test('the shortest wait that was asked for counts, and its end wakes once', async () => {
  const clock = new HandClock();
  const woken: number[] = [];
  const waking = new Waking(clock, () => woken.push(clock.monotonic()));
  waking.wakeIn(1000);
  waking.wakeIn(400);
  waking.wakeIn(800);
  waking.wakeIn(Number.POSITIVE_INFINITY);
  await clock.advance(2000);
  expect(woken).toEqual([400]);
});

test('a wait that is shorter by less than a timer can tell is not begun anew', async () => {
  const clock = new HandClock();
  let sleeps = 0;
  const sleep: HandClock['sleep'] = (...words) => {
    sleeps++;
    return clock.sleep(...words);
  };
  const waking = new Waking({ now: () => clock.now(), monotonic: () => clock.monotonic(), sleep }, () => {});
  waking.wakeIn(1000);
  waking.wakeIn(999.8);
  expect(sleeps).toBe(1);
  waking.stop();
});
