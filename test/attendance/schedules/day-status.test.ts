import { expect, test } from 'vitest';
import { onDay } from '../../../src/attendance/schedules/day-status.ts';
import { wallTime } from '../../../src/runtime/wall-time.ts';
import { type Case, dayResults } from './example-site.ts';

/** How a day stands at a time of asking, beside the result that the month has of it. */

const { read, text } = wallTime('Asia/Shanghai');

/** `late 09:20` with the first check-in; `absent, misses 09:00` with the planned times that passed. */
function shown(plan: string, punches: string, now: string, more: Case = {}): string {
  const [day] = dayResults(plan, punches, 1, { ...more, now });
  const found = onDay({ person: {}, terminals: [], days: [day] } as never, read(now) * 1000)!;
  const clock = (at: number) => text(at).slice(11, 16);
  const first = found.first ? ` ${clock(found.first.at)}` : '';
  return `${found.status}${first}${found.missingAt.length > 0 ? `, misses ${found.missingAt.map(clock).join(' ')}` : ''}`;
}

const leave = (from: string, to: string): Case => ({ leave: { from: `2026-11-16T${from}`, to: `2026-11-16T${to}` } });
const at = (time: string) => `2026-11-16T${time}`;

test.each([
  ['before the shift', 'D', '', at('08:30'), 'expected'],
  ['early', 'D', '08:40', at('08:45'), 'present 08:40'],
  ['as soon as the shift has begun', 'D', '', at('09:00'), 'absent, misses 09:00'],
  ['within the grace', 'D', '09:04', at('10:00'), 'present 09:04'],
  ['beyond the grace', 'D', '09:20', at('10:00'), 'late 09:20'],
  ['at lunch', 'D', '08:55 12:01', at('12:30'), 'present 08:55'],
  ['after the shift, who may still check out', 'D', '08:55', at('18:30'), 'present 08:55'],
  ['on the next day, without a check-out', 'D', '08:55', '2026-11-17T12:00', 'missing 08:55, misses 18:00'],
  ['on the next day, without a check-in', 'D', '18:02', '2026-11-17T12:00', 'missing, misses 09:00'],
  ['on the next day, without any', 'D', '', '2026-11-17T12:00', 'absent, misses 09:00 18:00'],
  ['in the morning of a night', 'N', '06:02', at('14:00'), 'expected'],
  ['in the night, after midnight', 'N', '21:50', '2026-11-17T01:00', 'present 21:50'],
  ['between two parts of a day', 'S', '07:55 12:02', at('13:00'), 'present 07:55'],
  ['in the second part alone', 'S', '13:55', at('15:00'), 'missing 13:55, misses 08:00 12:00'],
  ['in the first part alone', 'S', '07:55 12:02', at('15:00'), 'missing 07:55, misses 14:00'],
  ['in neither part', 'S', '', at('15:00'), 'absent, misses 08:00 12:00 14:00'],
  ['on a day off', 'week D', '10:00', '2026-11-21T12:00', 'off 10:00', { on: '2026-11-21' }],
  ['with a free shift, later', 'F', '', at('14:00'), 'expected'],
  ['with a free shift, here', 'F', '10:00', at('14:00'), 'present 10:00'],
  ['on leave', 'D', '', at('14:00'), 'leave', leave('00:00', '23:59')],
  ['on leave until noon, before it', 'D', '', at('10:00'), 'expected', leave('09:00', '13:00')],
  ['on leave until noon, after it', 'D', '', at('14:00'), 'absent, misses 13:00', leave('09:00', '13:00')],
  ['without a plan', '', '10:00', at('14:00'), 'none 10:00'],
] as const)('%s', (_name, plan, punches, now, expected, more: Case = {}) => {
  expect(shown(plan, punches, now, more)).toBe(expected);
});

test('who is not employed on the day is not listed', () => {
  const [day] = dayResults('D', '', 1, { employment: { from: null, to: '2026-11-15' } });
  expect(onDay({ person: {}, terminals: [], days: [day] } as never, read(at('14:00')) * 1000)).toBeNull();
});
