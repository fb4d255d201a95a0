import { expect, test } from 'vitest';
import { CloudWaits } from '../../src/devices/cloud-waits.ts';
import type { DeviceNo } from '../../src/store/index.ts';
import { HandClock } from '../support/clock.ts';
import { standsAlone } from '../support/gateway.ts';

const never = {
  ...standsAlone,
  whenUp: (_deviceNo: DeviceNo, signal: AbortSignal) =>
    new Promise<boolean>(resolve => signal.addEventListener('abort', () => resolve(false))),
};

test('256 devices wait for their sessions; the next is answered at once, and a place is free again after 10 s', async () => {
  const clock = new HandClock();
  using waits = new CloudWaits(clock, never);
  const waiting = Array.from({ length: 256 }, (_, index) => waits.whenUp((index + 1) as DeviceNo, 'm'));
  expect(await waits.whenUp(257 as DeviceNo, 'm')).toBe('away');
  await clock.advance(10_000);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['away']));
  const again = waits.whenUp(257 as DeviceNo, 'm');
  expect(await waits.whenUp(257 as DeviceNo, 'm')).toBe('asked already');
  await clock.advance(10_000);
  expect(await again).toBe('away');
});

test('waits end when the box stops', async () => {
  const clock = new HandClock();
  const waits = new CloudWaits(clock, never);
  const waiting = waits.whenUp(1 as DeviceNo, 'm');
  waits[Symbol.dispose]();
  expect(await waiting).toBe('away');
  expect(clock.sleeping).toBe(0);
});
