import { describe, expect, test } from 'vitest';
import { announce } from '../../src/alerts/announce.ts';
import { engineOf, step } from '../../src/alerts/engine.ts';
import { parseQuietHours, quietAt } from '../../src/alerts/quiet-hours.ts';
import { type AlertSettings, rulesOf } from '../../src/alerts/settings.ts';
import { alertTitle } from '../../src/platform/alert-words.ts';
import type { Alert } from '../../src/platform/alerts.ts';
import { type Facts, judge } from '../../src/standing/index.ts';
import { noWhy } from '../../src/words/sentences.ts';
import { wellFacts } from '../support/facts.ts';

const minute = 60_000;
/** 08:00 in Shanghai. */
const start = Date.UTC(2026, 10, 23, 0, 0);

const well: Facts = { ...wellFacts, line: { ...wellFacts.line!, since: start } };
const away = { ...well.line!, isUp: false, why: 'no route' };
const disk = (usedPercent: number, more: Partial<NonNullable<Facts['disk']>> = {}) => ({
  disk: { ...well.disk!, usedPercent, ...more },
});
const silent = (...ids: string[]) => ({ silent: ids.map(deviceId => ({ deviceId, name: '', since: null })) });

type Scene = readonly [minutes: number, facts: Partial<Facts>];

/** Plays facts minute by minute, and writes down what is announced as `minute: type kind subjects`. */
function play(scenes: readonly Scene[], end: number, settings: AlertSettings = {}, mutedUntil = 0) {
  const rules = rulesOf(settings);
  const said: string[] = [];
  let count = 0;
  let state = engineOf([]);
  let lastAt: ReadonlyMap<string, number> = new Map();
  let facts = well;
  let history: Alert[] = [];
  for (let at = 0; at <= end; at++) {
    for (const [when, change] of scenes) if (when === at) facts = { ...facts, ...change };
    const moment = { now: start + at * minute, monotonic: at * minute };
    state = step(state, judge(facts, rules), rules, moment, () => `a${++count}`);
    const { isQuiet, endedAt } = quietAt(parseQuietHours(settings.quiet_hours ?? ''), moment.now, 'Asia/Shanghai');
    const silence = { isQuiet, quietEndedAt: endedAt, mutedUntil };
    const out = announce(state.alerts, silence, { waitMs: minute, lastAt }, moment);
    lastAt = out.lastAt;
    history = [...history, ...out.alerts.filter(({ isDone }) => isDone)];
    state = { ...state, alerts: out.alerts.filter(({ isDone }) => !isDone) };
    for (const { type, alerts } of out.drafts)
      said.push(`${at}: ${type} ${[...new Set(alerts.map(one => one.kind))].join('+')} ${alerts.length}`);
  }
  return { said, open: state.alerts, history };
}

describe('when an alert opens and ends', () => {
  const cases: readonly (readonly [string, readonly Scene[], number, readonly string[]])[] = [
    ['nothing is wrong', [], 60, []],
    ['a disk at 86 % opens, and waits a minute for others', [[5, disk(86)]], 20, ['6: opened disk 1']],
    [
      'between 80 and 85 % it stays open, under 80 it is over',
      [
        [5, disk(86)],
        [10, disk(82)],
        [20, disk(79)],
      ],
      40,
      ['6: opened disk 1', '21: over disk 1'],
    ],
    [
      'a disk that cannot be read in places does not wait for others',
      [[5, disk(40, { unreadableRecords: 12 })]],
      20,
      ['5: opened disk 1'],
    ],
    ['at 82 % it does not open', [[5, disk(82)]], 40, []],
    [
      'it gets worse: announced again, at once',
      [
        [5, disk(86)],
        [10, disk(92, { isLow: true })],
      ],
      40,
      ['6: opened disk 1', '10: opened disk 1'],
    ],
    [
      'a disk that takes nothing does not wait for others',
      [[5, disk(99, { state: 'disk_full' })]],
      20,
      ['5: opened disk 1'],
    ],
    [
      'a line that is away for 14 minutes is nothing',
      [
        [5, { line: away }],
        [19, { line: well.line }],
      ],
      60,
      [],
    ],
    [
      'a line that is away for 15 minutes is, and two minutes after it is back it is over',
      [
        [5, { line: away }],
        [50, { line: well.line }],
      ],
      90,
      ['21: opened line 1', '53: over line 1'],
    ],
    [
      'one that comes and goes is one alert',
      [
        [5, { line: away }],
        [30, { line: well.line }],
        [31, { line: away }],
        [60, { line: well.line }],
      ],
      90,
      ['21: opened line 1', '63: over line 1'],
    ],
    [
      'while the line is away, that records wait is no alert of its own',
      [[5, { line: { ...away, waiting: 500, oldestMinutes: 200 } }]],
      60,
      ['21: opened line 1'],
    ],
    [
      'records that wait although the line is up are',
      [[5, { line: { ...well.line!, waiting: 5, oldestMinutes: 31 } }]],
      60,
      ['11: opened backlog 1'],
    ],
    [
      'the line that refuses the box is critical',
      [[0, { line: { ...away, isRefused: true } }]],
      20,
      ['15: opened line 1'],
    ],
    [
      'devices that go together are one message, and one when they are back',
      [
        [5, silent('D1', 'D2', 'D3')],
        [40, silent()],
      ],
      60,
      ['21: opened silent 3', '43: over silent 3'],
    ],
    [
      'those that follow go together, a minute later at the earliest',
      [
        [5, silent('D1')],
        [6, silent('D1', 'D2', 'D3')],
      ],
      60,
      ['21: opened silent 3'],
    ],
    [
      'nine refused logins are none, ten are',
      [
        [5, { refusedLogins: 9 }],
        [10, { refusedLogins: 10 }],
      ],
      20,
      ['11: opened logins 1'],
    ],
    [
      'a backup of two weeks',
      [[5, { backup: { ageDays: 14, never: false, tooOldDays: null } }]],
      20,
      ['6: opened backup 1'],
    ],
    ['no time server for half an hour', [[5, { clockSynchronized: false }]], 60, ['36: opened box_clock 1']],
    [
      'a clock that is not known changes nothing',
      [
        [5, { clockSynchronized: false }],
        [40, { clockSynchronized: null }],
      ],
      90,
      ['36: opened box_clock 1'],
    ],
    [
      'the clock of a device',
      [[5, { deviceClocks: [{ deviceId: 'D1', name: '', seconds: -90 }] }]],
      20,
      ['6: opened device_clock 1'],
    ],
    [
      'a device that nobody can read, until a day has passed',
      [
        [5, { unreadable: [{ deviceId: 'D1', name: '', count: 1, since: 0, why: 'not UTF-8' }] }],
        [1445, { unreadable: [] }],
      ],
      1460,
      ['6: opened unreadable 1', '1446: over unreadable 1'],
    ],
    [
      'two devices with one id',
      [
        [5, { usedTwice: [{ deviceId: 'D1', name: '', addresses: ['10.0.0.7', '10.0.0.8'], since: 0 }] }],
        [20, { usedTwice: [] }],
      ],
      40,
      ['6: opened used_twice 1', '21: over used_twice 1'],
    ],
    [
      'a certificate of six days is critical, after half a day',
      [[0, { certificateDays: 6 }]],
      800,
      ['720: opened certificate 1'],
    ],
    ['an update on a stick', [[5, { update: 'gatehouse.raucb' }]], 20, ['6: opened update 1']],
    ['one refused record', [[5, { line: { ...well.line!, parked: 1 } }]], 20, ['6: opened refused_records 1']],
    [
      'people who are missing at the cloud, and half a list of it',
      [
        [5, { mirror: { hidden: 1, held: 0, incomplete: noWhy } }],
        [30, { mirror: { hidden: 0, held: 20, incomplete: noWhy } }],
        [60, { mirror: null }],
        [70, { mirror: { hidden: 0, held: 0, incomplete: { why: "the cloud's list of people is incomplete" } } }],
        [90, { mirror: well.mirror }],
      ],
      120,
      ['21: opened missing_at_cloud 1', '93: over missing_at_cloud 1'],
    ],
    [
      'a start of the machine is told once, and is never over',
      [
        [5, { rebooted: true }],
        [60, { rebooted: false }],
      ],
      90,
      ['6: opened rebooted 1'],
    ],
    [
      'a channel that fails three times',
      [
        [5, { channels: [{ name: 'mail', failures: 2, why: 'x' }] }],
        [9, { channels: [{ name: 'mail', failures: 3, why: 'x' }] }],
      ],
      20,
      ['10: opened channel 1'],
    ],
    ['a card that lasts half a year, after an hour', [[0, { wearDays: 180 }]], 90, ['61: opened wear 1']],
  ];
  test.each(cases)('%s', (_name, scenes, end, expected) => {
    expect(play(scenes, end).said).toEqual(expected);
  });
});

describe('settings', () => {
  test('a rule that is off says nothing, and ends what was open', () => {
    expect(play([[5, disk(99)]], 20, { rules: { disk: { severity: 'off' } } }).said).toEqual([]);
  });
  test("the site's threshold and minutes hold", () => {
    const rules = { silent: { minutes: 3 }, disk: { at: 50 } };
    expect(play([[5, { ...silent('D1'), ...disk(51) }]], 20, { rules }).said).toEqual([
      '6: opened disk 1',
      '9: opened silent 1',
    ]);
  });
  test('a disk that takes nothing is critical, whatever the threshold', () => {
    const rules = { disk: { at: 100 } };
    const { open } = play([[5, disk(60, { isLow: true })]], 20, { rules });
    expect(open).toMatchObject([{ kind: 'disk', severity: 'critical', announcedAs: 'critical' }]);
  });
  test('a disk with few inodes left is critical, and named as that in both languages', () => {
    const { open } = play([[5, disk(60, { isLow: true, fewInodes: 12 })]], 20);
    expect(open).toMatchObject([{ kind: 'disk', severity: 'critical' }]);
    expect(alertTitle(open[0]!, 'en')).toBe('Disk has room for 12 more files');
    expect(alertTitle(open[0]!, 'zh')).toBe('磁盘只能再存 12 个文件');
  });
});

describe('quiet hours and mute', () => {
  // From 08:00 on, minute 60 is 09:00.
  const quiet_hours = '09:00-10:00';
  test('what opens in them goes out as one digest at their end', () => {
    const scenes: Scene[] = [
      [70, disk(86)],
      [75, silent('D1', 'D2')],
    ];
    const { said, open } = play(scenes, 200, { quiet_hours });
    expect(said).toEqual(['120: digest disk+silent 3']);
    expect(open.every(one => one.announcedAt !== null)).toBe(true);
  });
  test('what opens and ends in them is in the digest too, and is done', () => {
    const { said, open, history } = play(
      [
        [70, disk(86)],
        [90, disk(40)],
      ],
      200,
      { quiet_hours },
    );
    expect(said).toEqual(['120: digest disk 1']);
    expect(open).toEqual([]);
    expect(history).toMatchObject([{ kind: 'disk', isDone: true }]);
  });
  test('what was announced before and ends in them is over in the digest', () => {
    expect(
      play(
        [
          [5, disk(86)],
          [90, disk(40)],
        ],
        200,
        { quiet_hours },
      ).said,
    ).toEqual(['6: opened disk 1', '120: digest disk 1']);
  });
  test('what is critical passes, and so does its end', () => {
    const scenes: Scene[] = [
      [70, disk(99, { state: 'disk_full' })],
      [90, disk(40)],
    ];
    expect(play(scenes, 200, { quiet_hours }).said).toEqual(['70: opened disk 1', '90: over disk 1']);
  });
  test('over midnight', () => {
    const hours = parseQuietHours('22:00-06:30')!;
    const at = (text: string) => quietAt(hours, Date.parse(`2026-11-23T${text}:00+08:00`), 'Asia/Shanghai');
    expect(at('21:59').isQuiet).toBe(false);
    expect(at('22:00').isQuiet).toBe(true);
    expect(at('06:29').isQuiet).toBe(true);
    expect(at('06:30')).toEqual({ isQuiet: false, endedAt: Date.parse('2026-11-23T06:30:00+08:00') });
    expect(at('21:00').endedAt).toBe(Date.parse('2026-11-23T06:30:00+08:00'));
  });
  test.each(['', '22-06', '24:00-06:00', '22:00-22:00', '22:00-06:60'])('"%s" is no span of hours', text => {
    expect(parseQuietHours(text)).toBeNull();
  });
  test('muted: nothing is sent; what is open at the end is announced, what was over before is not', () => {
    const scenes: Scene[] = [
      [5, { ...disk(86), ...silent('D1') }],
      [40, silent()],
    ];
    const { said } = play(scenes, 120, {}, start + 60 * minute);
    expect(said).toEqual(['60: opened disk 1']);
  });
});

test('a clock that is set back by a year opens and ends nothing', () => {
  const rules = rulesOf({});
  const judged = judge({ ...well, line: away }, rules);
  let state = engineOf([]);
  const at = (minutes: number, now: number) => {
    state = step(state, judged, rules, { now, monotonic: minutes * minute }, () => 'a1');
  };
  at(0, start);
  at(14, start - 365 * 24 * 60 * minute);
  expect(state.alerts).toEqual([]);
  at(15, start - 365 * 24 * 60 * minute);
  expect(state.alerts).toHaveLength(1);
});

test('after a restart an open alert stays open and is not announced again', () => {
  const { open } = play([[5, { line: away }]], 30);
  const rules = rulesOf({});
  const moment = { now: start + 40 * minute, monotonic: 0 };
  const again = step(engineOf(open), judge({ ...well, line: away }, rules), rules, moment, () => 'a2');
  expect(again.alerts).toEqual(open);
  const silence = { isQuiet: false, quietEndedAt: null, mutedUntil: 0 };
  expect(announce(again.alerts, silence, { waitMs: minute, lastAt: new Map() }, moment).drafts).toEqual([]);
});
