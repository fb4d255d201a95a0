import { expect, test } from 'vitest';
import type { BoxAdmin, Role } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { peopleBulk, peopleBulkOperations } from '../../../src/admin/ui/people-bulk.ts';
import { people, peopleOperations } from '../../../src/admin/ui/people-lists.ts';
import { undoableOperations, undoables } from '../../../src/admin/ui/undoable.ts';
import { AttendanceResults } from '../../../src/attendance/index.ts';
import { bulkGroupMax } from '../../../src/store/index.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { HandClock } from '../../support/clock.ts';
import { applied, aStore } from '../../support/store.ts';

const noon = Date.parse('2026-11-20T05:00:00Z');
const surnames = ['张伟', '李梅', '阿Q', 'Bob Ng'];
const many = bulkGroupMax * 2 + 4;

const person = (index: number) => ({
  ...{ ext_id: `e${index}`, name: surnames[index % 4]!, mobile: '', employee_num: String(1000 + index) },
  department: { ext_id: index % 2 === 0 ? 'd1' : 'd2', title: '' },
});

/** The routes over a real store with two departments; the box or the cloud is the authority. */
async function aBox(authority: 'box' | 'cloud' = 'box', count = many) {
  const clock = new HandClock(noon);
  const opened = await aStore({ clock });
  const { store } = opened;
  await applied(store, {
    departments: ['0', 'd1', 'd2', 'd3'].map(id => ({
      ...{ ext_id: id, name: id },
      ...(id === '0' ? {} : { p_ext_id: '0' }),
    })),
    employees: Array.from({ length: count }, (_, index) => person(index)),
  });
  let poked = 0;
  const attendance = {
    status: () => ({ authority, mirror: null, refusedCalls: [] }),
    queued: () => {
      poked++;
    },
  };
  const config = { site: { name: 'Plant', timezone: 'Asia/Shanghai' }, features: { upstream: 'on' } } as never;
  const results = new AttendanceResults({
    ...{ store, clock, site: { timezone: 'Asia/Shanghai' } },
    rules: { clock: 'as_said', nightOvertime: 'work_date' },
    isOnline: () => false,
    calendar: async () => new Map(),
  });
  const parts = { store, clock, attendance, results, config, upstream: { standsAlone: true } };
  const audited: object[] = [];
  const ask = async <T>(method: string, path: string, body?: object, role: Role = 'staff') => {
    const identity = anIdentity(role);
    const app = anAdminApi({} as BoxAdmin, identity, routes => {
      serve(routes, peopleOperations, people(parts));
      serve(routes, peopleBulkOperations, peopleBulk(parts));
      serve(routes, undoableOperations, undoables(parts));
    });
    const answer = await app.request(path, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
    audited.push(...identity.audited);
    return { status: answer.status, said: (await answer.json()) as T };
  };
  const inDepartment = async (id: string) =>
    (await ask<{ total: number }>('GET', `/people?department=${id}&limit=1`)).said.total;
  return {
    store,
    ask,
    clock,
    audited,
    inDepartment,
    poked: () => poked,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

interface Changed {
  readonly id: number;
  readonly changed: number;
}

test('everybody of a department but one is moved, without who was added since, and it is undone', async () => {
  await using box = await aBox();
  const first = (await box.ask<{ total: number; last_key: number }>('GET', '/people?department=d1&limit=1')).said;
  expect(first.total).toBe(many / 2);
  await applied(box.store, { employees: [person(many)] });
  const matching = { department: 'd1', except: ['e0'], up_to_key: first.last_key };
  const { said } = await box.ask<Changed>('POST', '/people/bulk', { department: 'd3', matching });
  expect(said).toMatchObject({ changed: many / 2 - 1, unchanged: [], queued: false });
  expect(await box.inDepartment('d3')).toBe(many / 2 - 1);
  expect(await box.inDepartment('d1'), 'the exception, and who was added').toBe(2);
  expect(box.audited).toMatchObject([
    { subject: expect.stringMatching(/^moved to department d3: e2, e4, .* and 181 more$/), outcome: 'done' },
  ]);
  await box.store.write.putEmployee({ extId: 'e2', department: { extId: 'd2' }, at: noon, queue: null });
  expect((await box.ask('POST', `/people/bulk/${said.id}/undo`)).said).toEqual({
    changed: many / 2 - 2,
    unchanged: [{ why: 'changed_since', count: 1, ids: ['e2'] }],
  });
  expect(await box.inDepartment('d3')).toBe(0);
  expect((await box.ask('POST', `/people/bulk/${said.id}/undo`)).status).toBe(404);
});

test('many leave on a day, and those whose first day is later do not', async () => {
  await using box = await aBox('box', 4);
  await box.store.write.setEmployment({ employment: { extId: 'e1', from: null, to: '2025-06-30' } });
  await box.store.write.setEmployment({ employment: { extId: 'e1', from: '2026-12-01', to: null } });
  const { said } = await box.ask<Changed>('POST', '/people/bulk', {
    last_day: '2026-11-20',
    ext_ids: ['e0', 'e1', 'e2', 'e9'],
  });
  expect(said).toMatchObject({
    changed: 2,
    unchanged: [
      { why: 'before_first_day', count: 1, ids: ['e1'] },
      { why: 'unknown', count: 1, ids: ['e9'] },
    ],
  });
  await box.ask('POST', `/people/bulk/${said.id}/undo`);
  expect(await box.store.read.employments({ limit: 9 })).toEqual([
    { extId: 'e1', from: '2026-12-01', to: null, earlier: [{ from: null, to: '2025-06-30' }] },
  ]);
});

test('with the cloud as the authority a move and its undo are queued for it', async () => {
  await using box = await aBox('cloud', 4);
  const { said } = await box.ask<Changed>('POST', '/people/bulk', { department: 'd3', ext_ids: ['e0', 'e1'] });
  expect(said).toMatchObject({ changed: 2, queued: true });
  await box.ask('POST', `/people/bulk/${said.id}/undo`);
  const { rows } = await box.store.read.organizationWrites({ refused: false, limit: 9 });
  expect(rows.map(row => row.subject).sort()).toEqual(['employee e0', 'employee e0', 'employee e1', 'employee e1']);
  expect(box.poked()).toBe(2);
});

test('a viewer changes nobody, and what is asked for has to be one thing', async () => {
  await using box = await aBox('box', 4);
  const move = { department: 'd3', ext_ids: ['e0'] };
  expect((await box.ask('POST', '/people/bulk', move, 'viewer')).status).toBe(403);
  expect((await box.ask('POST', '/people/bulk', { ...move, last_day: null })).status).toBe(400);
  expect((await box.ask('POST', '/people/bulk', { department: 'd3' })).status).toBe(400);
  expect((await box.ask('POST', '/people/bulk', { ...move, department: 'd9' })).status).toBe(404);
});

test('people are sorted by pinyin and by number, page by page, each once', async () => {
  await using box = await aBox('box', 8);
  const sorted = async (sort: string) => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { rows: { ext_id: string }[]; cursor: string | null } = (
        await box.ask<{ rows: { ext_id: string }[]; cursor: string | null }>(
          'GET',
          `/people?limit=3&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`,
        )
      ).said;
      seen.push(...page.rows.map(row => row.ext_id));
      cursor = page.cursor;
    }
    return seen.join(' ');
  };
  expect(await sorted('name'), '阿Q, Bob Ng, 李梅, 张伟').toBe('e2 e6 e3 e7 e1 e5 e0 e4');
  expect(await sorted('-name')).toBe('e4 e0 e5 e1 e7 e3 e6 e2');
  expect(await sorted('-number')).toBe('e7 e6 e5 e4 e3 e2 e1 e0');
  expect(await sorted('department')).toBe('e0 e2 e4 e6 e1 e3 e5 e7');
});

test('what can be undone is listed, the newest first, until it is undone or a week old', async () => {
  await using box = await aBox('box', 4);
  const listed = async () => (await box.ask<{ rows: object[] }>('GET', '/changes/undoable', undefined, 'viewer')).said;
  expect(await listed()).toEqual({ rows: [] });
  await box.ask('POST', '/people/bulk', { department: 'd3', ext_ids: ['e0', 'e1'] });
  const { said } = await box.ask<Changed>('POST', '/people/bulk', { last_day: '2026-12-31', ext_ids: ['e2'] });
  expect((await listed()).rows).toMatchObject([
    { id: said.id, what: 'left', of: 'people', count: 1, at: noon },
    { what: 'department', of: 'people', count: 2 },
  ]);
  await box.ask('POST', `/people/bulk/${said.id}/undo`);
  expect((await listed()).rows).toMatchObject([{ what: 'department' }]);
  await box.clock.advance(8 * 24 * 3_600_000);
  expect(await listed()).toEqual({ rows: [] });
});
