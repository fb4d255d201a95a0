import { expect, test } from 'vitest';
import type { PageParts } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { planGrid, planGridOperations } from '../../../src/admin/ui/plan-grid.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox, aSite } from '../../support/attendance.ts';

const site = {
  ...aSite,
  employees: ['e1', 'e2', 'e3'].map(id => ({
    ...{ ext_id: id, name: `Person ${id}`, mobile: '' },
    department: { ext_id: 'd1' },
    ...(id === 'e3' ? { to: '2026-11-17' } : {}),
  })),
  shifts: [
    { code: 'day', name: 'Day', times: ['09:00-18:00'] },
    { code: 'night', name: 'Night', times: ['22:00-06:00'] },
  ],
  schedules: [{ who: 'site' as const, shift: 'day', from: '2026-01-05' }],
  calendar: [
    { date: '2026-11-17', who: { person: 'e1' }, what: { shift: 'night' } },
    { date: '2026-11-18', what: 'rest' as const, reason: 'Stocktaking' },
  ],
};

test('the grid resolves rosters, single days, leave, days off and last days, a page of people at a time', async () => {
  await using box = await anAttendanceBox({ site });
  const { store, clock } = box.gateway;
  const leave = { extId: 'e2', from: '2026-11-16T09:00', to: '2026-11-17T00:00', kind: 'sick', paid: true };
  await store.write.putLeave({ id: null, leave: { ...leave, state: 'approved', reason: '' }, at: 1, by: 'mei' });
  const parts = {
    ...{ store, clock },
    services: {
      days: async (days: readonly string[]) =>
        days.map(day => ({ day, type: day >= '2026-11-21' ? 'BREAK' : 'WORK', name: '', source: 'built-in' })),
    },
    results: { calendar: async () => new Map() },
    config: { site: { name: 'My site', timezone: 'Asia/Shanghai', locale: 'en' } },
  } as unknown as PageParts;
  const api = await anAdminApi({} as never, anIdentity('viewer'), app =>
    serve(app, planGridOperations, planGrid(parts)),
  );
  // biome-ignore lint/suspicious/noExplicitAny: one answer, read here.
  const ask = async (query: string): Promise<any> => (await api.request(`/schedules/grid?${query}`)).json();
  const page = await ask('from=2026-11-16&days=7&limit=2');
  expect(page.days.map((one: { break: boolean }) => one.break).filter(Boolean)).toHaveLength(2);
  expect(page.shifts).toEqual([
    { code: 'day', name: 'Day' },
    { code: 'night', name: 'Night' },
  ]);
  const words = (row: { days: { shift: string | null; kind: string; leave: string[]; own: object | null }[] }) =>
    row.days.map(
      ({ shift, kind, leave: away, own }) => `${shift ?? kind}${own ? '*' : ''}${away.length > 0 ? ` ${away}` : ''}`,
    );
  expect(page.rows.map(words)).toEqual([
    ['day', 'night*', 'rest', 'day', 'day', 'rest', 'rest'],
    ['day sick', 'day', 'rest', 'day', 'day', 'rest', 'rest'],
  ]);
  const next = await ask(`from=2026-11-16&days=3&limit=2&cursor=${page.cursor}`);
  expect(next.rows.map(words)).toEqual([['day', 'day', 'not_employed']]);
  expect(next.cursor).toBeNull();
});
