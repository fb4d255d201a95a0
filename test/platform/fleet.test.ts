import { expect, test } from 'vitest';
import type { BoxReport } from '../../src/platform/box-report.ts';
import { type HeardOfBox, troublesOf } from '../../src/platform/fleet.ts';

const now = 1_763_600_000_000;
const minute = 60_000;

const heard = (report: Partial<BoxReport> = {}, change: Partial<HeardOfBox> = {}): HeardOfBox => ({
  ...{ heardAt: now, reportedAt: now, waitedBefore: null },
  report: {
    ...{ at: now, version: '1', environment: 'test', outbox: null, disk: null },
    ...{ clock_synchronized: null, update: null, devices: null },
    ...report,
  },
  ...change,
});
const outbox = (waiting: number, oldestMs: number | null) => ({
  outbox: { waiting, oldest_at: oldestMs === null ? null : now - oldestMs, parked: 0 },
});
const disk = (state: string, low: boolean) => ({ disk: { state, used_bytes: 1, free_bytes: 1, low } });
const update = (outcome: string, code?: string) => ({ update: { found: 1, outcome, to: '2', why: '', code } });

test.each([
  ['it was never heard', null, ['silent']],
  ['it was heard now and says nothing', heard({}, { report: null }), []],
  ['it was heard five minutes ago', heard({}, { heardAt: now - 5 * minute }), []],
  ['it was not heard since', heard({}, { heardAt: now - 5 * minute - 1 }), ['silent']],
  ['records wait for a moment', heard(outbox(5000, minute)), []],
  ['a record waits for long', heard(outbox(1, 10 * minute + 1)), ['backlog']],
  ['fewer wait than before', heard(outbox(5000, minute), { waitedBefore: 5001 }), []],
  ['more wait than before', heard(outbox(5000, minute), { waitedBefore: 4999 }), ['backlog']],
  ['more wait than before, but few', heard(outbox(999, minute), { waitedBefore: 0 }), []],
  ['the disk is well', heard(disk('ok', false)), []],
  ['the disk is nearly full', heard(disk('ok', true)), ['disk']],
  ['the disk is full', heard(disk('full', false)), ['disk']],
  ['the clock is a minute off', heard({ at: now + minute }), []],
  ['the clock is ahead', heard({ at: now + minute + 1 }), ['clock']],
  ['the clock is behind', heard({ at: now - minute - 1 }), ['clock']],
  ['an update went well', heard(update('good')), []],
  ['a person took an update back', heard(update('rolled-back', 'update_asked_for')), []],
  ['an update was taken back', heard(update('rolled-back')), ['update']],
  [
    'all at once',
    heard({ ...update('failed'), ...disk('full', true), at: 0 }, { heardAt: 0 }),
    ['silent', 'disk', 'update', 'clock'],
  ],
] as const)('%s', (_, known, troubles) => {
  expect(troublesOf(known, now)).toEqual(troubles);
});
