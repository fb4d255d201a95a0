import { expect, test } from 'vitest';
import { localTimes } from '../../src/attendance/index.ts';
import { instantOf } from '../../src/runtime/wall-time.ts';

const at = (wall: string, zone: string): string | null => {
  const found = instantOf(wall, localTimes(zone).offsetSeconds);
  return found === null ? null : new Date(found * 1000).toISOString();
};

test('a wall time is the moment at which the clocks of the zone show it', () => {
  expect(at('2026-11-16T18:00', 'Asia/Shanghai')).toBe('2026-11-16T10:00:00.000Z');
  expect(at('2026-11-16T18:00:59', 'UTC')).toBe('2026-11-16T18:00:59.000Z');
  expect(at('2026-07-01T08:30', 'America/New_York')).toBe('2026-07-01T12:30:00.000Z');
});

test('a time that comes twice is the first, and a skipped one lies after the skip', () => {
  expect(at('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
  expect(at('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(at('2026-10-25T03:30', 'Europe/Berlin')).toBe('2026-10-25T02:30:00.000Z');
  expect(at('2026-03-29T03:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
});

test('what is no wall time is none', () => {
  for (const wall of ['2026-11-31T08:00', '2026-13-01T08:00', '2026-11-16T24:00', '2026-11-16 08:00', 'today'])
    expect(at(wall, 'UTC')).toBeNull();
});
