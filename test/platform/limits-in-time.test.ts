import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateWindow } from '../../src/runtime/rate-window.ts';
import { nextTry } from '../../src/runtime/retry.ts';
import { localDays } from '../../src/runtime/wall-time.ts';
import { seededRandom } from '../support/clock.ts';

test('no window of a second ever holds more than the limit, however it is laid', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 300 }),
      fc.integer({ min: 1, max: 20 }),
      (gaps, limit) => {
        const window = new RateWindow(limit, 1000);
        const taken: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          if (window.take(now)) taken.push(now);
        }
        for (const start of taken)
          expect(taken.filter(at => at >= start && at < start + 1000).length).toBeLessThanOrEqual(limit);
      },
    ),
  );
});

test('what is within the limit is never refused, and wait says when there is room', () => {
  const window = new RateWindow(2, 1000);
  expect([window.take(0), window.take(400), window.take(900)]).toEqual([true, true, false]);
  expect(window.wait(900)).toBe(100);
  expect([window.take(1000), window.take(1399), window.take(1400)]).toEqual([true, false, true]);
});

test.each([
  ['Asia/Shanghai', '2026-11-20T15:59:59.999Z', '2026-11-20'],
  ['Asia/Shanghai', '2026-11-20T16:00:00.000Z', '2026-11-21'],
  ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T23:00:00.000Z', '2026-10-26'],
])('in %s the day of %s is %s', (zone, moment, day) => {
  expect(localDays(zone)(Date.parse(moment))).toBe(day);
});

test('days go on over many midnights, forwards and backwards, summer time or not', () => {
  const dayOf = localDays('America/New_York');
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'America/New_York',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const random = seededRandom(1);
  for (let round = 0; round < 500; round++) {
    const at = Date.UTC(2026, 0, 1) + Math.floor(random() * 365 * 24 * 3600 * 1000);
    expect(dayOf(at)).toBe(format.format(at));
  }
});

test('the next try is in 3 to 5 seconds', () => {
  expect([nextTry(() => 0), nextTry(() => 0.9999999)]).toEqual([3000, 5000]);
});
