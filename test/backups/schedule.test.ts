import { expect, test } from 'vitest';
import { expired } from '../../src/backups/retention.ts';
import { nextRun, tooOldMs } from '../../src/backups/schedule.ts';

const every = [1, 2, 3, 4, 5, 6, 7];
const at = (text: string) => Date.parse(text);
const hour = 3_600_000;

test.each([
  ['later today', ['02:30'], every, '2026-11-23T01:00+08:00', '2026-11-23T02:30+08:00'],
  ['tomorrow', ['02:30'], every, '2026-11-23T02:30+08:00', '2026-11-24T02:30+08:00'],
  ['the second of a day', ['02:30', '14:00'], every, '2026-11-23T03:00+08:00', '2026-11-23T14:00+08:00'],
  ['over a weekend', ['02:30'], [1, 2, 3, 4, 5], '2026-11-20T03:00+08:00', '2026-11-23T02:30+08:00'],
  ['once a week', ['23:00'], [7], '2026-11-22T23:00+08:00', '2026-11-29T23:00+08:00'],
])('the next backup is %s', (_what, times, days, after, next) => {
  expect(nextRun({ times, days }, 'Asia/Shanghai', at(after))).toBe(at(next));
});

test('a time that the clocks skip is made up for on the same day, and one that comes twice runs once', () => {
  const berlin = 'Europe/Berlin';
  const schedule = { times: ['02:30'], days: every };
  expect(nextRun(schedule, berlin, at('2026-03-28T12:00Z'))).toBe(at('2026-03-29T03:30+02:00'));
  const first = nextRun(schedule, berlin, at('2026-10-24T12:00Z'));
  expect(first).toBe(at('2026-10-25T02:30+02:00'));
  expect(nextRun(schedule, berlin, first)).toBe(at('2026-10-26T02:30+01:00'));
});

test('a backup is too old after two of the longest intervals and an hour', () => {
  expect(tooOldMs({ times: ['02:00', '14:00'], days: every })).toBe(25 * hour);
  expect(tooOldMs({ times: ['02:30'], days: [1, 2, 3, 4, 5] })).toBe(145 * hour);
  expect(tooOldMs({ times: ['02:30'], days: [3] })).toBe(337 * hour);
  expect(tooOldMs({ times: ['02:30'], days: every })).toBe(49 * hour);
});

const day = (madeAt: number) => new Date(madeAt).toISOString().slice(0, 10);
const keep = { daily: 7, weekly: 4, monthly: 12 };
const nightly = (count: number, verified = (_: number) => true) =>
  Array.from({ length: count }, (_, index) => {
    const madeAt = at('2026-11-22T02:30Z') - index * 24 * hour;
    return { name: day(madeAt), madeAt, verifiedAt: verified(index) ? madeAt : null };
  });

test('7 days, 4 weeks and 12 months stay of 400 nights', () => {
  const copies = nightly(400);
  const gone = new Set(expired(copies, keep, day));
  const stay = copies.filter(one => !gone.has(one)).map(({ name }) => name);
  expect(stay).toEqual([
    ...['2026-11-22', '2026-11-21', '2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17', '2026-11-16'],
    ...['2026-11-15', '2026-11-08', '2026-11-01'],
    ...['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30', '2026-05-31', '2026-04-30'],
    ...['2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
  ]);
});

test('nothing is deleted beside copies that were not verified', () => {
  expect(
    expired(
      nightly(40, () => false),
      keep,
      day,
    ),
  ).toEqual([]);
  // The newest ten failed: what the last good one does not outlive goes, and it stays.
  const copies = nightly(40, index => index >= 10);
  const gone = expired(copies, { daily: 1, weekly: 1, monthly: 1 }, day).map(({ name }) => name);
  expect(gone).not.toContain(copies[10]!.name);
  for (const { name } of copies.slice(0, 10)) expect(gone).not.toContain(name);
  expect(gone).toContain(copies[11]!.name);
});

test('a copy that was not verified goes when a newer one was', () => {
  const copies = nightly(3, index => index !== 1);
  expect(expired(copies, keep, day).map(({ name }) => name)).toEqual([copies[1]!.name]);
});
