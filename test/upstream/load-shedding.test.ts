import { expect, test } from 'vitest';
import { LoadShedding } from '../../src/upstream/load-shedding.ts';
import { HandClock } from '../support/clock.ts';

/** A box that is as busy as it is told, with something to send whenever it may. */
function aBox() {
  const clock = new HandClock();
  const state = { busy: 1, taken: 0, refilled: 0 };
  const ending = new AbortController();
  const allowance = new LoadShedding({
    clock,
    strain: {
      busy: () => state.busy,
      taken: () => state.taken,
    },
    refilled: () => state.refilled++,
    signal: ending.signal,
  });
  /** Sends what may go, at most `wanted`, and lets a window pass. */
  const window = async (wanted: number): Promise<number> => {
    let sent = 0;
    while (sent < wanted && allowance.hasRoom) {
      allowance.sent();
      sent++;
    }
    await clock.advance(20);
    return sent;
  };
  return { state, window, allowance, clock };
}

test('a box that has nothing to take from devices sends as fast as it can', async () => {
  const { state, window } = aBox();
  state.taken = 0;
  for (let n = 0; n < 50; n++) expect(await window(1000)).toBe(1000);
});

test('a box with spare time sends as fast as it can while devices send', async () => {
  const { state, window } = aBox();
  state.busy = 0.7;
  state.taken = 1000;
  for (let n = 0; n < 50; n++) expect(await window(1000)).toBe(1000);
});

test('a box without time for both sends less and less, down to a share of what it receives', async () => {
  const { state, window } = aBox();
  state.taken = 6400;
  const sent: number[] = [];
  for (let n = 0; n < 30; n++) sent.push(await window(1000));
  expect(sent.slice(0, 3)).toEqual([1000, 800, 640]);
  expect(sent.at(-1)).toBe(100);
  expect(state.refilled).toBe(30);
});

test('something is always sent, however little is received', async () => {
  const { state, window } = aBox();
  state.taken = 1;
  const sent: number[] = [];
  for (let n = 0; n < 60; n++) sent.push(await window(1000));
  expect(sent.at(-1)).toBe(1);
});

test('when devices leave time it sends more again, in the end without a limit', async () => {
  const { state, window } = aBox();
  state.taken = 6400;
  for (let n = 0; n < 30; n++) await window(1000);
  state.busy = 0.5;
  const sent: number[] = [];
  for (let n = 0; n < 20; n++) sent.push(await window(1000));
  expect(sent.slice(0, 3)).toEqual([100, 150, 225]);
  expect(sent.slice(-5)).toEqual([1000, 1000, 1000, 1000, 1000]);
});

test('the load is not measured while nothing is sent', async () => {
  const { window, clock } = aBox();
  await window(10);
  await window(0);
  expect(clock.sleeping).toBe(0);
});
