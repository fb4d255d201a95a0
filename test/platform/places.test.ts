import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Places, placeOn, placesAfter } from '../../src/platform/places.ts';
import { dateOfDay, dayNumber } from '../../src/runtime/calendar-date.ts';

const first = dayNumber('2026-01-01');
const days = 60;
const date = fc.integer({ min: 0, max: days }).map(day => dateOfDay(first + day));
const dates = Array.from({ length: days + 1 }, (_, day) => dateOfDay(first + day));
const moves = fc.array(fc.record({ to: fc.integer({ min: 1, max: 4 }), since: date }), { maxLength: 8 });
const always: Places = { former: [], now: 1, since: null };

const after = (all: readonly { to: number; since: string }[]): Places =>
  all.reduce((places, { to, since }) => placesAfter(places, to, since), always);

test('a move changes no day before it, and every day from it on', () => {
  fc.assert(
    fc.property(moves, fc.record({ to: fc.integer({ min: 1, max: 4 }), since: date }), (before, { to, since }) => {
      const places = after(before);
      fc.pre(to !== places.now);
      // Otherwise nothing is known of the days before.
      fc.pre(places.former.length > 0 || places.since !== since);
      const moved = placesAfter(places, to, since);
      for (const day of dates) expect(placeOn(moved, day)).toBe(day < since ? placeOn(places, day) : to);
    }),
  );
});

test('places are in order, none follows itself, and each ends on the eve of the next', () => {
  fc.assert(
    fc.property(moves, all => {
      const { former, now, since } = after(all);
      expect(former.map(({ until }) => until)).toEqual([...new Set(former.map(({ until }) => until))].sort());
      const line = [...former.map(({ departmentId }) => departmentId), now];
      expect(line.filter((one, index) => one === line[index + 1])).toEqual([]);
      const last = former.at(-1);
      if (last) expect(dayNumber(since!)).toBe(dayNumber(last.until) + 1);
    }),
  );
});

test('a move to where one stands already dates the last move otherwise, later and earlier', () => {
  const moved = placesAfter(always, 2, '2026-01-13');
  expect(placesAfter(moved, 2, '2026-01-20')).toEqual({
    former: [{ until: '2026-01-19', departmentId: 1 }],
    now: 2,
    since: '2026-01-20',
  });
  expect(placesAfter(moved, 2, '2026-01-05').former).toEqual([{ until: '2026-01-04', departmentId: 1 }]);
});

test('whoever was added and moved on one day stood nowhere else before', () => {
  const added: Places = { former: [], now: 1, since: '2026-01-13' };
  expect(placesAfter(added, 2, '2026-01-13')).toEqual({ former: [], now: 2, since: '2026-01-13' });
  expect(placesAfter(added, 2, '2026-01-10').former).toEqual([{ until: '2026-01-09', departmentId: 1 }]);
});
