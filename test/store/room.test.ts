import { expect, test } from 'vitest';
import { inodesOf } from '../../src/runtime/inodes.ts';
import { forecast, type RoomSample } from '../../src/store/domains/room.ts';
import { HandClock } from '../support/clock.ts';
import { aStore } from '../support/store.ts';

const hourMs = 3600_000;
const dayMs = 24 * hourMs;
const gigabyte = 1_000_000_000;
const size = 32 * gigabyte;
const now = 1_763_600_000_000;

/** Hourly samples of the last `days` that shrink by so much a day, down to `left`. */
const shrinking = (days: number, perDay: number, left: number): RoomSample[] =>
  Array.from({ length: days * 24 + 1 }, (_, index) => {
    const ago = days * dayMs - index * hourMs;
    return { at: now - ago, roomBytes: left + (ago / dayMs) * perDay };
  });

const after = (samples: RoomSample[], roomBytes: number) =>
  forecast(samples, { at: now, roomBytes }, { sizeBytes: size, inodes: null });

test('before there is a day of measuring nothing is said of when it is full', () => {
  expect(after([], 10 * gigabyte)).toMatchObject({ bytesPerDay: null, daysLeft: null, isLow: false });
  const almost = shrinking(1, gigabyte, 10 * gigabyte).slice(1);
  expect(after(almost, 10 * gigabyte)).toMatchObject({ bytesPerDay: null, daysLeft: null });
});

test('a disk that fills by a gigabyte a day is full in as many days as gigabytes are left above where dropping begins', () => {
  expect(after(shrinking(2, gigabyte, 6.5 * gigabyte), 6.5 * gigabyte)).toEqual({
    sizeBytes: size,
    roomBytes: 6.5 * gigabyte,
    bytesPerDay: gigabyte,
    daysLeft: 6,
    inodes: null,
    isLow: false,
  });
});

test.each<[string, number, number, boolean]>([
  ['three days', 3.9 * gigabyte, gigabyte, true],
  ['four days, more than a tenth', 4.5 * gigabyte, gigabyte, false],
  ['a tenth of the disk, for years', 3.1 * gigabyte, 1000, true],
  ['half of the disk, for two days', 16 * gigabyte, 7 * gigabyte, true],
])('with %s left it is low: %s bytes, %s a day: %s', (_, left, perDay, isLow) => {
  expect(after(shrinking(2, perDay, left), left).isLow).toBe(isLow);
});

test.each([
  ['a twentieth of them', { size: 1000, free: 50 }, true],
  ['none', { size: 1000, free: 0 }, true],
  ['a half', { size: 1000, free: 500 }, false],
])('a disk with room for bytes that has %s of its inodes left', (_, inodes, isLow) => {
  const room = forecast([], { at: now, roomBytes: size / 2 }, { sizeBytes: size, inodes });
  expect(room).toMatchObject({ inodes, isLow });
});

test('a file system that does not count its files says 0 of 0, and has enough', () => {
  expect(inodesOf({ files: 0, ffree: 0 })).toBeNull();
  expect(inodesOf({ files: 10, ffree: 3 })).toEqual({ size: 10, free: 3 });
});

test('a disk that does not grow is never full', () => {
  expect(after(shrinking(3, 0, gigabyte * 9), 9 * gigabyte)).toMatchObject({ bytesPerDay: 0, daysLeft: null });
  expect(after(shrinking(3, -1_000_000, gigabyte * 9), 9 * gigabyte)).toMatchObject({ daysLeft: null });
});

test('after somebody made room it is measured from then on, and not known until there is a day of it', () => {
  const freed = [...shrinking(3, gigabyte, 4 * gigabyte).filter(({ at }) => at < now - 12 * hourMs)];
  expect(after([...freed, { at: now - hourMs, roomBytes: 20 * gigabyte }], 20 * gigabyte)).toMatchObject({
    bytesPerDay: null,
    daysLeft: null,
    isLow: false,
  });
});

test('only the last week counts, and samples of a clock that ran ahead do not', () => {
  const longAgo = { at: now - 30 * dayMs, roomBytes: 31 * gigabyte };
  const ahead = { at: now + 900 * dayMs, roomBytes: 1 };
  const week = shrinking(6, gigabyte, 10 * gigabyte);
  expect(after([longAgo, ...week, ahead], 10 * gigabyte)).toMatchObject({ bytesPerDay: gigabyte, daysLeft: 9 });
});

test('a box keeps an hourly sample, over a restart too', async () => {
  const clock = new HandClock(now);
  await using opened = await aStore({ clock });
  const samples = async () => {
    for (let tick = 0; tick < 12; tick++) {
      await opened.store.write.retire({ now: clock.now() });
      await clock.advance(10 * 60_000);
    }
  };
  for (let round = 0; round < 13; round++) await samples();
  expect(opened.store.room().bytesPerDay).not.toBeNull();
  await opened.reopen();
  expect(opened.store.room().bytesPerDay).not.toBeNull();
});
