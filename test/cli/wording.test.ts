import { describe, expect, test } from 'vitest';
import type { BoxStatus, MirrorReport, WearReport } from '../../src/admin/index.ts';
import { parseMoment } from '../../src/cli/moment.ts';
import { deviceInWords, statusInWords } from '../../src/cli/status.ts';
import { openLog, styleFor } from '../../src/cli/system-log.ts';
import { ago, bytes, moment, number, span } from '../../src/cli/wording.ts';

const now = Date.UTC(2026, 10, 21, 2, 0, 0);
const aWear = (more: Partial<WearReport> = {}): WearReport => ({
  since: now - 48 * 3600_000,
  records: 4680,
  payload_bytes: 926_640,
  written_bytes: 3_800_160,
  bytes_per_record: 812,
  amplification: 4.1,
  syncs: 51_840,
  syncs_per_second: 0.304,
  bytes_per_day: 1_900_000,
  endurance_tb: 30,
  life_days: 15_789_473,
  ...more,
});
const aStatus = (more: Partial<BoxStatus> = {}): BoxStatus => ({
  running: true,
  version: '1.2.3',
  timezone: 'Asia/Shanghai',
  standing: [],
  line: { state: 'up', since: now - 3 * 3600_000, why: '', next_try_at: null },
  outbox: { waiting: 0, oldest_at: null, parked: 0, per_second: 0, catch_up_s: 0 },
  mirror: null,
  devices: {
    ...{ known: 38, online: 36, refused: 1, held_back: 0, people_data_waits: 0, unreadable: [] },
    states: { online: 36, held_back: 0, refused: 0, elsewhere: 0, silent: 2, never: 0, blocked: 0 },
  },
  disk: {
    used_bytes: 412_000_000,
    free_bytes: 24_000_000_000,
    size_bytes: 32_000_000_000,
    room_bytes: 24_100_000_000,
    bytes_per_day: 12_000_000,
    days_left: 2000,
    inodes: { size: 2_000_000, free: 1_900_000, is_low: false },
    is_low: false,
    state: 'ok',
    why: '',
    flush_ms: null,
    dropped: {},
    unreadable: null,
    unwritable: false,
  },
  tables: { behind_records: 0, behind_ms: 0, held_back: false },
  wear: aWear(),
  database: [],
  warnings: [],
  statement: null,
  backup: { last_at: null, verified_at: null, restore_tried_at: null, next_at: null, failures: [] },
  refusals: [],
  ...more,
});

const aMirror = (more: Partial<MirrorReport> = {}): MirrorReport => ({
  state: 'up',
  why: '',
  mirrored_at: now - 120_000,
  next_try_at: null,
  hidden: 0,
  held: 0,
  incomplete: '',
  incomplete_said: null,
  checkins_at: now - 40_000,
  access_at: now - 40_000,
  features_at: now - 3 * 3600_000,
  records_why: '',
  records_said: null,
  ...more,
});

describe('status in words', () => {
  test.each([
    [{}, 'the box follows it, people 2 min ago, check-ins 40 s ago, access records 40 s ago, features 3 h ago'],
    [
      { state: 'down', why: 'connect ECONNREFUSED', checkins_at: now - 5 * 3600_000, access_at: null },
      'does not answer: connect ECONNREFUSED, people 2 min ago, check-ins 5 h ago, no access records yet, features 3 h ago',
    ],
    [
      { hidden: 2, state: 'down', why: 'half', incomplete: 'half' },
      'half, people 2 min ago, check-ins 40 s ago, access records 40 s ago, features 3 h ago; 2 missing there, deleted here after 24 hours of it: the page Sync lists them',
    ],
    [
      { held: 26, records_why: 'the cloud answers 107: none here' },
      'the box follows it, people 2 min ago, check-ins 40 s ago, access records 40 s ago, features 3 h ago; records: the cloud answers 107: none here; 26 missing there at once, kept here until staff deletes them on the page Sync: check the cloud',
    ],
  ] as const)('how old the copy of the cloud is (%j)', (more, words) => {
    expect(/^copy +(.*)$/m.exec(statusInWords(aStatus({ mirror: aMirror(more) }), now))![1]).toBe(words);
  });

  test('all is well', () => {
    const [box, todo, line, ...rest] = statusInWords(aStatus(), now).split('\n');
    expect(box).toBe('box      running, version 1.2.3');
    expect(todo).toBe('todo     nothing: all is well');
    expect(line).toMatch(/^line {5}up for 3 h \(since \d{4}-/);
    expect(rest).toEqual([
      'waiting  nothing: the cloud has everything',
      'devices  38 known, 36 online, 1 refused',
      'disk     412 MB used, 24 GB free, full in 2,000 days',
      'backup   none was made; no schedule',
      expect.stringMatching(
        /^card {5}1\.9 MB a day, 812 bytes a record \(x 4\.1\), 0\.3 syncs a second \(since \d{4}-.*\): more than 100 years at 30 TB$/,
      ),
      'times    those of the site: Asia/Shanghai',
      '',
    ]);
  });

  test('what wants a person comes first, with what to do', () => {
    const details = { state: 'disk_full', percent: 100 };
    const entry = { kind: 'disk', severity: 'critical', count: 1, subject: '', since: null, details } as const;
    const words = { title: '', todo: '', path: '/system' };
    expect(statusInWords(aStatus({ standing: [{ ...entry, ...words }] }), now).split('\n')[1]).toBe(
      'todo     Disk full: new records are rejected. Free up space on the page System, or install a larger disk.',
    );
  });

  test('what should not stay as it is stands in a line of its own', () => {
    expect(statusInWords(aStatus({ warnings: [{ reason: 'old suites: off with them' }] }), now)).toMatch(
      /^look {5}old suites: off with them$/m,
    );
  });

  const cardOf = (more: Partial<WearReport>): string =>
    /^card +(.*)$/m.exec(statusInWords(aStatus({ wear: aWear(more) }), now))![1]!;

  test('a card that is written much: how long it lasts, in years or in days', () => {
    expect(cardOf({ bytes_per_day: 2_000_000_000, life_days: 15_000 })).toMatch(
      /^2\.0 GB a day, .*: about 41 years at 30 TB$/,
    );
    expect(cardOf({ bytes_per_day: 1e12, life_days: 30 })).toMatch(/: about 30 days at 30 TB$/);
  });

  test('in the first hour, without records, and where the system does not tell: what is known', () => {
    expect(cardOf({ bytes_per_day: null, life_days: null })).toMatch(
      /^3\.8 MB written, 0\.3 syncs a second \(since .*\); how long a card lasts is known after an hour$/,
    );
    expect(cardOf({ records: 0, bytes_per_record: null, amplification: null })).toMatch(/, no records yet, /);
    expect(cardOf({ written_bytes: null, bytes_per_record: null, amplification: null, bytes_per_day: null })).toMatch(
      /^0\.3 syncs a second; the system does not tell how much is written \(since .*\)$/,
    );
  });

  test('a lag of the tables is shown only when it is more than a moment, as is that devices are held back', () => {
    const tables = { behind_records: 12_345, behind_ms: 1900, held_back: false };
    expect(statusInWords(aStatus({ tables }), now)).not.toMatch(/^tables/m);
    expect(statusInWords(aStatus({ tables: { ...tables, behind_ms: 12_000 } }), now)).toMatch(
      /^tables {3}12,345 records behind the journal, for 12 s$/m,
    );
    expect(statusInWords(aStatus({ tables: { ...tables, behind_ms: 60_000, held_back: true } }), now)).toMatch(
      /for 1 min; DEVICES ARE HELD BACK until they come nearer$/m,
    );
    const stopped = aStatus({ running: false, wear: null, tables: { ...tables, behind_ms: 0 } });
    expect(statusInWords(stopped, now)).toMatch(
      /^tables {3}12,345 records behind the journal: they are filled when the box starts$/m,
    );
  });

  test('the line is cut: since when, why, how many wait, how old the oldest is, the next try', () => {
    const words = statusInWords(
      aStatus({
        line: { state: 'down', since: now - 12 * 60_000, why: 'nobody listens there', next_try_at: now + 3000 },
        outbox: { waiting: 4211, oldest_at: now - 11 * 60_000, parked: 2, per_second: 5, catch_up_s: 800 },
      }),
      now,
    );
    expect(words).toMatch(/^line +down for 12 min \(since .*\): nobody listens there; next try in 3 s$/m);
    expect(words).toMatch(/^waiting +4,211 records, the oldest since .* \(11 min ago\)$/m);
    expect(words).toMatch(/^parked +2 records refused by the cloud: see gatehouse parked list$/m);
  });

  test('it catches up: how fast, and when it is done', () => {
    const outbox = { waiting: 50_000, oldest_at: now - 60_000, parked: 0, per_second: 980.4, catch_up_s: 51 };
    expect(statusInWords(aStatus({ outbox }), now)).toMatch(/; 980 a second, done in about 51 s$/m);
  });

  test.each([
    [{ bytes_per_day: null, days_left: null }, /free, when it is full is known after a day$/m],
    [{ bytes_per_day: -5, days_left: null }, /free, not growing$/m],
    [{ days_left: 1, is_low: true }, /free, full in 1 day; LOW: free up space/],
    [{ days_left: 0, is_low: true }, /free, full within a day; LOW: /],
    [
      { inodes: { size: 1000, free: 12, is_low: true }, is_low: true },
      /; LOW: 12 of 1,000 inodes are free: the disk can hold few more files\. Remove files/,
    ],
    [{ days_left: 9000 }, /full in more than 10 years$/m],
  ])('the disk %j: %s', (change, said) => {
    expect(statusInWords(aStatus({ disk: { ...aStatus().disk, ...change } }), now)).toMatch(said);
  });

  test('a full disk is in capitals, and what was dropped is counted', () => {
    const disk = {
      ...aStatus().disk,
      used_bytes: 9,
      bytes_per_day: null,
      days_left: null,
      free_bytes: 0,
      state: 'disk_full',
      why: 'free some space',
      dropped: { logs: 7, segments: 0 },
    };
    expect(statusInWords(aStatus({ disk }), now)).toMatch(
      /^disk +9 bytes used, 0 bytes free, when it is full is known after a day; dropped for want of room: 7 logs; NOTHING IS ACKNOWLEDGED: free some space$/m,
    );
  });

  test('what cannot be read from the disk is said, with the time that it is of', () => {
    const unreadable = {
      ...{ segments: 2, records: 13, from: now - 3600_000, to: now - 60_000, log_blocks: 1, tables: '' },
    };
    const said = statusInWords(aStatus({ disk: { ...aStatus().disk, unreadable } }), now);
    expect(said).toMatch(
      /^disk +CANNOT BE READ: 13 records of the journal \(2 places, received .+ to .+\); 1 block of logs\. The rest works\. Make a backup now/m,
    );
    const tables = { ...unreadable, segments: 0, records: 0, log_blocks: 0, tables: 'disk I/O error' };
    expect(statusInWords(aStatus({ disk: { ...aStatus().disk, unreadable: tables } }), now)).toMatch(
      /CANNOT BE READ: tables, so that what comes in is kept in the journal and not shown \(disk I\/O error\)\./,
    );
  });

  test('a device that nobody knows', () => {
    const report = { device_id: 'A_1', known: false, refusals: [] } as never;
    expect(deviceInWords(report, now, 'Asia/Shanghai')).toBe(
      'A_1: never seen here: no login of it was accepted or refused\n',
    );
  });
});

test.each([
  [0, '0 s'],
  [59_000, '59 s'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h'],
  [90 * 60_000, '1 h 30 min'],
  [50 * 3_600_000, '2 d 2 h'],
])('%d ms is %s', (ms, text) => expect(span(ms)).toBe(text));

test('moments and sizes', () => {
  expect([ago(now - 5000, now), ago(now - 10, now), ago(now + 4000, now)]).toEqual(['5 s ago', 'just now', 'in 4 s']);
  expect([bytes(12), bytes(1234), bytes(84_600_000_000)]).toEqual(['12 bytes', '1.2 kB', '85 GB']);
  expect(moment(now, 'Asia/Shanghai')).toBe('2026-11-21 10:00:00 +08:00');
  expect(moment(now, 'Europe/London')).toBe('2026-11-21 02:00:00 UTC');
  expect(moment(Date.UTC(2026, 9, 25, 1, 30), 'Europe/Berlin')).toBe('2026-10-25 02:30:00 +01:00');
});

test.each([
  ['2h', now - 7_200_000],
  ['2026-11-20T08:00Z', Date.UTC(2026, 10, 20, 8)],
  ['2026-11-20T08:00+01:00', Date.UTC(2026, 10, 20, 7)],
  ['2026-11-20', Date.UTC(2026, 10, 19, 16)],
  ['2026-11-20 08:00', Date.UTC(2026, 10, 20)],
  ['1763600000', 1_763_600_000_000],
  ['1763600000123', 1_763_600_000_123],
])('%s is a moment, by the clock of the site where it has no zone', (written, at) =>
  expect(parseMoment(written, 'from', now)('Asia/Shanghai')).toBe(at),
);

test.each([
  '2026-02-30',
  '2026-11-20T25:00',
  '2026-11-20T08:00+99',
  '2026-11-20T08:00-05',
  '2026-11-20T08:00[Asia/Tokyo]',
  'yesterday',
])('%s is no moment', written => expect(() => parseMoment(written, 'from', now)).toThrow(/write a moment such as/));

describe('the system log', () => {
  const written = (style: 'human' | 'json' | 'journald') => {
    const lines: string[] = [];
    const log = openLog(style, 'info', 'Asia/Shanghai', line => lines.push(line)).child({ part: 'line' });
    log.debug({}, 'no_hotspot_to_close');
    log.warn({ device: 'A_1', tries: 3 }, 'device_refused', { why: 'too old', why_code: '' });
    return lines;
  };

  test('is read by people on a terminal, by journald under systemd, as JSON lines elsewhere', () => {
    expect(written('human')).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d warn: line: refused: too old \(device=A_1 tries=3\)\n$/),
    ]);
    expect(written('journald')).toEqual(['<4>line: refused: too old (device=A_1 tries=3)\n']);
    expect(written('json').map(line => JSON.parse(line))).toEqual([
      {
        level: 'warn',
        time: expect.stringMatching(/Z$/),
        part: 'line',
        device: 'A_1',
        tries: 3,
        code: 'device_refused',
        msg: 'refused: too old',
      },
    ]);
    expect(styleFor({ JOURNAL_STREAM: '8:1' }, false)).toBe('journald');
    expect([styleFor({}, true), styleFor({}, false)]).toEqual(['human', 'json']);
  });
});

test.each([0, 7, 999, 1000, -1000, 12_345, -123, 123_456, 1_234_567_890, 1.5, 1234.56789, 0.0004])(
  'the number %d is grouped as in English',
  value => {
    expect(number(value)).toBe(value.toLocaleString('en-US'));
  },
);
