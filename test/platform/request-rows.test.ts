import { expect, test } from 'vitest';
import { RequestRows } from '../../src/platform/request-rows.ts';
import { plainMistake } from '../../src/platform/signed-request.ts';

const at = 1_763_600_000_000;

const aRow = (caller: string, more: { address?: string; path?: string; identified?: boolean } = {}) => ({
  ...{ caller, identified: true, address: '10.0.0.7', method: 'POST', path: '/v2.0/employee/query', command: '' },
  ...{ status: 200, code: 0, why: null, parts: [] },
  ...more,
});
const aRejectedRow = (caller: string, more: { address?: string; path?: string } = {}) => ({
  ...aRow(caller, { ...more, identified: false }),
  ...{ code: 103, why: plainMistake('other_secret', 'the secret is another one') },
});

/** Notes a row under a key of its own. */
function noted(rows: RequestRows, known: string | null, row: ReturnType<typeof aRow | typeof aRejectedRow>) {
  const kind = row.identified ? 'identified' : 'rejected';
  rows.note(kind, known, `${row.caller} ${row.address} ${row.path}`, 1, at, () => row);
}

test('equal requests are one row with their number, the first time, the last time and the longest', () => {
  const rows = new RequestRows();
  for (const [turn, ms] of [3, 9, 4].entries()) rows.note('identified', 'ak1', 'key', ms, at + turn, () => aRow('ak1'));
  expect(rows.list()).toMatchObject([{ since: at, at: at + 2, ms: 4, ms_max: 9, count: 3 }]);
});

test('no rejected request pushes out an accepted one, nor a stranger those of a caller of the site', () => {
  const rows = new RequestRows();
  noted(rows, 'ak1', aRow('ak1'));
  noted(rows, 'ak1', aRejectedRow('ak1'));
  const before = rows.list();
  for (let turn = 0; turn < 2000; turn++) {
    noted(rows, null, aRejectedRow(`stranger ${turn}`));
    // With a key of the site, from elsewhere.
    noted(rows, 'ak1', aRejectedRow('ak1', { address: '10.0.0.9', path: `/v2.0/${turn}` }));
  }
  expect(rows.list()).toEqual(expect.arrayContaining(before));
});

test('a stranger at one address does not push out those of another stranger', () => {
  const rows = new RequestRows();
  noted(rows, null, aRejectedRow('payrol'));
  for (let turn = 0; turn < 2000; turn++) noted(rows, null, aRejectedRow(`x${turn}`, { address: '10.0.0.9' }));
  expect(rows.list().filter(({ caller }) => caller === 'payrol')).toHaveLength(1);
});

test('whoever calls however often with whatever, the rows stay within the bound, and the newest is there', () => {
  const rows = new RequestRows();
  for (let turn = 0; turn < 20_000; turn++) {
    const address = `10.0.${turn % 7}.${turn % 250}`;
    const path = `/${turn} ${'x'.repeat(turn % 100)}`;
    const known = turn % 3 === 0 ? null : `ak${turn % 47}`;
    noted(
      rows,
      known,
      turn % 2 === 0 ? aRow(known ?? 'nobody', { address, path }) : aRejectedRow(`ak${turn}`, { address, path }),
    );
    if (turn % 1000 === 0) expect(rows.list().some(row => row.path === path)).toBe(true);
  }
  expect(rows.bytes).toBeLessThanOrEqual(RequestRows.bytesMax);
  expect(rows.bytes).toBeGreaterThan(RequestRows.bytesMax / 4);
});
