import { expect, test } from 'vitest';
import { changeWarnings, clockWarnings, versionWarnings, warningsOf } from '../../../src/store/postgres/warnings.ts';

test('clocks, versions and the state of the database of a region are warned of by code', () => {
  const of = (name: string, version: string, clockAheadMs: number) => ({ name, version, clockAheadMs });
  const change = { of: '', noticedAt: 0, stateAt: 0, until: 1000 };
  const all = [
    ...changeWarnings(0, { restored: change, copied: change }),
    ...clockWarnings([of('one', '1', 9000), of('two', '1', -9000)]),
    ...[9000, -9000].flatMap(ms => clockWarnings([of('one', '1', ms), of('two', '1', ms)])),
    ...versionWarnings([of('one', '1', 0), of('two', '2', 0)]),
  ];
  expect(all.map(({ code }) => code)).toEqual([
    ...['database_restored', 'database_copied', 'process_clock_ahead', 'process_clock_behind'],
    ...['server_clock_behind', 'server_clock_ahead', 'versions_differ'],
  ]);
});

test('a transaction that is a minute old is warned of, with whose it is', () => {
  const look = { names: 'one', connected: 1, synchronous: 1, waits: false, processes: 1 };
  const said = (seconds: number) => warningsOf({ ...look, oldest: { seconds, by: 'pg_dump', pid: 7 } }, 0, true);
  expect(said(59)).toEqual([]);
  expect(said(60)).toMatchObject([
    {
      code: 'old_transaction',
      reason: expect.stringMatching(/^a transaction of the database is 60 s old \(pg_dump, process 7 /),
    },
  ]);
  expect(warningsOf({ ...look, oldest: null }, 0, true)).toEqual([]);
});
