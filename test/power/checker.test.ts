import { expect, test } from 'vitest';
import type { DeviceNo } from '../../src/store/index.ts';
import { checkBatchCursor, checkStored } from './checker.ts';
import { faultNames, isGood, nothingFound } from './findings.ts';
import type { RecordingNotes } from './recording.ts';
import type { Stored } from './stored.ts';

const device = 1 as DeviceNo;

/** A store with logs of one device under these seqs, up to a cursor. */
function aStored(texts: readonly string[], change: Partial<Stored> = {}): Stored {
  const journal = texts.map((text, at) => ({
    ...{ seq: at + 1, deviceNo: device, channel: 'log' as const, text, action: null },
  }));
  return {
    quickCheck: 'ok',
    journal,
    damagedSegments: [],
    lastSeq: texts.length,
    cursor: texts.length,
    logs: journal,
    checkinSeqs: [],
    deviceNos: new Map([['T_1', device]]),
    productIds: [],
    keys: new Map(),
    dropped: 0,
    batchCursor: 0,
    forwarded: new Map(),
    auditBroken: null,
    ...change,
  };
}

/** A terminal that sent these; the nth was acknowledged at position 10 n. */
const notes = (texts: readonly string[]): RecordingNotes => ({
  scenario: 'one of a test',
  from: 0,
  to: 100,
  devices: [{ deviceId: 'T_1', sent: texts.map((text, at) => ({ channel: 'log', text, position: (at + 1) * 10 })) }],
  promises: [],
  config: {},
});

const faults = (stored: Stored, sent: readonly string[], entries = 100, demands = {}) => {
  const found = checkStored(stored, notes(sent), entries, demands);
  return faultNames.filter(name => found[name].length > 0);
};

test('a store with all that was acknowledged is good, and may have more', () => {
  expect(isGood(checkStored(aStored(['a', 'b', 'c']), notes(['a', 'b', 'c']), 20))).toBe(true);
});

test('what was acknowledged by then and is missing is lost, what was acknowledged later is not', () => {
  expect(faults(aStored(['a']), ['a', 'b'], 20)).toEqual(['lost']);
  expect(faults(aStored(['a']), ['a', 'b'], 19)).toEqual([]);
});

test('records in another order than they were sent are out of order', () => {
  expect(faults(aStored(['b', 'a']), ['a', 'b'])).toEqual(['outOfOrder']);
});

test('a record that was sent twice and is there twice is in order', () => {
  expect(faults(aStored(['a', 'b', 'a']), ['a', 'b'])).toEqual([]);
});

test('a record that nobody sent is unreadable, and so is a segment that cannot be opened', () => {
  expect(faults(aStored(['a', '?']), ['a'])).toEqual(['unreadable']);
  expect(faults(aStored(['a'], { damagedSegments: [2] }), ['a'])).toEqual(['unreadable']);
  expect(faults(aStored(['a'], { quickCheck: 'row 3 missing from index' }), ['a'])).toEqual(['unreadable']);
});

test('tables ahead of the journal, behind their cursor, or with rows of nothing are inconsistent', () => {
  expect(faults(aStored(['a'], { cursor: 2 }), ['a'])).toEqual(['inconsistent']);
  expect(faults(aStored(['a', 'b'], { logs: [{ seq: 1, deviceNo: device, text: 'a' }] }), ['a', 'b'])).toEqual([
    'inconsistent',
  ]);
  expect(faults(aStored(['a'], { checkinSeqs: [1] }), ['a'])).toEqual(['inconsistent']);
});

test('tables may be behind the journal by what their cursor says', () => {
  expect(faults(aStored(['a', 'b'], { cursor: 0, logs: [] }), ['a', 'b'])).toEqual([]);
});

test('only retention may empty the journal: its numbers go on behind those of the tables', () => {
  const empty = aStored([], { cursor: 2, logs: aStored(['a', 'b']).logs });
  expect(faults(empty, ['a', 'b'], 100, { mayEmpty: true })).toEqual([]);
  expect(faults(empty, ['a', 'b'])).toEqual(['inconsistent']);
});

test('a broken chain of the audit log is inconsistent', () => {
  expect(faults(aStored([], { auditBroken: 'entry 3' }), [])).toEqual(['inconsistent']);
});

test('where records may be dropped, the oldest may be missing, and only as many as are counted', () => {
  const left = aStored(['a', 'b', 'c', 'd']);
  const dropped = { ...left, journal: left.journal.slice(2), logs: left.logs.slice(2), dropped: 2 };
  const sent = ['a', 'b', 'c', 'd'];
  expect(faults(dropped, sent, 100, { mayDrop: true })).toEqual([]);
  expect(faults(dropped, sent, 100)).toEqual(['lost']);
  expect(faults({ ...dropped, dropped: 1 }, sent, 100, { mayDrop: true })).toEqual(['inconsistent']);
  const hole = { ...left, journal: left.journal.toSpliced(1, 1), logs: left.logs.toSpliced(1, 1), dropped: 1 };
  expect(faults(hole, sent, 100, { mayDrop: true })).toEqual(['lost']);
});

test.each([
  [3, []],
  [4, ['lost']],
  [2, ['inconsistent']],
])('a cursor of the box below at %d, with three of its lines here: %j', (batchCursor, wanted) => {
  const found = nothingFound();
  checkBatchCursor(aStored(['a', 'b', 'c'], { batchCursor }), found);
  expect(faultNames.filter(name => found[name].length > 0)).toEqual(wanted);
});
