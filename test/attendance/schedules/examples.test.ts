import { expect, test } from 'vitest';
import { type Case, dayResults, shown } from './example-site.ts';

/**
 * The 69 examples of the research (issue 18) that docs/decisions/schedules.md is held to. The short
 * form is that of example-site.ts: `start-end worked/planned`, L late, Y early, O, R, H overtime of
 * workday, rest day and holiday; `+` between segments, `/` between dates.
 *
 * D 09:00-18:00 with a break from 12 to 13 · N 22:00-06:00 · S 08:00-12:00 and 14:00-18:00 ·
 * C 08:00-16:00 and 16:00-24:00 · X D, flexible by 60 · K 18:00-07:00 · E 14:00-20:00 · P D in pairs ·
 * R D with "late off, late on" · G 02:30-10:30 · F free, 480 minutes. Grace 5 and 5.
 */

type Row = readonly [no: number, plan: string, punches: string, expected: string, more?: Case];

const hours: readonly Row[] = [
  [1, 'D', '08:52 18:03', '08:52-18:03 480/480'],
  [2, 'D', '09:05:59 18:00', '09:05-18:00 475/480'],
  [3, 'D', '09:06 18:00', '09:06-18:00 474/480 L6'],
  [4, 'D', '08:50 17:40', '08:50-17:40 460/480 Y20'],
  [5, 'D', '08:50 17:55', '08:50-17:55 475/480'],
  [6, 'D', '08:50 19:40', '08:50-19:40 480/480 O90'],
  [7, 'D', '08:50 18:29', '08:50-18:29 480/480'],
  [8, 'D', '08:58', '08:58-? 0/480 missing out'],
  [9, 'D', '18:05', '?-18:05 0/480 missing in'],
  [10, 'D', '', '0/480 absent'],
];

const silence = { silentSince: '2026-11-16T08:00' };
const unknown: readonly Row[] = [
  [11, 'D', '', '0/480 not known yet T-03 silent since 08:00', { ...silence, now: '2026-11-17T09:00' }],
  [11, 'D', '', '0/480 absent devices silent', { ...silence, now: '2026-11-18T00:00' }],
  [11, 'D', '', '0/480 running', { ...silence, now: '2026-11-16T12:00' }],
];

const repeats: readonly Row[] = [
  [12, 'D', '08:59:30 09:00:10 18:00', '08:59-18:00 480/480; 09:00:10 repeat'],
  [13, 'D', '08:50 17:54:40 17:55:20', '08:50-17:55 475/480; 17:54:40 repeat'],
  [14, 'D', '08:40 08:55', '08:40-? 0/480 missing out; 08:55 between'],
  [15, 'D', '09:01 09:20', '09:01-09:20 19/480 Y520 very short'],
  [16, 'D', '08:55 12:02 12:58 18:01', '08:55-18:01 480/480; 12:02 between; 12:58 between'],
  [17, 'P', '08:55 12:02 13:20 18:01', '08:55-18:01 460/480 back from break late 20; 12:02 out; 13:20 in'],
  [18, 'D', '08:55 12:30', '08:55-12:30 180/480 Y330'],
  [19, 'D', '12:40 18:00', '12:40-18:00 300/480 L220'],
  [20, 'D', '13:29', '13:29-? 0/480 L269 missing out'],
  [20, 'D', '13:30', '13:30-? 0/480 L270 missing out'],
  [20, 'D', '13:31', '?-13:31 0/480 Y269 missing in'],
];

const windows: readonly Row[] = [
  [
    21,
    'D D',
    '08:55 / 00:20 08:58 18:00',
    '08:55-? 0/480 missing out; 00:20 20 min after window / 08:58-18:00 480/480',
  ],
  [22, 'D', '05:50 18:00', '?-18:00 0/480 missing in; 05:50 10 min before window'],
];

const nights: readonly Row[] = [
  [23, 'N', '21:50 / 06:04', '21:50-06:04 480/480'],
  [24, 'N N', '21:51 / 05:49 21:50 / 06:10', '21:51-05:49 469/480 Y11 / 21:50-06:10 480/480'],
  [25, 'N N', '/ 06:02 21:55 / 06:00', '?-06:02 0/480 missing in / 21:55-06:00 480/480'],
  [26, 'N N', '21:55 / 21:58 / 06:00', '21:55-? 0/480 missing out / 21:58-06:00 480/480'],
  [27, 'N', '/ 00:15 06:00', '00:15-06:00 345/480 L135'],
  [28, 'K E', '18:30 / 07:10 13:55 20:00', '18:30-07:10 750/780 L30 / 13:55-20:00 360/360'],
  [29, 'N D', '21:55 / 06:01 08:58 18:00', '21:55-06:01 480/480 / 08:58-18:00 480/480'],
  [30, 'N D', '21:55 / 07:20 18:00', '21:55-07:20 480/480 O60 / ?-18:00 0/480 missing in'],
  [31, 'N D', '21:55 / 08:58 18:00', '21:55-? 0/480 missing out / 08:58-18:00 480/480'],
];

const both = 'one punch for both';
const parts: readonly Row[] = [
  [32, 'S', '07:55 12:01 13:52 18:02', '07:55-12:01 240/240 + 13:52-18:02 240/240'],
  [33, 'S', '07:55 12:40 18:02', '07:55-12:40 240/240 + ?-18:02 0/240 missing in'],
  [34, 'S', '07:55 13:20 18:02', '07:55-? 0/240 missing out + 13:20-18:02 240/240'],
  [35, 'S', '07:55 18:02', '07:55-? 0/240 missing out + ?-18:02 0/240 missing in'],
  [36, 'C', '07:55 16:01 24:03', `07:55-16:01 480/480 ${both} + 16:01-00:03 479/480 ${both}`],
  [37, 'C', '07:55 15:58 16:03 24:03', '07:55-15:58 478/480 + 16:03-00:03 477/480'],
  [38, 'C', '07:55 24:03', '07:55-? 0/480 missing out + ?-00:03 0/480 missing in'],
];

const flexible: readonly Row[] = [
  [39, 'X', '09:40 18:40', '09:40-18:40 480/480'],
  [40, 'X', '09:40 18:20', '09:40-18:20 460/480 Y20'],
  [41, 'X', '10:20 19:00', '10:20-19:00 460/480 L20'],
  [42, 'X', '08:10 17:12', '08:10-17:12 480/480'],
  [43, 'R R', '08:50 19:10 / 09:28 18:00', '08:50-19:10 480/480 O60 / 09:28-18:00 450/450 late on 30'],
];

const morning = { leave: { from: '2026-11-16T09:00', to: '2026-11-16T12:00' } };
const wholeDay = { leave: { from: '2026-11-16T00:00', to: '2026-11-17T00:00' } };
const leave: readonly Row[] = [
  [44, 'D', '12:55 18:00', '12:55-18:00 300/300 leave 180', morning],
  [45, 'D', '09:30 11:00', '0/0 leave 480; on leave; 09:30 on leave; 11:00 on leave', wholeDay],
];

const nationalDay = { on: '2026-10-01', calendar: { '2026-10-01': 'legal_holiday' } } as const;
const plannedHoliday = {
  ...nationalDay,
  overrides: [{ date: '2026-10-01', what: { kind: 'shift', code: 'D' } }],
} as const;
const eve = { on: '2026-09-30', calendar: { '2026-10-01': 'legal_holiday' } } as const;
const makeup = { on: '2026-10-10', overrides: [{ date: '2026-10-10', what: { kind: 'makeup', weekday: 3 } }] } as const;
const daysOff: readonly Row[] = [
  [46, 'week D', '09:00 13:00', 'rest R240; 09:00 in rest day; 13:00 out rest day', { on: '2026-11-21' }],
  [
    46,
    'week D',
    '08:00 08:01:05 16:00',
    'rest R480; several punches; 08:00 in rest day; 08:01:05 between rest day; 16:00 out rest day',
    { on: '2026-11-21' },
  ],
  [
    46,
    'week D',
    '08:00 08:00:40 16:00 16:00:30',
    'rest R480; 08:00 in rest day; 08:00:40 repeat rest day; 16:00 repeat rest day; 16:00:30 out rest day',
    { on: '2026-11-21' },
  ],
  [
    46,
    'week D',
    '08:00 12:00 13:00 17:00',
    'rest R540; several punches; 08:00 in rest day; 12:00 between rest day; 13:00 between rest day; 17:00 out rest day',
    { on: '2026-11-21' },
  ],
  [47, 'week D', '08:55 18:00', '08:55-18:00 480/480', makeup],
  [48, 'week D', '09:00 18:00', 'legal holiday H540; 09:00 in holiday; 18:00 out holiday', nationalDay],
  [49, 'week D', '08:55 18:00', '08:55-18:00 0/0 H480', plannedHoliday],
  [49, 'week D', '', '0/0 not worked', plannedHoliday],
  [50, 'N', '21:55 / 06:00', '21:55-06:00 480/480', eve],
  [50, 'N', '21:55 / 06:00', '21:55-06:00 120/120 H360', { ...eve, rules: { nightOvertime: 'calendar_day' } }],
];

const daysThenNights = {
  on: '2026-11-15',
  roster: [
    { cycle: ['D'], to: '2026-11-15' },
    { cycle: ['N'], from: '2026-11-16' },
  ],
};
/** What the preview, the closed month and its snapshot make of it is not part of this function. */
const recordedLater = {
  on: '2026-11-10',
  roster: [{ cycle: ['D'] }, { cycle: ['N'], from: '2026-11-10', recordedAt: 20 }],
};
const changes: readonly Row[] = [
  [51, '', '08:55 18:00 / 21:55 / 06:00', '08:55-18:00 480/480 / 21:55-06:00 480/480', daysThenNights],
  [52, '', '08:55 18:00', '08:55-18:00 480/480', { on: '2026-11-10', roster: [{ cycle: ['D'] }] }],
  [52, '', '08:55 18:00', '0/480 absent; 08:55 665 min before window; 18:00 120 min before window', recordedLater],
  [
    53,
    'D D',
    '08:55 / 08:55 18:00',
    'not employed; 08:55 before joining / 08:55-18:00 480/480',
    { employment: { from: '2026-11-17', to: null } },
  ],
  [
    54,
    'N N N',
    '21:55 / 06:00 / 08:00',
    '21:55-06:00 480/480 / not employed / not employed; 08:00 after leaving',
    { on: '2026-11-20', employment: { from: null, to: '2026-11-20' } },
  ],
  [
    54,
    'D D D',
    '08:55 18:00 / 08:55 / 08:55 18:00',
    '08:55-18:00 480/480 / not employed; 08:55 after leaving / 08:55-18:00 480/480',
    { employment: { from: '2026-11-18', to: null, earlier: [{ from: null, to: '2026-11-16' }] } },
  ],
  // The month that was closed meanwhile keeps what it had: not part of this function.
  [55, 'D', '08:55', '08:55-? 0/480 missing out', { on: '2026-11-30', now: '2026-12-03T09:00' }],
  [55, 'D', '08:55 18:04', '08:55-18:04 480/480', { on: '2026-11-30', now: '2026-12-05T09:00' }],
];

const slow = { clock: { lowMs: -91_000, highMs: -89_000 } };
const records: readonly Row[] = [
  // One record that comes twice is one row of the store (test/store/tables.test.ts); two are one event.
  [56, 'D', '08:52 08:52 18:00', '08:52-18:00 480/480; 08:52 repeat'],
  [57, 'D', '08:58:10 08:58:50 18:00', '08:58-18:00 480/480; 08:58:50 repeat'],
  [58, 'D', '18:00', '?-18:00 0/480 missing in'],
  [58, 'D', '08:52 18:00', '08:52-18:00 480/480'],
  [59, 'D', '09:04:40 18:00', '09:04-18:00 476/480 clock wrong', slow],
  [59, 'D', '09:04:40 18:00', '09:06-18:01 474/480 L6 clock wrong', { ...slow, rules: { clock: 'corrected' } }],
  [60, 'D', '08:58 18:00+', '08:58-18:00 480/480; 18:00 added'],
  [61, 'D', '09:40x 09:58 18:00', '09:58-18:00 422/480 L58; 09:40 set aside'],
  [62, 'D', '08:58', '08:58-? 0/480 missing out; correction asked', { asked: '18:00' }],
];

const berlin = { zone: 'Europe/Berlin' };
const zones: readonly Row[] = [
  [63, 'N', '21:55 / 06:00', '21:55-06:00 540/540', { ...berlin, on: '2026-10-24' }],
  [64, 'N', '21:55 / 06:00', '21:55-06:00 420/420', { ...berlin, on: '2026-03-28' }],
  [
    65,
    'N',
    "21:55 / 02:30 02:30' 06:00",
    '21:55-06:00 540/540; 02:30 between; 02:30 (2nd) between',
    { ...berlin, on: '2026-10-24' },
  ],
  [66, 'G', '03:28 10:30', '03:28-10:30 420/420', { ...berlin, on: '2026-03-29' }],
  [67, 'N', '21:55 / 06:00', '21:55-06:00 540/540', { zone: 'America/New_York', on: '2026-10-31' }],
  [68, 'F', '10:00 13:00 14:00 19:30', '10:00-19:30 480/480 O30; 13:00 out; 14:00 in'],
  // Refusing it for closed months, and the preview, are not part of this function.
  [69, 'D', '08:55 18:00', '09:55-19:00 425/480 L55 O60', { zone: 'Asia/Tokyo', punchedIn: 'Asia/Shanghai' }],
];

const all = [hours, unknown, repeats, windows, nights, parts, flexible, leave, daysOff, changes, records, zones]
  .flat()
  .map(([no, plan, punches, expected, more = {}]) => ({ no, plan, punches, expected, more }));

test.each(all)('$no: $plan with $punches is $expected', ({ plan, punches, expected, more }) => {
  expect(shown(dayResults(plan, punches, expected.split(' / ').length, more), more.zone)).toBe(expected);
});

test('the table has all 69 of them', () => {
  expect([...new Set(all.map(({ no }) => no))]).toEqual(Array.from({ length: 69 }, (_, index) => index + 1));
});
