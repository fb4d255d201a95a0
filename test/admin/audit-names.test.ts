import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { operation } from '../../src/admin/operation.ts';
import { auditNames } from '../../src/admin/ui/audit-names.ts';
import { auditedActions } from '../../src/admin/ui/audited-actions.ts';
import { auditSubjects } from '../../src/words/audit.ts';
import { ownSubjects, subjectOf } from '../../src/words/audit-own.ts';
import { auditPlans } from '../../src/words/audit-plans.ts';
import { described } from '../../src/words/described.ts';
import type { Reason } from '../../src/words/sentences.ts';
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

const { say } = auditSubjects;
const passage = 12;
const rule = { whose: 'person', id: '12', cycle: 'day', from: '2026-11-02', to: '' } as const;
const many = { ids: 'e1, 12', more: 3 };
const leave = { who: 'e1', kind: 'annual', from: '2026-11-02', to: '2026-11-03', state: 'asked' };

test.each<readonly [action: string, subject: string | Reason, names: readonly string[]]>([
  ['PUT /devices/FACE-T1_A0001', 'FACE-T1_A0001', ['FACE-T1_A0001 North gate']],
  ['PUT /devices/FACE-T1_A0002', '', ['FACE-T1_A0002 FACE-T1_A0002']],
  ['PUT /devices/FACE-T1_A0003', 'FACE-T1_A0003', []],
  ['PUT /boxes/FACE-T1_A0001', 'FACE-T1_A0001', []],
  [
    'POST /devices/people-data',
    say('may_receive', { ids: 'FACE-T1_A0001, FACE-T1_A0009', more: 0 }),
    ['FACE-T1_A0001 North gate'],
  ],
  ['COMMAND', ownSubjects.say('command', { device: 'FACE-T1_A0001', action: 9001 }), ['FACE-T1_A0001 North gate']],
  ['PUT /people/e1', 'e1', ['e1 Li Mei']],
  ['POST /people', 'e1', ['e1 Li Mei']],
  ['DELETE /people/gone', 'gone', []],
  ['PUT /departments/e1', 'e1', []],
  ['GET /people/e1/features', say('features', { who: 'e1' }), ['e1 Li Mei']],
  [
    'PUT /people/12/employment',
    auditPlans.say('employment', { who: '12', was: '/', is: '2026-01-01/' }),
    ['12 Wu Tao'],
  ],
  ['POST /schedules/leaves', auditPlans.say('leave', leave), ['e1 Li Mei']],
  ['GET /access/12/photo', say('photo_of', { who: 'e1', passage }), ['e1 Li Mei']],
  ['GET /access/12/photo', say('photo_of_stranger', { passage }), []],
  ['PUT /schedules/rosters/12', auditPlans.say('roster', rule), ['12 Wu Tao']],
  ['POST /schedules/rosters', auditPlans.say('roster', { ...rule, whose: 'department', id: 'e1' }), []],
  ['POST /people/bulk', say('last_day', { ...many, day: '2026-11-02' }), ['e1 Li Mei', '12 Wu Tao']],
  ['POST /unknown-people/joins', say('joined', { written: 'e99', who: 'e1' }), ['e1 Li Mei']],
  [
    'POST /attendance/corrections',
    say('correction', {
      ...{ id: 12, state: 'approved', why: 'forgot', more: 0, how: '' },
      items: 'e1\t2026-11-20 08:00\t\n12\t2026-11-20 08:01\t',
    }),
    ['e1 Li Mei', '12 Wu Tao'],
  ],
  ['GET /reports/month/month.csv', say('month', { month: '2026-11', department: '12', who: 'e1' }), ['e1 Li Mei']],
  ['POST /people/import', say('rows_changed', { list: 'employees', changed: 12, rows: 12 }), []],
])('the ids in an entry are named: %s %s', async (action, subject, names) => {
  const about = subjectOf(subject);
  const entry = { action, subject: about.subject, ...about.said };
  const [named] = await auditNames(opened.store.read, opened.store.directory, [entry]);
  expect(named!.map(({ id, name }) => `${id} ${name}`)).toEqual(names);
});

test.each([
  ['PUT /devices/FACE-T1_A0001', 'changed a device', 'FACE-T1_A0001'],
  ['PUT /devices/:id', 'changed a device', ''],
  ['POST /attendance/corrections/12/undo', 'undid a correction of check-ins', '12'],
  ['POST /attendance/corrections/12/approve', 'decided on a correction of check-ins', '12 approve'],
  ['sign in', 'signed in', ''],
  ['constructor', undefined, ''],
  ['GET /devices/a%2Fb', undefined, ''],
])('%s is named after its operation', (action, name, about) => {
  const { did, about: ids } = auditedActions([
    changed('put', '/devices/{id}', 'changed a device'),
    changed('post', '/attendance/corrections/{id}/undo', 'undid a correction of check-ins'),
    changed('post', '/attendance/corrections/{id}/{decision}', 'decided on a correction of check-ins'),
  ])(action);
  expect([did?.en, ids]).toEqual([name, about]);
});

function changed(method: 'put' | 'post', path: string, name: string) {
  const text = described(name, 'x');
  return operation({ method, path, role: 'staff', summary: text, audited: text, returns: text, answer: z.object({}) });
}
