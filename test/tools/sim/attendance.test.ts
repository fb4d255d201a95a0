import { expect, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import { type SimCloud, type SimCloudOptions, startSimCloud } from '../../../tools/sim/index.ts';
import { AttendanceCaller, signed } from '../../support/attendance.ts';
import { seededRandom } from '../../support/clock.ts';
import { terminalOver } from '../../support/sim-terminal.ts';
import { aSite } from '../../support/site.ts';

const payroll = { app_key: 'ak1', app_secret: 'as1' };
const people = ['e1', 'e2', 'e3'].map((ext_id, index) => ({
  ext_id,
  name: `Name of ${ext_id}`,
  mobile: '13800000000',
  employee_num: String(1001 + index),
  department: { ext_id: 'd1', title: 'Fitter' },
}));
const organization = {
  attendance_callers: [payroll],
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
  ],
  employees: people,
};

const aCloud = (attendance: SimCloudOptions['attendance'] = {}, options: Partial<SimCloudOptions> = {}) =>
  startSimCloud({
    clock: realClock,
    random: seededRandom(1),
    products: aSite().products,
    attendance: { ...organization, callsPerSecond: 100_000, ...attendance },
    ...options,
  });
const callerOf = (cloud: SimCloud) => new AttendanceCaller(cloud.urls.deviceHttp!, Date.now);
const query = { next_id: 0, page_size: 500 };

test('the organization is that of the site file, in pages, with ids that no box gives', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  const { data: departments } = await caller.call('/v2.0/department/query', { limit: 100 });
  expect(departments).toMatchObject({
    total: 2,
    rows: [
      { pid: '', name: 'Plant 4', department_ext_id: '0' },
      { pid: departments.rows[0].id, name: 'Assembly', department_ext_id: 'd1' },
    ],
  });
  const { data: page } = await caller.call('/v2.0/employee/query', { limit: 1, offset: 1 });
  expect(page).toEqual({
    total: 3,
    rows: [
      {
        id: expect.stringMatching(/^9\d{6}$/),
        ext_id: 'e2',
        name: 'Name of e2',
        mobile: '13800000000',
        employee_num: '1002',
        department_infos: [{ id: departments.rows[1].id }],
      },
    ],
  });
});

test('what is written can be read; rules of SPEC 4.8 that are broken have their codes', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  const written = {
    employee_ext_id: 'e9',
    name: 'New',
    mobile: '1',
    employee_num: '9',
    department_infos: [{ ext_id: 'd1', title: 'Clerk' }],
  };
  expect((await caller.call('/v2.0/employee', written)).data).toEqual({
    ext_id: 'e9',
    name: 'New',
    mobile: '1',
    employee_num: '9',
  });
  const code = async (path: string, body: object) => (await caller.call(path, body)).code;
  expect(await code('/v2.0/employee', { ...written, department_infos: [{ ext_id: 'nowhere' }] })).toBe(203);
  expect(await code('/v2.0/employee', { ...written, name: 'n'.repeat(31) })).toBe(106);
  expect(await code('/v2.0/employee', { ...written, department_infos: [] })).toBe(106);
  expect(await code('/v2.0/department/delete', { department_ext_id: 'd1' })).toBe(202);
  const [{ id }] = (await caller.call('/v2.0/employee/query', { limit: 1 })).data.rows;
  expect(await code('/v2.0/employee/ext', { id, ext_id: 'e2' })).toBe(201);
  expect(await code('/v2.0/employee/query', { limit: 101 })).toBe(106);
  expect(await code('/v2.0/department', { department_ext_id: 'd2', name: 'Paint', p_ext_id: 'd1' })).toBe(0);
  expect(await code('/v2.0/department/delete', { department_ext_id: 'd2' })).toBe(0);
});

test('each header that is missing or wrong has its code of SPEC 7.3', async () => {
  // However long the test takes, all of it is in one second.
  await using cloud = await aCloud({ callsPerSecond: 2 }, { clock: { ...realClock, monotonic: () => 0 } });
  const caller = callerOf(cloud);
  const path = '/v2.0/employee/query';
  const code = async (headers: Record<string, string | null>, command?: string) =>
    (await caller.call(command ? '/v2.0/cloudappapi' : path, {}, { headers, ...(command ? { command } : {}) })).code;
  expect(await code({ 'App-Key': null })).toBe(102);
  expect(await code({ 'App-Key': 'nobody' })).toBe(101);
  expect(await code({ 'App-Sig': null })).toBe(104);
  expect(await code({ 'App-Sig': '0'.repeat(32) })).toBe(103);
  expect(await code({ 'App-Timestamp': null })).toBe(105);
  expect(await code(signed(path, 'ak1', 'as1', String(Date.now() - 700_000)))).toBe(109);
  expect(await code({}, 'checkin_nothing')).toBe(107);
  expect(await code({ 'Api-Module': 'ACS' }, 'checkin_query')).toBe(107);
  expect((await caller.call(path, {}, { raw: 'not JSON' })).code).toBe(106);
  expect((await caller.call(path)).code).toBe(0);
  expect((await caller.call(path)).code).toBe(110);
});

test('nothing is returned before initialization, and nothing from before it afterwards (SPEC 3.7)', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  cloud.attendance.addPhoneCheckIns({ count: 10 });
  expect((await caller.run('checkin_query', query)).data).toEqual({ next_id: 0, data: [] });
  const initialized = await caller.run('checkin_query_init');
  expect(initialized).toMatchObject({ code: 0 });
  expect(initialized.data).toBeUndefined();
  expect((await caller.run('checkin_query', query)).data.data).toEqual([]);
  cloud.attendance.addPhoneCheckIns({ count: 3 });
  await caller.run('checkin_query_init');
  expect((await caller.walk()).records).toHaveLength(3);
});

test('phone check-ins have the keys of SPEC 2.15, are the same when read again, each once in pages of any size', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  await caller.run('checkin_query_init');
  cloud.attendance.addPhoneCheckIns({ count: 1000 });
  const { records, nextId } = await caller.walk(0, 500);
  expect(records).toHaveLength(1000);
  expect((await caller.walk(0, 33)).records).toEqual(records);
  expect(new Set(records.map(one => one.id)).size).toBe(1000);
  const byType = Object.groupBy(records, one => one.check_type);
  expect(Object.keys(byType).sort()).toEqual(
    ['app_scan', 'fa', 'flexible', 'gps', 'out_work', 'reissue', 'wifi'].sort(),
  );
  const person = ['dept_id', 'dept_name', 'employee_num', 'member_name'];
  const keysOf = (type: string) => Object.keys(byType[type]![0].check_data).sort();
  expect(keysOf('wifi')).toEqual([...person, 'mac_address', 'name', 'phone_model', 'ssid'].sort());
  expect(keysOf('gps')).toEqual([...person, 'lat', 'lgt', 'location', 'name', 'phone_model'].sort());
  expect(keysOf('out_work')).toEqual(
    [...person, 'comment', 'lat', 'lgt', 'location', 'name', 'phone_model', 'photo'].sort(),
  );
  expect(byType.reissue![0]).toMatchObject({ terminal_id: 'apply', check_time: expect.any(Number) });
  const sums = new Map([...Map.groupBy(records, one => one.ext_id)].map(([extId, { length }]) => [extId, length]));
  expect(cloud.attendance.countsByPerson()).toEqual(sums);
  cloud.attendance.addPhoneCheckIns({ count: 1, types: ['gps'] });
  expect((await caller.walk(nextId)).records).toMatchObject([{ check_type: 'gps' }]);
});

test('a terminal that reports through the gateway is listed, its check-ins come once even when sent twice', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  await caller.run('checkin_query_init');
  const terminal = await terminalOver(cloud);
  const report = {
    records: [
      { ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000, check_data: { cmd: 'in' } },
      { employee_num: '1002', check_type: 'card', check_time: 1_763_600_001 },
      { ext_id: 'nobody', check_type: 'fa', check_time: 1_763_600_002 },
    ],
  };
  await terminal.report(2001, report, 'm1');
  await terminal.report(2001, report, 'm1');
  const { records } = await caller.walk();
  expect(records).toMatchObject([
    { ext_id: 'e1', terminal_id: 'A0001', check_type: 'fa', check_time: 1_763_600_000, check_data: { cmd: 'in' } },
    { ext_id: 'e2', terminal_id: 'A0001', check_type: 'card', check_time: 1_763_600_001 },
  ]);
  expect(cloud.attendance.stats()).toMatchObject({ check_ins: 2, repeats: 3, unknown_people: 2 - 1 });
  expect((await caller.call('/v2.0/org/device/query')).data).toEqual({
    total: 1,
    rows: [{ sn: 'A0001', name: 'A0001', online: true }],
  });
});

test('access records of passed people only, unless all are asked for; photos where there are some', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  const terminal = await terminalOver(cloud);
  await terminal.report(2002, {
    records: [
      {
        door_id: 'D1',
        ext_id: 'e1',
        check_type: 'fa',
        check_time: 1_763_600_000,
        check_result: 0,
        capture_img: 'QUJD',
      },
      { door_id: 'D1', check_type: 'fa', check_time: 1_763_600_001, check_result: 2 },
    ],
  });
  const passed = await caller.run('checkin_acs_query', query);
  expect(passed.data.data).toMatchObject([
    { id: expect.any(Number), door_id: 'D1', ext_id: 'e1', check_result: 0, capture_img: 'QUJD' },
  ]);
  const all = await caller.run('checkin_acs_query', { ...query, pass_only: false });
  expect(all.data.data).toHaveLength(2);
  expect(all.data.data[1]).toMatchObject({ user_id: '', ext_id: '', check_result: 2 });
  expect(all.data.data[1]).not.toHaveProperty('capture_img');
  const rest = await caller.run('checkin_acs_query', { next_id: all.data.next_id, page_size: 500, pass_only: false });
  expect(rest.data).toEqual({ next_id: all.data.next_id, data: [] });
});

test('whoever is deleted is gone with all check-ins, and comes back as a new person', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  await caller.run('checkin_query_init');
  cloud.attendance.addPhoneCheckIns({ count: 300 });
  await caller.call('/v2.0/employee/delete', { employee_ext_id: 'e1' });
  const left = (await caller.walk()).records;
  expect(left.length).toBeGreaterThan(150);
  expect(left.filter(one => one.ext_id === 'e1')).toEqual([]);
  const again = { employee_ext_id: 'e1', name: 'Again', mobile: '', employee_num: '7' };
  await caller.call('/v2.0/employee', { ...again, department_infos: [{ ext_id: 'd1' }] });
  expect((await caller.walk()).records).toHaveLength(left.length);
});

test('features are stored, returned by type and algorithm, and marked where a terminal cannot use them', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  const face = { feature_type: 'fa', feature_alg: 'base64' };
  const update = await caller.run('feature_update', {
    users: [
      { ext_id: 'e1', ...face, feature_value: ['QUJD', 'REVG'] },
      { ext_id: 'nobody', ...face, feature_value: ['QUJD'] },
      { ext_id: 'e2', ...face, feature_value: ['data:image/png;base64,QUJD'] },
    ],
  });
  expect(update.data).toEqual({ error_ext_ids: ['nobody', 'e2'] });
  const find = async () => (await caller.run('checkin_feature_query', { user_ext_id: 'e1', ...face })).data;
  expect(await find()).toEqual({
    features: [
      { value: 'QUJD', is_abnormal: false },
      { value: 'REVG', is_abnormal: false },
    ],
  });
  const terminal = await terminalOver(cloud);
  await terminal.report(2102, { failed: [{ ext_id: 'e1', feature_type: 'fa' }] });
  expect((await find()).features).toMatchObject([{ is_abnormal: true }, { is_abnormal: true }]);
});

test('a million check-ins are there at once, cost next to no memory, and a page deep inside is fast', async () => {
  await using cloud = await aCloud();
  const caller = callerOf(cloud);
  await caller.run('checkin_query_init');
  const before = process.memoryUsage().heapUsed;
  cloud.attendance.addPhoneCheckIns({ count: 1_000_000 });
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 << 20);
  const { data } = await caller.run('checkin_query', { next_id: 6_999_000, page_size: 500 });
  expect(data.data).toHaveLength(144);
  expect([...cloud.attendance.countsByPerson().values()].reduce((sum, one) => sum + one, 0)).toBe(1_000_000);
});
