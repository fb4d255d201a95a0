import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { recordsIn } from '../../support/check-in-page.ts';
import { fillCheckIns } from '../../support/many-checkins.ts';
import { aStore, type TemporaryStore } from '../../support/store.ts';

/**
 * Stores of older programs, which counted in `next_id` how many late check-ins a caller had had:
 * `late · 2^31 + id`.
 */

const idBits = 2 ** 31;
const count = 12;
/**
 * id of a check-in, by the number that it got when its person became known: 9 before 3, and so on.
 */
const late = new Map([
  [9, 1],
  [3, 2],
  [4, 3],
  [11, 4],
]);
const lateNos = [...late.values()];

function changed(dataDir: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  change(database);
  database.close();
}

/** As an older program leaves a store of `count` check-ins, some of which became known late. */
async function anOldStore({ sinceId = 0 } = {}): Promise<TemporaryStore> {
  const opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  fillCheckIns(opened.dataDir, count, { people: 3, sinceId });
  changed(opened.dataDir, database => {
    for (const [id, lateNo] of late) database.prepare('UPDATE checkin SET late_no = ? WHERE id = ?').run(lateNo, id);
    database.prepare("UPDATE counter SET value = ? WHERE name = 'late'").run(Math.max(...lateNos));
  });
  await opened.reopen();
  return opened;
}

async function walked({ store }: TemporaryStore, nextId: number, limit: number) {
  const ids: number[] = [];
  for (let after = nextId; ; ) {
    const page = await store.read.checkInPage({ after, limit });
    if (page.count === 0) return { ids, nextId: after };
    ids.push(...recordsIn<{ id: string }>(page).map(one => Number(one.id)));
    after = page.next;
  }
}

const all = Array.from({ length: count }, (_, index) => index + 1);
const rising = (one: number, other: number) => one - other;

test.each([1, 3, 500])(
  'every next_id of before goes on with what its caller has not had, once (pages of %i)',
  async limit => {
    await using opened = await anOldStore();
    for (const had of [0, ...lateNos])
      for (const id of [0, ...all]) {
        const missing = all.filter(one => one > id || (late.get(one) ?? 0) > had);
        const { ids, nextId } = await walked(opened, had * idBits + id, limit);
        expect(ids.toSorted(rising), `next_id ${had} · 2^31 + ${id}`).toEqual(missing);
        if (limit > count && missing.length > 0) expect(nextId).toBeLessThan(idBits);
      }
  },
);

test('a walk from 0 has small numbers from the first page on, and the late ones under the ids by which they are known', async () => {
  await using opened = await anOldStore();
  const first = await opened.store.read.checkInPage({ after: 0, limit: 5 });
  expect(first.next).toBeLessThan(idBits);
  expect((await walked(opened, 0, 5)).ids).toEqual([1, 2, 5, 6, 7, 8, 10, 12, 9, 3, 4, 11]);
});

test('late check-ins from before the initialization stay out', async () => {
  await using opened = await anOldStore({ sinceId: 4 });
  const expected = all.filter(id => id > 4);
  for (const nextId of [0, 2 * idBits, 2 * idBits + 1, 4 * idBits + 4])
    expect((await walked(opened, nextId, 3)).ids.toSorted(rising)).toEqual(expected);
});

test('a second start changes nothing, and an older program that ran in between loses nobody a check-in', async () => {
  await using opened = await anOldStore();
  const { nextId } = await walked(opened, 0, 500);
  await opened.reopen();
  expect(await walked(opened, nextId, 500)).toEqual({ ids: [], nextId });
  await opened.store[Symbol.asyncDispose]();
  // The older program is put back: it gives the next ids, and finds the person of one of them late.
  changed(opened.dataDir, database => {
    database.exec(`INSERT INTO checkin (id, seq, device_no, received_at, record_id, employee_id, check_type, check_time_seconds, check_data, late_no)
      SELECT ${nextId} + id, seq, device_no, received_at, record_id, employee_id, check_type, check_time_seconds, check_data, CASE WHEN id = 1 THEN 1 END
      FROM checkin WHERE id <= 2`);
    database.exec(`UPDATE counter SET value = ${nextId} + 2 WHERE name = 'checkin'`);
    database.exec("UPDATE counter SET value = 1 WHERE name = 'late'");
  });
  await opened.reopen();
  expect((await walked(opened, nextId, 1)).ids).toEqual([nextId + 2, nextId + 1]);
  expect((await walked(opened, 0, 4)).ids).toHaveLength(count + 2);
});
