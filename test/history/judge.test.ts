import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Entry, Line } from './entry.ts';
import { judgeAll } from './judge.ts';
import { type Fault, faults } from './plant.ts';

const device = 'T_1';
const message = { device, kind: 'message' };
const log = { device, kind: 'log' };

const written = (lines: readonly Line[]): Entry[] => lines.map((line, at) => ({ at, by: 'test', ...line }));
const rulesIn = (lines: readonly Line[]): string[] => [
  ...new Set(judgeAll(written(lines)).findings.map(({ rule }) => rule)),
];

const sent = (n: number, more: object = {}): Line => ({ op: 'send', ...message, n, mid: `m${n}`, ...more });
const acked = (n: number, more: object = {}): Line => ({ op: 'ack', ...message, n, ...more });
const row = (n: number, more: object = {}): Line => ({ op: 'row', store: 'box', ...message, n, ...more });
const sentLog = (n: number, more: object = {}): Line => ({ op: 'send', ...log, n, ...more });
const ackedLog = (n: number): Line => ({ op: 'ack', ...log, n });
const logRow = (n: number, more: object = {}): Line => ({ op: 'row', store: 'box', ...log, n, ...more });
const arrival = (n: number, more: object = {}): Line => ({ op: 'arrival', to: 'cloud', ...message, n, ...more });
const drained: Line = { op: 'drained', to: 'cloud' };

/** A reading of these rows. */
const reading = (rows: readonly Line[], more: object = {}, kind = 'message', store = 'box'): Line[] => [
  { op: 'read', store, kind, ...more },
  ...rows,
  { op: 'read_end', store, kind },
];
/** Three messages that were sent and acknowledged. */
const three = [1, 2, 3].flatMap(n => [sent(n), acked(n)]);

/** With everything that a history can have, and no fault. */
const whole: readonly Line[] = [
  { op: 'login', device, session: 1 },
  ...[1, 2, 3].flatMap(n => [sent(n, { session: 1, digest: `d${n}` }), acked(n, { session: 1 })]),
  { op: 'note', text: 'kill -9' },
  { op: 'login', device, session: 2 },
  ...[4, 5, 6].flatMap(n => [sent(n, { session: 2 }), acked(n, { session: 2 })]),
  ...[1, 2, 3].flatMap(n => [sentLog(n), ackedLog(n)]),
  ...[1, 2, 3, 2, 3, 4, 5, 6].map(n => arrival(n, { mid: `m${n}` })),
  ...[1, 2, 3].map((n): Line => ({ op: 'arrival', to: 'cloud', ...log, n })),
  drained,
  ...reading(
    [1, 2, 3, 4, 5, 6].map(n => row(n, { id: 10 * n, received: n })),
    {},
  ),
  ...reading(
    [1, 2, 3].map(n => logRow(n)),
    {},
    'log',
  ),
  ...reading(
    [1, 2, 3, 4, 5, 6].map(n => row(n, { store: 'above', received: n })),
    { as: 'box' },
    'message',
    'above',
  ),
  { op: 'page', program: 'payroll', from: 0, next_id: 30, ids: [10, 20, 30] },
  { op: 'page', program: 'payroll', from: 30, next_id: 60, ids: [40, 50, 60] },
  { op: 'level', program: 'payroll', store: 'box', kind: 'message' },
  ...[10, 20, 30, 40, 50, 60].map((id): Line => ({ op: 'event', program: 'wall', id })),
  { op: 'level', program: 'wall', store: 'box', kind: 'message' },
  { op: 'post', device, n: 1 },
  { op: 'post', device, n: 2 },
  { op: 'message', device, n: 1 },
  { op: 'message', device, n: 2 },
  { op: 'emptied' },
  { op: 'command', program: 'wall', n: 1 },
  { op: 'command', program: 'wall', n: 2 },
  { op: 'answer', program: 'wall', n: 2 },
  { op: 'answer', program: 'wall', n: 1 },
  { op: 'ended', program: 'wall' },
  { op: 'moment', name: 'noon' },
  sentLog(4),
  ackedLog(4),
  { op: 'restored', to: 'noon' },
  ...reading([1, 2, 3, 4, 5, 6].map(n => row(n))),
  ...reading(
    [1, 2, 3].map(n => logRow(n)),
    {},
    'log',
  ),
];

test('a history in which every rule was kept has no finding', () => {
  expect(judgeAll(written(whole)).findings).toEqual([]);
});

test.each(Object.keys(faults) as Fault[])('%s is found, by its name', fault => {
  const { rule, plant } = faults[fault];
  const planted = plant(written(whole));
  expect(judgeAll(planted!).findings.map(one => one.rule)).toContain(rule);
});

test('of two arrivals only the first ones change places, also where they come again behind a reading', () => {
  const read = reading([row(1), row(2), row(3)]);
  const history = [
    ...three,
    ...[1, 2, 3].map(n => arrival(n)),
    ...read,
    ...[1, 2, 3, 1, 2, 3].map(n => arrival(n)),
    drained,
  ];
  const planted = faults['two arrivals that changed places'].plant(written(history));
  expect(judgeAll(planted!).findings.map(one => one.rule)).toContain('out of order');
});

test.each<[string, readonly Line[], readonly string[]]>([
  ['an acknowledged record that no row has is lost', [...three, ...reading([row(1), row(3)])], ['lost']],
  [
    'one that was acknowledged behind the beginning of the reading may be missing',
    [...three, sent(4), ...reading([row(1), row(2), row(3)]).toSpliced(1, 0, acked(4))],
    [],
  ],
  [
    'a record that was sent and not acknowledged may be there or not',
    [...three, sent(4), ...reading([row(1), row(2), row(3), row(4)])],
    [],
  ],
  ['a record that nobody sent is unknown', [...three, ...reading([row(1), row(2), row(3), row(4)])], ['unknown']],
  [
    'a message is stored once, however often it was sent',
    [...three, sent(3), ...reading([row(1), row(2), row(3), row(3)])],
    ['duplicate'],
  ],
  [
    'rows stand in the order in which their records were sent',
    [...three, ...reading([row(2), row(1), row(3)])],
    ['out of order'],
  ],
  ['ids rise', [...three, ...reading([row(1, { id: 2 }), row(2, { id: 2 }), row(3, { id: 3 })])], ['out of order']],
  [
    'where a full disk may drop, the oldest may be missing',
    [...three, ...reading([row(3)], { may_lack: 'oldest' })],
    [],
  ],
  ['but none between', [...three, ...reading([row(1), row(3)], { may_lack: 'oldest' })], ['lost']],
  [
    'a reading of other devices says nothing of this one',
    [...three, ...reading([], { devices: ['T_2'] })],
    ['unjudged'],
  ],
  [
    'a reading without an end is no reading',
    [...three, ...reading([row(1), row(2), row(3)]).slice(0, -1)],
    ['malformed', 'unjudged'],
  ],
  [
    'the content is that which was sent',
    [sent(1, { digest: 'a' }), acked(1), ...reading([row(1, { digest: 'b' })])],
    ['changed'],
  ],
])('%s', (_name, lines, rules) => {
  expect(rulesIn(lines)).toEqual(rules);
});

const logs = (rows: readonly Line[]): Line[] => [
  ...[1, 2].flatMap(n => [sentLog(n, { session: 1 }), ackedLog(n)]),
  ...reading(rows, {}, 'log'),
];

test.each<[string, readonly Line[], readonly string[]]>([
  ['a log has no mid, so it may be stored again when it was sent again', logs([logRow(1), logRow(2), logRow(1)]), []],
  ['of a later session', logs([logRow(1, { session: 1 }), logRow(2, { session: 1 }), logRow(2, { session: 2 })]), []],
  [
    'a log that was sent once in a session is stored once for it',
    logs([logRow(1, { session: 1 }), logRow(1, { session: 1 }), logRow(2, { session: 1 })]),
    ['duplicate'],
  ],
  [
    'nothing of an older session is stored behind a newer one',
    logs([logRow(1, { session: 2 }), logRow(2, { session: 1 })]),
    ['out of order'],
  ],
])('%s', (_name, lines, rules) => {
  expect(rulesIn(lines)).toEqual(rules);
});

test.each<[string, readonly Line[], readonly string[]]>([
  ['a record may arrive again', [...three, ...[1, 2, 1, 2, 3].map(n => arrival(n)), drained], []],
  ['but each first comes in its order', [...three, ...[1, 3, 2].map(n => arrival(n)), drained], ['out of order']],
  [
    'with the mid that it was sent with',
    [...three, arrival(1, { mid: 'm2' }), arrival(2), arrival(3), drained],
    ['changed'],
  ],
  [
    'and with the same content each time',
    [...three, arrival(1, { digest: 'a' }), arrival(1, { digest: 'b' }), arrival(2), arrival(3), drained],
    ['changed'],
  ],
  [
    'and with the same bytes',
    [...three, arrival(1, { bytes: 'a' }), arrival(1, { bytes: 'b' }), arrival(2), arrival(3), drained],
    ['changed'],
  ],
  ['what was acknowledged before nothing waits has arrived', [...three, arrival(1), arrival(3), drained], ['lost']],
  ['or is parked', [...three, arrival(1), arrival(3), { op: 'parked', to: 'cloud', ...message, n: 2 }, drained], []],
  [
    'a parked record counts for no order',
    [...three, arrival(1), arrival(3), { op: 'parked', to: 'cloud', ...message, n: 2 }, arrival(2), drained],
    [],
  ],
])('upstream: %s', (_name, lines, rules) => {
  expect(rulesIn(lines)).toEqual(rules);
});

test.each<[string, readonly Line[], readonly string[]]>([
  ['what was acknowledged before the moment is there', reading([row(1)]), ['lost']],
  ['what came later is gone', reading([row(1), row(2)]), []],
  ['and does not return', reading([row(1), row(2), row(3)]), ['returned']],
])('of a store that was restored to a moment, %s', (_name, read, rules) => {
  const moment = [...three.slice(0, 4), { op: 'moment', name: 'noon' } as const, ...three.slice(4)];
  expect(rulesIn([...moment, { op: 'restored', to: 'noon' }, ...read])).toEqual(rules);
});

const page = (from: number, ids: readonly number[], next_id = ids.at(-1) ?? from): Line => ({
  ...{ op: 'page', program: 'payroll', from, next_id, ids },
});
const level: Line = { op: 'level', program: 'payroll', store: 'box', kind: 'message' };
const withIds = reading([1, 2, 3].map(n => row(n, { id: n })));

test.each<[string, readonly Line[], readonly string[]]>([
  ['pages have every row once', [page(0, [1, 2]), page(2, [3]), page(3, []), level], []],
  ['a row that no page has is a gap', [page(0, [1]), page(1, [3]), level], ['gap']],
  ['a page that is asked for again has the same, and may have more', [page(0, [1, 2]), page(0, [1, 2, 3]), level], []],
  ['and nothing less', [page(0, [1, 2]), page(0, [2, 3]), level], ['gap']],
  ['a row that came is not given again', [page(0, [1, 2]), page(2, [2, 3]), level], ['repeated']],
  ['a next_id leads on', [page(0, [1, 2, 3], 2), level], ['repeated']],
  ['a row that the store has not is unknown', [page(0, [1, 2, 2.5, 3]), level], ['unknown']],
  ['nor one behind its last', [page(0, [1, 2, 3, 4]), level], ['unknown']],
  ['without a comparison nothing is proved', [page(0, [1, 2, 3])], ['unjudged']],
])('payroll: %s', (_name, pages, rules) => {
  expect(rulesIn([...three, ...withIds, ...pages])).toEqual(rules);
});

test('an id that a restore has undone is not given to another record', () => {
  const before = [...three, { op: 'moment', name: 'noon' } as const, sent(4), acked(4), page(0, [1, 2, 3, 4])];
  const after = (id: number) => [
    ...before,
    { op: 'restored', to: 'noon' } as const,
    ...[sent(5), acked(5)],
    page(4, [id]),
    ...reading([...[1, 2, 3].map(n => row(n, { id: n })), row(5, { id })]),
    level,
  ];
  expect(rulesIn(after(100))).toEqual([]);
  expect(rulesIn(after(4))).toContain('returned');
});

test('a log is stored as often as it can have been sent: once, and once behind each login until its acknowledgement', () => {
  const login = (session: number): Line => ({ op: 'login', device, session });
  const end = reading([logRow(1), logRow(1)], {}, 'log');
  expect(rulesIn([login(1), sentLog(1), login(2), ackedLog(1), ...end])).toEqual([]);
  expect(rulesIn([login(1), sentLog(1), ackedLog(1), login(2), ...end])).toEqual(['duplicate']);
});

test('an acknowledgement of the session before is late only for what was sent behind its successor', () => {
  const login = (session: number): Line => ({ op: 'login', device, session });
  const end = reading([row(1)]);
  const inFlight = [login(1), sent(1, { session: 1 }), login(2), acked(1, { session: 1 }), ...end];
  expect(rulesIn(inFlight)).toEqual([]);
  const late = [login(1), login(2), sent(1, { session: 1 }), acked(1, { session: 1 }), ...end];
  expect(rulesIn(late)).toEqual(['late']);
});

test('a history that shows nothing is not good', () => {
  expect(rulesIn([])).toEqual(['unjudged']);
  expect(rulesIn(three)).toEqual(['unjudged']);
});

test('time that goes back, numbers that fall and lines that nobody knows are malformed', () => {
  expect(rulesIn([...three, sent(2.5), ...reading([row(1), row(2), row(3)])])).toEqual(['malformed']);
  const [first, ...rest] = written([...three, ...reading([row(1), row(2), row(3)])]);
  expect(judgeAll([{ ...first!, at: 9 }, ...rest]).findings[0]?.rule).toBe('malformed');
  expect(rulesIn([...three, { op: 'wink' } as never, ...reading([row(1), row(2), row(3)])])).toEqual(['malformed']);
});

test('the checker shares no code with the product', () => {
  const sources = readdirSync(import.meta.dirname).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect(sources.length).toBeGreaterThan(5);
  for (const name of sources) {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    const imported = [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, from]) => from!);
    expect(
      imported.filter(from => !from.startsWith('./') && !from.startsWith('node:')),
      name,
    ).toEqual([]);
  }
});
