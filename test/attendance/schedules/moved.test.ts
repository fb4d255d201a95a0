import { expect, test } from 'vitest';
import { type Case, dayResults, shown } from './example-site.ts';

/**
 * Check-ins that a correction has moved to another work date. The short form is that of
 * examples.test.ts; `<` moved it to the date before its own, `=` to its own, `>` to the one after.
 */

type Row = readonly [what: string, plan: string, punches: string, expected: string, more?: Case];

const nightThenOff = { roster: [{ cycle: ['N', null, null], anchor: '2026-11-16' }] };
const lateNight: readonly Row[] = [
  [
    'as it is: a night that went on until ten counts as no end',
    'N N',
    '21:55 / 10:10 21:50 / 06:00',
    '21:55-? 0/480 missing out; 10:10 10 min after window / 21:50-06:00 480/480',
  ],
  [
    'an end beyond the window is the end of the night that it was moved to, with its overtime',
    'N N',
    '21:55 / 10:10= 21:50 / 06:00',
    '21:55-? 0/480 missing out / 10:10-06:00 480/480; 21:50 between',
  ],
  [
    'a check-in of the next evening can be given to the night before',
    'N N',
    '21:55 / 20:30< 21:50 / 06:00',
    '21:55-20:30 480/480 O870 / 21:50-06:00 480/480',
  ],
  [
    'an evening that was counted to its own night belongs to the one before',
    'N N',
    '21:55 / 06:02= 21:50 / 06:00',
    '21:55-? 0/480 missing out / 06:02-06:00 480/480; 21:50 between',
  ],
];

const handOver: readonly Row[] = [
  [
    'as it is: the check-in before the day shift is too late for the night',
    'N D',
    '21:55 / 08:58 18:00',
    '21:55-? 0/480 missing out / 08:58-18:00 480/480',
  ],
  [
    'moved to the night, the day shift has no start',
    'N D',
    '21:55 / 08:58< 18:00',
    '21:55-08:58 480/480 O150 / ?-18:00 0/480 missing in',
  ],
  [
    'the next date gets what came before its window',
    'D D',
    '08:55 18:00 23:50> / 18:05',
    '08:55-18:00 480/480 / 23:50-18:05 480/480',
  ],
  [
    'repeats within a minute are one event only with what was moved to the same date',
    'N D',
    '21:55 / 08:58:10< 08:58:40 18:00',
    '21:55-08:58 480/480 O150 / 08:58-18:00 480/480',
  ],
  [
    'one that is set aside is shown on the date that it was moved to, and counts on none',
    'N D',
    '21:55 / 06:00 08:58x< 18:00',
    '21:55-06:00 480/480; 08:58 set aside / ?-18:00 0/480 missing in',
  ],
];

const dayOff: readonly Row[] = [
  [
    'as it is: work from a rest day into the next is paired on each date by itself',
    'week D',
    '20:00 / 02:00',
    'rest; missing out; 20:00 in rest day / rest; missing out; 02:00 in rest day',
    { on: '2026-11-21' },
  ],
  [
    'work on a rest day over midnight is one span once its end is moved to the first date',
    'week D',
    '20:00 / 02:00<',
    'rest R360; 20:00 in rest day; 02:00 out rest day / rest',
    { on: '2026-11-21' },
  ],
  [
    'the end of a night on a day off does not count as work of that day off',
    '',
    '21:55 / 10:30<',
    '21:55-10:30 480/480 O270 / rest',
    nightThenOff,
  ],
  [
    'a free shift takes what was moved to its date',
    'F F',
    '16:00 / 00:30< 10:00 18:00',
    '16:00-00:30 480/480 O30 / 10:00-18:00 480/480',
  ],
  [
    'before somebody joined it counts for nothing',
    'D D',
    '/ 08:55< 09:00 18:00',
    'not employed; 08:55 before joining / 09:00-18:00 480/480',
    { employment: { from: '2026-11-17', to: null } },
  ],
  [
    'on a date of leave it is shown there, and counts for nothing',
    'D D',
    '/ 08:55< 09:00 18:00',
    '0/0 leave 480; on leave; 08:55 on leave / 09:00-18:00 480/480',
    { leave: { from: '2026-11-16T00:00', to: '2026-11-17T00:00' } },
  ],
];

const chained: readonly Row[] = [
  [
    'as it is: one check-in is the end of the first shift and the start of the second',
    'C',
    '07:55 16:01 24:03',
    '07:55-16:01 480/480 one punch for both + 16:01-00:03 479/480 one punch for both',
  ],
  [
    'moved to its own date it stays both',
    'C',
    '07:55 16:01= 24:03',
    '07:55-16:01 480/480 one punch for both + 16:01-00:03 479/480 one punch for both',
  ],
  [
    'between shifts of two dates it is only that of its date',
    'Y Z',
    '15:55 / 00:10< 08:05',
    '15:55-00:10 480/480 / ?-08:05 0/480 missing in',
  ],
  [
    'between shifts of two dates the other one keeps its own',
    'Y Z',
    '15:55 / 00:10< 00:12 08:05',
    '15:55-00:10 480/480 / 00:12-08:05 468/480 L12',
  ],
  [
    'what was moved to the later shift is its start, and not the end of the earlier',
    'Y Z',
    '15:55 23:50> / 08:05',
    '15:55-? 0/480 missing out / 23:50-08:05 480/480',
  ],
];

const asked: readonly Row[] = [
  [
    'while it waits for approval nothing has moved, and both dates say so',
    'N D',
    '21:55 / 08:58 18:00',
    '21:55-? 0/480 missing out; correction asked / 08:58-18:00 480/480; correction asked',
    { asked: '/ 08:58<' },
  ],
];

const all = [lateNight, handOver, dayOff, chained, asked]
  .flat()
  .map(([what, plan, punches, expected, more = {}]) => ({ what, plan, punches, expected, more }));

test.each(all)('$what', ({ plan, punches, expected, more }) => {
  expect(shown(dayResults(plan, punches, expected.split(' / ').length, more))).toBe(expected);
});
