import { expect, test } from 'vitest';
import { anAttendanceBox, payroll } from '../../support/attendance.ts';
import { until } from '../../support/until.ts';

const minute = 60_000;

test('each request is listed with its command and answer, rejected ones first, accepted ones for an hour', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  await box.gateway.clock.advance(1000);
  await box.caller.run('checkin_query', { next_id: 'x' });
  await box.gateway.clock.advance(1000);
  for (let turn = 0; turn < 3; turn++) await box.caller.call('/v2.0/department/query');
  await box.callerOf('ak1', 'guess').call('/v2.0/department/query');
  const of = { caller: 'ak1', method: 'POST', status: 200 };
  const cloudappapi = '/v2.0/cloudappapi';
  expect(box.attendance.requests()).toMatchObject([
    { ...of, path: '/v2.0/department/query', code: 103, why: { mistake: 'other_secret' } },
    { ...of, path: cloudappapi, command: 'checkin_query', code: 106, why: { mistake: 'bad_body' } },
    { ...of, path: '/v2.0/department/query', command: '', code: 0, why: null, count: 3 },
    { ...of, path: cloudappapi, command: 'checkin_query_init', code: 0, why: null, count: 1 },
  ]);
  expect(box.attendance.status().refusedCalls).toHaveLength(1);
  await box.gateway.clock.advance(60 * minute);
  expect(box.attendance.requests().map(({ code }) => code)).toEqual([103, 106]);
});

test('nothing in the list names a person or is a secret', async () => {
  await using box = await anAttendanceBox();
  const person = { employee_ext_id: 'ext-of-mei', name: 'Li Mei', department_infos: [{ ext_id: 'nowhere' }] };
  await box.caller.call('/v2.0/employee', person);
  await box.caller.call('/v2.0/employee', { ...person, mobile: 'x'.repeat(99) });
  await box.caller.run('feature_query', { user_ext_id: 'ext-of-mei', feature_type: 'fa', feature_alg: 'a' });
  await box.caller.call('/v2.0/employee/query?name=ext-of-mei', {}, { raw: '{"ext-of-mei": [' });
  const listed = box.attendance.requests();
  expect(listed.length).toBeGreaterThanOrEqual(3);
  expect(JSON.stringify(listed)).not.toMatch(/ext-of-mei|Li Mei|xxx/);
  expect(JSON.stringify(listed)).not.toContain(payroll.app_secret);
});

test('the last use of a key is known after a restart; a rejected signature is none', async () => {
  await using box = await anAttendanceBox();
  await box.callerOf('ak1', 'guess').run('checkin_query');
  expect(box.attendance.uses().size).toBe(0);
  await box.caller.run('checkin_query_init');
  const use = { at: box.gateway.clock.now(), address: '127.0.0.1', call: '/v2.0/cloudappapi checkin_query_init' };
  expect([...box.attendance.uses()]).toEqual([['ak1', use]]);
  const { store } = box.gateway;
  await until('the use is stored', async () => (await store.read.callerUses()).attendance.length > 0);
  expect((await store.read.callerUses()).attendance).toEqual([{ id: 'ak1', ...use }]);
});
