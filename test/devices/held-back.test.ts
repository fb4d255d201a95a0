import { expect, test } from 'vitest';
import { HeldBack } from '../../src/devices/held-back.ts';
import type { DeviceNo } from '../../src/store/index.ts';
import { HandClock } from '../support/clock.ts';

const [gate, hall, yard] = [1, 2, 3] as DeviceNo[] as [DeviceNo, DeviceNo, DeviceNo];
const minuteMs = 60_000;

test('who was here when the disk was full, and who was turned away for it, is held back until a quarter of an hour after', async () => {
  const clock = new HandClock();
  const held = new HeldBack(clock);
  held.storeChanged(false, [gate]);
  held.refused(hall);
  expect([gate, hall, yard].map(one => held.has(one))).toEqual([true, true, false]);
  await clock.advance(3 * 24 * 60 * minuteMs);
  expect(held.has(gate)).toBe(true);
  held.storeChanged(true, []);
  await clock.advance(14 * minuteMs);
  expect(held.has(hall)).toBe(true);
  await clock.advance(minuteMs);
  expect([gate, hall].map(one => held.has(one))).toEqual([false, false]);
});

test('a device that came back after the trouble and goes again is silent', () => {
  const held = new HeldBack(new HandClock());
  held.storeChanged(false, [gate, hall]);
  held.storeChanged(true, []);
  held.came(gate);
  expect([gate, hall].map(one => held.has(one))).toEqual([false, true]);
});

test('without trouble nobody is held back, whatever is refused', () => {
  const held = new HeldBack(new HandClock());
  held.refused(gate);
  held.storeChanged(true, [hall]);
  expect([gate, hall].map(one => held.has(one))).toEqual([false, false]);
});

test('a second trouble within the quarter of an hour keeps who was held back by the first', async () => {
  const clock = new HandClock();
  const held = new HeldBack(clock);
  held.storeChanged(false, [gate]);
  held.storeChanged(true, []);
  await clock.advance(5 * minuteMs);
  held.storeChanged(false, [hall]);
  expect([gate, hall].map(one => held.has(one))).toEqual([true, true]);
});
