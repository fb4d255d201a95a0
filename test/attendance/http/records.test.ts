import { expect, test } from 'vitest';
import { anAttendanceBox } from '../../support/attendance.ts';

const init = { command: 'checkin_query_init' };
void init;

test('a check-in is handed out as SPEC 2.15 has it, with the organization filled in', async () => {
  await using box = await anAttendanceBox();
  const { caller } = box;
  expect(await caller.run('checkin_query_init')).toMatchObject({ status: 200, code: 0, msg: 'ok' });
  await box.report({ records: [{ id: 'x', ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000 }] });
  expect((await caller.run('checkin_query', { next_id: 0, page_size: 500 })).data).toEqual({
    next_id: 1,
    data: [
      {
        id: '1',
        user_id: '1',
        ext_id: 'e1',
        terminal_id: 'A0001',
        check_type: 'fa',
        check_time: 1_763_600_000,
        check_data: {
          device_name: 'North gate',
          employee_num: '1001',
          dept_name: 'Assembly',
          cmd: '',
          member_name: 'Li Mei',
          dept_id: '2',
        },
      },
    ],
  });
});
