import { expect, test } from 'vitest';
import { LogQuota } from '../../src/devices/quota.ts';
import type { DeviceNo } from '../../src/store/index.ts';
import { regionOfOne } from '../../src/store/port/region.ts';
import { HandClock } from '../support/clock.ts';

const device = 1 as DeviceNo;
const aQuota = () =>
  new LogQuota({
    ...{ perSecond: 1000, perDay: 10, clock: new HandClock(Date.UTC(2026, 0, 1)), site: { timezone: 'UTC' } },
    ...{ shared: regionOfOne().shared.logCounts, signal: AbortSignal.abort() },
  });
const taken = (quota: LogQuota, times: number) =>
  Array.from({ length: times }, () => quota.take(device)).filter(verdict => verdict === 'within').length;

test('logs of a day are counted on after a restart', () => {
  const quota = aQuota();
  quota.resume('2026-01-01', new Map([[device, 7]]));
  expect(taken(quota, 5)).toBe(3);
});

test('a count that comes later, with what was taken since the start in it, is not added to it', () => {
  const quota = aQuota();
  quota.resume('2026-01-01', new Map([[device, 2]]));
  expect(taken(quota, 3)).toBe(3);
  quota.resume('2026-01-01', new Map([[device, 4]]));
  expect(taken(quota, 2)).toBe(2);
  quota.resume('2026-01-01', new Map([[device, 9]]));
  expect(taken(quota, 5)).toBe(1);
});

test('yesterday does not count', () => {
  const quota = aQuota();
  quota.resume('2025-12-31', new Map([[device, 10]]));
  expect(taken(quota, 20)).toBe(10);
});
