import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSpan, spanText } from '../../src/platform/shift-times.ts';
import { cycleProblems, inCycle, type Shift, shiftProblems, versionsByCode } from '../../src/platform/shifts.ts';
import { addDays, dayNumber, mondayOf, weekdayOf } from '../../src/runtime/calendar-date.ts';
import { aDayShift, aNightShift } from '../support/plans.ts';

const segment = { before: 180, after: 360, needIn: true, needOut: true };
const reasons = (shift: Shift) => shiftProblems(shift).map(({ reason }) => reason);

test('dates are counted over months, years and leap days', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2027-01-01', -1)).toBe('2026-12-31');
  expect(dayNumber('1970-01-02')).toBe(1);
  expect(['2026-11-16', '2026-11-22', '1969-12-29'].map(weekdayOf)).toEqual([1, 7, 1]);
  expect(mondayOf('2026-11-22')).toBe('2026-11-16');
});

test.each([
  ['09:00-18:00', 0, { from: 540, to: 1080 }],
  ['22:00–06:00', 0, { from: 1320, to: 1800 }],
  ['16:00 - 24:00', 0, { from: 960, to: 1440 }],
  ['18:00-31:00', 0, { from: 1080, to: 1860 }],
  ['03:00-06:00', 1320, { from: 1620, to: 1800 }],
  ['9:00 to 12:30', 0, { from: 540, to: 750 }],
  ['09:00-09:60', 0, null],
  ['nine to five', 0, null],
])('%s is read', (written, after, span) => {
  expect(readSpan(written, after)).toEqual(span);
});

test('a span that was written is read as it was', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  fc.assert(
    fc.property(minute, fc.integer({ min: 1, max: 1440 }), (from, length) => {
      expect(readSpan(spanText(from, from + length))).toEqual({ from, to: from + length });
    }),
  );
});

test('a shift that is right has no problems', () => {
  expect(reasons(aDayShift())).toEqual([]);
  expect(reasons(aNightShift())).toEqual([]);
});

test.each<[string, Shift, string]>([
  [
    'segments that overlap',
    aNightShift({
      segments: [
        { ...segment, on: 1320, off: 1800 },
        { ...segment, on: 1500, off: 1860 },
      ],
    }),
    'segments[1].on 01:00 is before the end of segments[0] 06:00: segments must not overlap',
  ],
  [
    'an end before its start',
    aDayShift({ segments: [{ ...segment, on: 1080, off: 540 }], breaks: [] }),
    'segments[0].off 09:00 must be after its on 18:00',
  ],
  ['no times', aDayShift({ segments: [], breaks: [] }), 'a shift needs a start and an end'],
  [
    'a break outside',
    aDayShift({ breaks: [{ from: 1070, to: 1100, paid: false }] }),
    'breaks[0] 17:50–18:20 is outside the shift',
  ],
  [
    'more than a day',
    aDayShift({
      segments: [
        { ...segment, on: 540, off: 1080 },
        { ...segment, on: 1440, off: 2000 },
      ],
    }),
    'a shift lasts at most 24 hours',
  ],
  ['a code that means a day off', aDayShift({ code: 'off' }), 'off is reserved for rest days: choose another code'],
])('%s is refused', (_name, shift, reason) => {
  expect(reasons(shift)).toEqual([reason]);
});

const always = { from: '2026-11-16', to: null };
const shifts = (...all: Shift[]) => versionsByCode(all);

test('a cycle may put a night before a day: windows overlap, times do not', () => {
  expect(cycleProblems(['night', 'day', null], always, shifts(aDayShift(), aNightShift()))).toEqual([]);
});

test('a cycle whose last day runs into its first is refused', () => {
  const late = aNightShift({ segments: [{ ...segment, on: 1320, off: 2040 }] });
  expect(cycleProblems(['day', 'night'], always, shifts(aDayShift(), late))).toMatchObject([
    {
      path: ['cycle', 0],
      reason:
        'day begins at 09:00, before night of the previous day ends at 10:00: put a rest day between them, or edit one of the shifts',
    },
  ]);
  expect(cycleProblems(['day', 'night', null], always, shifts(aDayShift(), late))).toEqual([]);
});

test('versions are compared in the time in which both hold', () => {
  const late = aNightShift({ segments: [{ ...segment, on: 1320, off: 2040 }], validFrom: '2026-12-01' });
  const known = shifts(aDayShift(), aNightShift(), late);
  expect(cycleProblems(['day', 'night'], { from: '2026-11-16', to: '2026-12-01' }, known)).toEqual([]);
  expect(cycleProblems(['day', 'night'], { from: '2026-11-16', to: '2026-12-02' }, known)).toHaveLength(1);
});

test('a cycle repeats before and after its anchor', () => {
  const cycle = ['a', 'b', null];
  const from = '2026-11-15';
  expect([0, 1, 2, 3].map(days => inCycle(cycle, '2026-11-16', addDays(from, days)))).toEqual([null, 'a', 'b', null]);
});
