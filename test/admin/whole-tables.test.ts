import { expect, test } from 'vitest';
import type { BoxAdmin } from '../../src/admin/index.ts';
import { exportRows } from '../../src/admin/rows.ts';
import { type Store, TablesBehind } from '../../src/store/index.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';
import { HandClock } from '../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../support/store.ts';
import golden from './openapi.golden.json' with { type: 'json' };

const punches = 3000;

/** A store whose tables are behind: the check-ins have just been acknowledged. */
async function aBacklog(change: Parameters<typeof aStore>[0] = {}) {
  const opened = await aStore(change);
  const { store } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  const punch = (no: number) => ({
    ...{ from: 'FACE-T1_A0001', to: 'system', time: 0, action: 2001, mid: `m${no}` },
    data: { records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000 + no }] },
  });
  await Promise.all(
    Array.from({ length: punches }, (_, no) =>
      append(store, {
        ...{ deviceNo, channel: 'device', receivedAt: 1_763_600_000_000, logPath: '', marks: {} },
        payload: Buffer.from(JSON.stringify(punch(no))),
      }),
    ),
  );
  return opened;
}

const apiOf = (store: Store) =>
  anAdminApi(
    { rows: (what, filter) => exportRows(store, what, filter, 'Asia/Shanghai') } as Partial<BoxAdmin> as BoxAdmin,
    anIdentity('viewer', 'mei', withinMs => store.whole(withinMs)),
  );

test('an export holds all that was acknowledged when it was asked for, and names the record up to which it does', async () => {
  await using opened = await aBacklog();
  const { store } = opened;
  const answer = await apiOf(store).request('/export/checkins');
  expect(answer.headers.get('x-up-to-record')).toBe(String(store.journal.lastSeq));
  expect((await answer.text()).trim().split('\n')).toHaveLength(punches);
});

test('a page that cannot hold them in time is refused with how many are to go, and says when to ask again', async () => {
  await using opened = await aBacklog();
  const behind = anIdentity('viewer', 'mei', () => Promise.reject(new TablesBehind(213_000)));
  const answer = await anAdminApi({} as BoxAdmin, behind).request('/attendance/results');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(await answer.json()).toMatchObject({
    title: 'store_behind',
    detail: expect.stringMatching(/^213000 acknowledged records are still to be entered.*: ask again in some seconds$/),
    problems: [{ records: 213_000 }],
  });
  await expect(opened.store.whole()).resolves.toBe(opened.store.journal.lastSeq);
});

test('tables that do not come up within the time that was given are called behind, by so many records', async () => {
  // No time passes in it: the tables have no turn before it is over.
  await using opened = await aBacklog({ clock: Object.assign(new HandClock(), { sleep: async () => {} }) });
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const asked = Promise.withResolvers<unknown>();
  for (let no = 0; no < punches; no++)
    store.journal.append(
      { deviceNo, channel: 'log', receivedAt: 1, logPath: 'FT1/A0001', marks: {}, payload: Buffer.from(String(no)) },
      { onCommitted: () => no === punches - 1 && store.whole(2000).then(asked.resolve, asked.resolve) },
    );
  const refused = (await asked.promise) as TablesBehind;
  expect(refused).toBeInstanceOf(TablesBehind);
  expect(refused.records).toBeGreaterThan(0);
  await store.catchUp();
  expect(await store.whole(0)).toBe(store.journal.lastSeq);
});

/** What says of people what they did, by its path: the others show what is there so far. */
const statesPeople =
  /^\/admin\/v1\/(attendance\/(day|month|results|closings)|reports|export|statements|day|people\/[^/]+\/checkins)(\/|$)/;

/** Those of them that state nothing new, each with what they do. */
const others: Readonly<Record<string, string>> = {
  'GET /admin/v1/attendance/closings': 'lists what was closed',
  'GET /admin/v1/attendance/closings/{id}/verify': 'reads what was closed',
  'POST /admin/v1/attendance/closings/{id}/reopen': 'asks for a reopening',
  'POST /admin/v1/attendance/closings/{id}/reopen/{decision}': 'reopens',
  'GET /admin/v1/attendance/month/columns': 'is a setting',
  'PUT /admin/v1/attendance/month/columns': 'is a setting',
  'GET /admin/v1/day/arrivals': 'is a live list',
};

test('every call that states what people did waits for the tables, or is named with the reason why not', () => {
  const without = Object.entries(golden.paths as Record<string, Record<string, { responses: object }>>)
    .filter(([path]) => statesPeople.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => !('503' in responses))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
  expect(without.toSorted()).toEqual(Object.keys(others).toSorted());
});
