import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditNames } from '../../src/admin/audit-names.ts';
import { applied, aStore } from '../support/store.ts';

let opened: Awaited<ReturnType<typeof aStore>>;
beforeAll(async () => {
  opened = await aStore();
  const department = { ext_id: 'd1', title: '' };
  const person = { mobile: '', department };
  await applied(opened.store, {
    products: [{ product_id: 'FACE-T1', product_key: 'k', name: 'Terminal', model: 'FT1', access: 'both' }],
    devices: [
      { device_id: 'FACE-T1_A0001', name: 'North gate' },
      { device_id: 'FACE-T1_A0002', name: '' },
    ],
    departments: [
      { ext_id: '0', name: 'Plant' },
      { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
    ],
    employees: [
      { ext_id: 'e1', name: 'Li Mei', employee_num: '1', ...person },
      { ext_id: '12', name: 'Wu Tao', employee_num: '2', ...person },
    ],
  });
});
afterAll(() => opened?.[Symbol.asyncDispose]());

test.each([
  ['PUT /devices/FACE-T1_A0001', 'FACE-T1_A0001', ['FACE-T1_A0001 North gate']],
  [
    'POST /devices/people-data',
    "may receive people's data: FACE-T1_A0001, FACE-T1_A0002",
    ['FACE-T1_A0001 North gate'],
  ],
  ['PUT /people/e1', 'e1', ['e1 Li Mei']],
  ['DELETE /people/gone', 'gone', []],
  ['GET /people/e1/features', 'features of e1', ['e1 Li Mei']],
  ['PUT /people/12/employment', 'employment of 12: always → 2026-01-01 to …', ['12 Wu Tao']],
  ['POST /schedules/leaves', 'leave of e1: annual 2026-11-02', ['e1 Li Mei']],
  ['GET /access/12/photo', 'photo of e1, passage 12', ['e1 Li Mei']],
  ['GET /access/12/photo', 'photo of a stranger, passage 12', []],
  ['POST /schedules/calendar', '2026-11-02 of person e1: rest', ['e1 Li Mei']],
  ['PUT /schedules/rosters/{id}', 'roster of person 12: day from 2026-11-02', ['12 Wu Tao']],
  ['POST /schedules/rosters', 'roster of department d1: e1 from 2026-11-02', []],
  ['POST /people/bulk', 'last day 2026-11-02: e1, 12 and 3 more', ['e1 Li Mei', '12 Wu Tao']],
  ['POST /unknown-people/joins', 'e99 → e1', ['e1 Li Mei']],
  ['POST /attendance/corrections', 'correction 12 approved: e1: 2026-11-20 08:00; forgot', ['e1 Li Mei']],
  ['GET /reports/month/{file}', 'month 2026-11, d1, e1', ['e1 Li Mei']],
  ['POST /people/import', 'employees: 12 of 12 rows changed', []],
])('the ids in an entry are named: %s %s', async (action, subject, names) => {
  const [named] = await auditNames(opened.store.read, opened.store.directory)([{ action, subject }]);
  expect(named!.map(({ id, name }) => `${id} ${name}`)).toEqual(names);
});
