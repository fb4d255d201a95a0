import { expect, test } from 'vitest';
import { fleetPageOf } from '../../src/admin/fleet.ts';
import { aProduct, applied, aStore, deviceId, type TemporaryStore } from '../support/store.ts';

const now = 1_763_600_000_000;
const idOf = (no: number) => deviceId(`GATEHOUSE_${String(no).padStart(6, '0')}`);
const report = {
  ...{ at: now, version: '1.4.0', environment: 'test', clock_synchronized: true, update: null, devices: null },
  outbox: { waiting: 0, oldest_at: null, parked: 0 },
  disk: { state: 'ok', used_bytes: 1, free_bytes: 2, low: false },
};

async function boxesOf({ store }: TemporaryStore, count: number) {
  const boxes = Array.from({ length: count }, (_, index) => ({ box_id: idOf(index + 1), name: `Hall ${index + 1}` }));
  await applied(store, { products: [aProduct()], boxes });
}
const ids = (page: { rows: readonly { box_id: string }[] }) => page.rows.map(({ box_id }) => Number(box_id.slice(-6)));

test('boxes in trouble come first, the worst at the top, and each trouble is counted', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await boxesOf(opened, 6);
  const say = (no: number, change: object, at = now) =>
    store.write.noteBoxHeard({ boxId: idOf(no), at, report: { ...report, ...change } });
  await say(1, {});
  await say(2, { at: now + 3_600_000 });
  await say(3, { outbox: { waiting: 7, oldest_at: now - 3_600_000, parked: 1 } });
  await say(4, { at: now - 3_600_000 }, now - 3_600_000);
  await say(5, {
    disk: { ...report.disk, low: true },
    update: { found: 0, outcome: 'failed', to: '2', why: 'no room' },
  });
  const all = await fleetPageOf(store, { limit: 50 }, now);
  expect(ids(all)).toEqual([6, 4, 5, 3, 2, 1]);
  expect(all).toMatchObject({
    ...{ total: 6, boxes: 6, well: 1, cursor: null },
    in_trouble: { silent: 2, disk: 1, backlog: 1, update: 1, clock: 1 },
  });
  expect(all.rows[3]).toMatchObject({
    ...{ name: 'Hall 3', troubles: ['backlog'], version: '1.4.0', heard_at: now, devices_here: 0 },
    outbox: { waiting: 7, oldest_ms: 3_600_000, grows: false, parked: 1 },
    clock: { off_ms: 0, synchronized: true },
  });
  expect(all.rows[0]).toMatchObject({ troubles: ['silent'], heard_at: null, version: '', outbox: null, disk: null });
  expect(ids(await fleetPageOf(store, { limit: 50, trouble: 'update' }, now))).toEqual([5]);
  expect(ids(await fleetPageOf(store, { limit: 50, trouble: 'none' }, now))).toEqual([1]);
  expect(ids(await fleetPageOf(store, { limit: 50, trouble: 'any', search: 'hall 2' }, now))).toEqual([2]);
});

test('the pages of five hundred boxes hold each of them once', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await boxesOf(opened, 500);
  for (let no = 1; no <= 500; no++) await store.write.noteBoxHeard({ boxId: idOf(no), at: now, report });
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await fleetPageOf(store, { limit: 120, ...(cursor ? { cursor } : {}) }, now);
    expect(page).toMatchObject({ total: 500, well: 500 });
    seen.push(...ids(page));
    cursor = page.cursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
});
