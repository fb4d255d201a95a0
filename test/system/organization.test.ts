import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AttendanceAnswer, AttendanceCaller } from '../support/attendance.ts';
import { BoxProcess } from '../support/program.ts';
import { until } from '../support/until.ts';

const ofBox = { app_key: 'box', app_secret: 's3cret-of-the-box' };
const clerk = { app_key: 'clerk', app_secret: 's3cret-of-the-clerk' };
const payroll = { app_key: 'payroll', app_secret: 's3cret-of-payroll' };

const atCloud = {
  attendance_callers: [ofBox, clerk],
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
    { ext_id: 'd2', name: 'Paint shop', p_ext_id: '0' },
  ],
  employees: [{ ext_id: 'e1', name: 'Li Mei', employee_num: '1001', department: { ext_id: 'd1' } }],
};

const callerOf = async (box: BoxProcess, { app_key, app_secret }: typeof payroll) =>
  new AttendanceCaller(`https://${box.addresses.https}`, Date.now, app_key, app_secret, {
    ca: await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8'),
  });

const rowsOf = ({ code, msg, data }: AttendanceAnswer) => {
  if (code !== 0) throw new Error(`${code}: ${msg}`);
  return data.rows;
};

interface Report {
  readonly mirror: { readonly state: string };
  readonly writes: {
    readonly waiting: number;
    readonly refused: readonly { id: number; subject: string; caller: string; code: number; reason: string }[];
  };
}

test('the line cut: reads answer, writes are taken, kept over a kill, and passed on in order; what the cloud then refuses is shown with its reason', async () => {
  await using cloud = await BoxProcess.start({}, atCloud);
  await using box = await BoxProcess.start(
    {
      upstream: {
        attendance: { url: `https://127.0.0.1:${cloud.port('https')}`, ...ofBox },
        ca: `file:${join(cloud.dataDir, 'tls', 'ca.pem')}`,
      },
    },
    { attendance_callers: [payroll] },
  );
  const report = async (): Promise<Report> => JSON.parse(await box.ask('attendance', 'status', '--json'));
  await until('the box follows the cloud', async () => (await report()).mirror.state === 'up');
  const there = await callerOf(cloud, clerk);
  const here = await callerOf(box, payroll);
  const peopleOf = async (one: AttendanceCaller) => rowsOf(await one.call('/v2.0/employee/query'));
  const departmentsOf = async (one: AttendanceCaller) => rowsOf(await one.call('/v2.0/department/query'));
  const mirrored = { people: await peopleOf(there), departments: await departmentsOf(there) };

  await cloud.kill9();
  expect(await peopleOf(here)).toEqual(mirrored.people);
  expect(await departmentsOf(here)).toEqual(mirrored.departments);
  const hired = Array.from({ length: 10 }, (_, index) => `p${index}`);
  for (const extId of hired)
    expect(
      await here.call('/v2.0/employee', {
        employee_ext_id: extId,
        name: `Name of ${extId}`,
        mobile: '1',
        employee_num: extId,
        department_infos: [{ ext_id: 'd1' }],
      }),
    ).toMatchObject({ code: 0 });
  expect(await here.call('/v2.0/department/delete', { department_ext_id: 'd2' })).toMatchObject({ code: 0 });
  expect((await departmentsOf(here)).map((one: { ext_id: string }) => one.ext_id)).not.toContain('d2');
  expect((await report()).writes).toEqual({ waiting: 11, refused: [] });

  await box.kill9();
  await cloud.start();
  const moved = { employee_ext_id: 'e1', name: 'Li Mei', mobile: '', employee_num: '1001' };
  expect(await there.call('/v2.0/employee', { ...moved, department_infos: [{ ext_id: 'd2' }] })).toMatchObject({
    code: 0,
  });
  await box.start();
  await until('everything is passed on', async () => (await report()).writes.waiting === 0);

  const hiredThere = (await peopleOf(there)).filter((one: { ext_id: string }) => one.ext_id !== 'e1');
  expect(
    hiredThere
      .toSorted((one: { id: string }, other: { id: string }) => Number(one.id) - Number(other.id))
      .map((one: { ext_id: string }) => one.ext_id),
  ).toEqual(hired);
  const { writes } = await report();
  expect(writes.refused).toMatchObject([{ caller: 'payroll', subject: expect.stringContaining('d2') }]);
  const shown = await box.ask('attendance', 'status');
  const [refused] = writes.refused;
  expect(shown).toContain(`#${refused!.id} ${refused!.subject} by payroll: the cloud answered ${refused!.code}: `);
  await until('the box has what the cloud has', async () => {
    await box.ask('attendance', 'sync');
    return JSON.stringify(await departmentsOf(here)) === JSON.stringify(await departmentsOf(there));
  });
  expect(await peopleOf(here)).toEqual(await peopleOf(there));

  expect(await box.ask('attendance', 'refused', 'dismiss', String(refused!.id))).toBe('it is off the list\n');
  expect((await report()).writes.refused).toEqual([]);
  const again = await box.run('attendance', 'refused', 'dismiss', String(refused!.id));
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('no such refused change')]);
});
