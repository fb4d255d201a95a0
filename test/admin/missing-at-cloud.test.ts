import { expect, test } from 'vitest';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { startSimCloud } from '../../tools/sim/index.ts';
import { AttendanceCaller } from '../support/attendance.ts';
import { aBox } from '../support/box.ts';

const key = { app_key: 'ak1', app_secret: 'as1' };
const employee = (ext_id: string) => ({
  ...{ ext_id, name: `Name of ${ext_id}`, mobile: '1', employee_num: ext_id },
  department: { ext_id: '0' },
});

test('status tells who is missing at the cloud, and staff deletes as many as it was shown', async () => {
  await using cloud = await startSimCloud({
    ...{ clock: realClock, random: realRandom, products: [] },
    attendance: {
      attendance_callers: [key],
      departments: [{ ext_id: '0', name: 'Plant 4' }],
      employees: [employee('e1'), employee('e2')],
    },
  });
  const url = cloud.urls.deviceHttp!;
  await using box = await aBox({ upstream: { attendance: { url, ...key } } });
  const { admin } = box.opened;
  expect(await admin.attendance.sync()).toMatchObject({ mirror: { state: 'up', hidden: 0 } });
  await new AttendanceCaller(url, Date.now).call('/v2.0/employee/delete', { employee_ext_id: 'e1' });
  expect(await admin.attendance.sync()).toMatchObject({ mirror: { state: 'up', hidden: 1, held: 0 } });
  expect((await box.run('status')).stdout).toContain(
    '1 missing there, deleted here after 24 hours of it: the page Sync lists them',
  );
  expect((await admin.attendance.report()).missing).toMatchObject({
    total: 1,
    rows: [{ kind: 'employee', ext_id: 'e1', name: 'Name of e1' }],
  });
  expect(await admin.attendance.deleteMissing({ total: 2 })).toEqual({ deleted: null });
  expect(await admin.attendance.deleteMissing({ total: 1 })).toEqual({ deleted: 1 });
  expect((await admin.attendance.report()).missing).toEqual({ total: 0, rows: [] });
});
