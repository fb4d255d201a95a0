import { expect, test } from 'vitest';
import { Plans } from '../../../src/attendance/schedules/plan.ts';
import { punchList } from '../../../src/attendance/schedules/punch-list.ts';
import { defaultRules } from '../../../src/attendance/schedules/result.ts';
import { resultsOf } from '../../../src/attendance/schedules/results.ts';
import type { Shift } from '../../../src/platform/shifts.ts';
import { addDays } from '../../../src/runtime/calendar-date.ts';
import { wallTime } from '../../../src/runtime/wall-time.ts';
import { shifts } from './example-site.ts';

/** Minutes of a day: `20:00-04:30`, over midnight where the end is not later than the start. */
const minutes = (text: string, from = 0): [number, number] => {
  const [on, off] = text.split('-').map(time => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) as [
    number,
    number,
  ];
  const start = on < from ? on + 1440 : on;
  return [start, off + (off + Math.floor(start / 1440) * 1440 <= start ? 1440 : 0) + Math.floor(start / 1440) * 1440];
};

test.each([
  ['set back, a break before it', 'America/New_York', '2025-11-01', '20:00-04:30', '00:30-01:00', 540, 30],
  ['set forward over the start of a break', 'America/New_York', '2026-03-07', '20:00-04:30', '02:30-03:00', 420, 30],
  ['set back, the shift in two parts', 'Europe/Berlin', '2025-10-25', '18:00-02:00 02:30-06:00', '', 750, 0],
  ['set back at the end of a shift', 'Africa/Cairo', '2025-10-30', '15:00-23:00', '', 480, 0],
  ['set forward over the end of a part', 'Europe/Berlin', '2026-03-28', '22:00-02:30 03:00-06:00', '', 420, 0],
])('clocks that are %s: the hours are those that were worked', (_what, zone, date, parts, pause, worked, rest) => {
  let after = 0;
  const segments = parts.split(' ').map(part => {
    const [on, off] = minutes(part, after);
    after = on;
    return { on, off, before: 60, after: 60, needIn: true, needOut: true };
  });
  const breaks = pause === '' ? [] : [minutes(pause, segments[0]!.on)].map(([from, to]) => ({ from, to, paid: false }));
  const shift: Shift = { ...shifts[0]!, code: 'T', segments, breaks };
  const wall = wallTime(zone);
  const ends = segments.flatMap(({ on, off }) => [wall.instant(date, on), wall.instant(date, off)]);
  const plan = { id: 1, target: { kind: 'site' }, cycle: ['T'], anchor: date, from: date, to: date, recordedAt: 0 };
  const plans = new Plans({ shifts: [shift], rules: [plan as never], overrides: [], calendar: () => null });
  const [day] = resultsOf({
    ...{ wall, from: date, to: date, asked: [], leaves: [], rules: defaultRules },
    plan: plans.of(
      { extId: 'p', places: [{ to: date, chain: [] }], employment: null },
      addDays(date, -3),
      addDays(date, 3),
    ),
    punches: punchList(
      [...new Set(ends)].map((at, place) => ({
        ...{ id: place + 1, at, deviceNo: 1 as never, checkType: 'fa', receivedAt: at * 1000, clock: null },
        ...{ source: 'device', isSetAside: false, workDate: null, correctionId: null },
      })),
    ),
    now: wall.instant(addDays(date, 9), 0) * 1000,
    reported: () => ({ until: wall.instant(addDays(date, 9), 0) * 1000, deviceNo: null }),
  });
  expect(day!.minutes).toMatchObject({ planned: worked, worked, break: rest });
});
