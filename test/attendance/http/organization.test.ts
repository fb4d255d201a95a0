import { expect, test } from 'vitest';
import { lostCharacter } from '../../../src/platform/text-body.ts';
import { listErrors } from '../../../src/words/lists.ts';
import { type AttendanceBox, anAttendanceBox, payroll } from '../../support/attendance.ts';

const fresh = { site: { attendance_callers: [payroll] } };
const han = (many: number) => '李'.repeat(many);
/** 𠮷 is one character and two UTF-16 units. */
const rare = (many: number) => '𠮷'.repeat(many);

const employee = (change: object = {}) => ({
  employee_ext_id: 'e9',
  name: 'Wu Jun',
  mobile: '13900000000',
  employee_num: '0099',
  department_infos: [{ ext_id: 'd1', title: 'Welder' }],
  ...change,
});
const department = (change: object = {}) => ({ department_ext_id: 'd9', name: 'Paint shop', ...change });

async function departments(box: AttendanceBox) {
  return (await box.caller.call('/v2.0/department/query', { limit: 100 })).data.rows as Record<string, string>[];
}
async function employees(box: AttendanceBox) {
  return (await box.caller.call('/v2.0/employee/query', { limit: 100 })).data.rows as Record<string, unknown>[];
}

test('a new organization has a root with external id 0, which init gives another', async () => {
  await using box = await anAttendanceBox(fresh);
  expect(await departments(box)).toEqual([{ id: '1', pid: '', name: 'My site', department_ext_id: '0' }]);
  const init = await box.caller.call('/v2.0/department/init', { department_ext_id: 'hq' });
  expect(init).toMatchObject({ code: 0, data: { ext_id: 'hq', name: 'My site' } });
  expect((await box.caller.call('/v2.0/department/init', { department_ext_id: 'hq' })).code).toBe(0);
  await box.caller.call('/v2.0/department', department());
  expect((await box.caller.call('/v2.0/department/init', { department_ext_id: 'd9' })).code).toBe(201);
  expect((await box.caller.call('/v2.0/department/init', { department_ext_id: 'hq2' })).code).toBe(0);
  expect((await departments(box)).map(row => row.department_ext_id)).toEqual(['hq2', 'd9']);
});

test('a department is created when its external id is unknown and updated otherwise; without a parent it stands under the root', async () => {
  await using box = await anAttendanceBox();
  const created = await box.caller.call('/v2.0/department', department({ p_ext_id: 'd1' }));
  expect(created).toMatchObject({ code: 0, msg: 'ok', data: { ext_id: 'd9', name: 'Paint shop' } });
  expect((await departments(box)).at(-1)).toEqual({ id: '3', pid: '2', name: 'Paint shop', department_ext_id: 'd9' });
  await box.caller.call('/v2.0/department', department({ name: 'Paint' }));
  expect((await departments(box)).at(-1)).toEqual({ id: '3', pid: '1', name: 'Paint', department_ext_id: 'd9' });
});

test.each([
  ['an unknown parent', { p_ext_id: 'nowhere' }, 203, 'unknown id: p_ext_id: no department has this external id'],
  [
    'itself as parent',
    { department_ext_id: 'd1', p_ext_id: 'd1' },
    106,
    'p_ext_id: a department cannot be its own parent',
  ],
  ['the root under another', { department_ext_id: '0', p_ext_id: 'd1' }, 106, 'p_ext_id: the root'],
])('a department with %s is refused', async (_name, change, code, msg) => {
  await using box = await anAttendanceBox();
  const before = await departments(box);
  const answer = await box.caller.call('/v2.0/department', department(change));
  expect(answer.code).toBe(code);
  expect(answer.msg).toContain(msg);
  expect(await departments(box)).toEqual(before);
});

test('a circle over several departments is refused', async () => {
  await using box = await anAttendanceBox();
  await box.caller.call('/v2.0/department', department({ department_ext_id: 'd2', p_ext_id: 'd1' }));
  await box.caller.call('/v2.0/department', department({ department_ext_id: 'd3', p_ext_id: 'd2' }));
  expect(
    (await box.caller.call('/v2.0/department', department({ department_ext_id: 'd1', p_ext_id: 'd3' }))).code,
  ).toBe(106);
});

test('external ids are unique: ext refuses one that another has, and takes one that is free', async () => {
  await using box = await anAttendanceBox();
  await box.caller.call('/v2.0/department', department());
  await box.caller.call('/v2.0/employee', employee());
  const ext = (what: string, body: object) => box.caller.call(`/v2.0/${what}/ext`, body);
  expect(await ext('department', { id: '3', ext_id: 'd1' })).toMatchObject({
    code: 201,
    msg: 'external id in use: ext_id: another department has this external id',
  });
  expect((await ext('employee', { id: '2', ext_id: 'e1' })).code).toBe(201);
  expect(await ext('department', { id: '3', ext_id: 'paint' })).toEqual(
    expect.objectContaining({ code: 0, data: null }),
  );
  expect(await ext('employee', { id: '2', ext_id: 'wu' })).toMatchObject({ code: 0, data: null });
  expect((await departments(box)).at(-1)!.department_ext_id).toBe('paint');
  expect((await employees(box)).at(-1)!.ext_id).toBe('wu');
  // Its own again is no violation, and what was given up is free.
  expect((await ext('employee', { id: '2', ext_id: 'wu' })).code).toBe(0);
  expect((await ext('employee', { id: '1', ext_id: 'e9' })).code).toBe(0);
  expect((await ext('department', { id: '77', ext_id: 'x' })).code).toBe(203);
  expect((await ext('employee', { id: '77', ext_id: 'x' })).code).toBe(203);
});

test('a department with employees, or with employees below it, stays; with empty ones below it goes with them', async () => {
  await using box = await anAttendanceBox();
  const drop = (ext: string) => box.caller.call('/v2.0/department/delete', { department_ext_id: ext });
  await box.caller.call('/v2.0/department', department({ department_ext_id: 'hall', name: 'Hall' }));
  await box.caller.call(
    '/v2.0/department',
    department({ department_ext_id: 'd1', name: 'Assembly', p_ext_id: 'hall' }),
  );
  expect(await drop('d1')).toMatchObject({ code: 202 });
  expect(await drop('hall')).toMatchObject({
    code: 202,
    msg: 'department has employees: department_ext_id: it or a department below it still has employees: move or delete them first',
  });
  await box.caller.call('/v2.0/employee/delete', { employee_ext_id: 'e1' });
  expect(await drop('hall')).toMatchObject({ code: 0, data: null });
  expect((await departments(box)).map(row => row.department_ext_id)).toEqual(['0']);
  expect((await drop('hall')).code).toBe(0);
  expect((await drop('0')).code).toBe(106);
});

test('an employee is created, updated field by field, and listed as SPEC 4.8 has it', async () => {
  await using box = await anAttendanceBox();
  expect(await box.caller.call('/v2.0/employee', employee())).toMatchObject({
    code: 0,
    data: { ext_id: 'e9', name: 'Wu Jun', mobile: '13900000000', employee_num: '0099' },
  });
  expect((await employees(box)).at(-1)).toEqual({
    id: '2',
    ext_id: 'e9',
    name: 'Wu Jun',
    mobile: '13900000000',
    employee_num: '0099',
    department_infos: [{ id: '2' }],
  });
  const update = await box.caller.call('/v2.0/employee', { employee_ext_id: 'e9', name: 'Wu Jun 2' });
  expect(update.data).toEqual({ ext_id: 'e9', name: 'Wu Jun 2', mobile: '13900000000', employee_num: '0099' });
  expect((await employees(box)).at(-1)).toMatchObject({ id: '2', department_infos: [{ id: '2' }] });
});

test('an employee of an unknown department is refused', async () => {
  await using box = await anAttendanceBox();
  const answer = await box.caller.call('/v2.0/employee', employee({ department_infos: [{ ext_id: 'd77' }] }));
  expect(answer).toMatchObject({
    code: 203,
    msg: 'unknown id: department_infos[0].ext_id: no department has this external id',
  });
});

test.each([['mobile', 'employee_num', 'name', 'department_infos'].map(field => field)].flat())(
  'a new employee needs %s',
  async field => {
    await using box = await anAttendanceBox();
    const answer = await box.caller.call('/v2.0/employee', employee({ [field]: undefined }));
    expect(answer.code).toBe(106);
    expect(answer.msg).toContain(field);
  },
);

const fields: [string, string, (value: string) => object, number][] = [
  ['/v2.0/department/init', 'department_ext_id', value => ({ department_ext_id: value }), 32],
  ['/v2.0/department', 'department_ext_id', value => department({ department_ext_id: value }), 32],
  ['/v2.0/department', 'name', value => department({ name: value }), 30],
  ['/v2.0/department/delete', 'department_ext_id', value => ({ department_ext_id: value }), 32],
  ['/v2.0/department/ext', 'ext_id', value => ({ id: '2', ext_id: value }), 32],
  ['/v2.0/employee', 'employee_ext_id', value => employee({ employee_ext_id: value }), 32],
  ['/v2.0/employee', 'name', value => employee({ name: value }), 30],
  ['/v2.0/employee', 'mobile', value => employee({ mobile: value }), 20],
  ['/v2.0/employee', 'employee_num', value => employee({ employee_num: value }), 20],
  [
    '/v2.0/employee',
    'department_infos[0].title',
    value => employee({ department_infos: [{ ext_id: 'd1', title: value }] }),
    16,
  ],
  ['/v2.0/employee/ext', 'ext_id', value => ({ id: '1', ext_id: value }), 32],
  ['/v2.0/employee/delete', 'employee_ext_id', value => ({ employee_ext_id: value }), 32],
];

test.each(fields)('%s: %s counts characters, not bytes', async (path, field, body, most) => {
  await using box = await anAttendanceBox();
  expect((await box.caller.call(path, body(han(most)))).code).toBe(0);
  expect((await box.caller.call(path, body(rare(most)))).code).toBe(0);
  for (const long of [han(most + 1), rare(most + 1)])
    expect(await box.caller.call(path, body(long))).toMatchObject({
      code: 106,
      msg: `request body format wrong: ${field}: at most ${most} characters`,
    });
});

test.each([
  ['/v2.0/department', 'p_ext_id', department({ p_ext_id: han(33) }), 'p_ext_id: at most 32 characters'],
  [
    '/v2.0/employee',
    'department',
    employee({ department_infos: [{ ext_id: han(33) }] }),
    'department_infos[0].ext_id: at most 32 characters',
  ],
  [
    '/v2.0/employee',
    'two departments',
    employee({ department_infos: [{ ext_id: 'd1' }, { ext_id: '0' }] }),
    'department_infos: an employee has exactly one department',
  ],
  [
    '/v2.0/employee',
    'no department',
    employee({ department_infos: [] }),
    'department_infos: an employee has exactly one department',
  ],
  ['/v2.0/employee', 'a number as name', employee({ name: 7 }), 'name: must be text'],
  ['/v2.0/employee', 'an empty name', employee({ name: '' }), 'name: is empty'],
  ['/v2.0/employee', 'half a character', employee({ name: 'a\ud842' }), `name: ${lostCharacter}`],
  ['/v2.0/employee', 'a lost character', employee({ name: 'J\ufffdgen' }), `name: ${lostCharacter}`],
  ['/v2.0/employee', 'no ext id', employee({ employee_ext_id: undefined }), 'employee_ext_id: is missing'],
  ['/v2.0/department', 'no name', { department_ext_id: 'd9' }, 'name: is missing'],
  ['/v2.0/department', 'an empty ext id', department({ department_ext_id: '' }), 'department_ext_id: is empty'],
  ['/v2.0/department/ext', 'no id', { ext_id: 'x' }, 'id: is missing'],
] as const)('%s with %s is a 106 that names the field', async (path, _name, body, msg) => {
  await using box = await anAttendanceBox();
  expect(await box.caller.call(path, body)).toMatchObject({ code: 106, msg: `request body format wrong: ${msg}` });
});

test.each(['department', 'employee', 'org/device'])('%s/query pages by limit and offset', async what => {
  await using box = await anAttendanceBox();
  for (let turn = 0; turn < 5; turn++) {
    await box.caller.call('/v2.0/department', department({ department_ext_id: `x${turn}` }));
    await box.caller.call('/v2.0/employee', employee({ employee_ext_id: `x${turn}` }));
    await box.gateway.store.write.applySite({
      site: { devices: [{ device_id: `FACE-T1_B${turn}` }] },
      prune: false,
      dryRun: false,
      at: 1,
    });
  }
  const ask = async (body: object) => await box.caller.call(`/v2.0/${what}/query`, body);
  const all = (await ask({})).data;
  expect(all.total).toBe(all.rows.length);
  const walked: unknown[] = [];
  for (let offset = 0; ; offset += 2) {
    const { data } = await ask({ limit: 2, offset });
    expect(data.total).toBe(all.total);
    if (data.rows.length === 0) break;
    walked.push(...data.rows);
  }
  expect(walked).toEqual(all.rows);
  expect((await ask({ limit: '1', offset: '1' })).data.rows).toEqual([all.rows[1]]);
  for (const limit of [0, 101, -1, 1.5, 'ten', true])
    expect(await ask({ limit })).toMatchObject({
      code: 106,
      msg: 'request body format wrong: limit: must be a whole number from 1 to 100',
    });
  expect((await ask({ offset: -1 })).code).toBe(106);
  expect((await ask({ limit: 100 })).code).toBe(0);
});

test('org/device/query says which terminals are online', async () => {
  await using box = await anAttendanceBox({
    site: {
      attendance_callers: [payroll],
      devices: [{ device_id: 'FACE-T1_A0001', name: 'North gate' }, { device_id: 'FACE-T1_A0002' }],
    },
  });
  await box.punch('e1');
  expect((await box.caller.call('/v2.0/org/device/query', { limit: 10 })).data).toEqual({
    total: 2,
    rows: [
      { sn: 'A0001', name: 'North gate', online: true },
      { sn: 'A0002', name: 'A0002', online: false },
    ],
  });
});

test.each([
  ['no JSON', '{"limit":', 'not JSON'],
  ['a list', '[7]', 'not a JSON object'],
  ['text', '"x"', 'not a JSON object'],
])('a body that is %s is a 106', async (_name, raw, msg) => {
  await using box = await anAttendanceBox();
  expect(await box.caller.call('/v2.0/department/query', {}, { raw })).toMatchObject({
    code: 106,
    msg: `request body format wrong: ${msg}`,
  });
});

test.each(['[]', 'null', ' [ ] '])('a body of %s is one without fields, where none is needed', async raw => {
  await using box = await anAttendanceBox();
  expect(await box.caller.run('checkin_query_init', {}, { raw })).toMatchObject({ code: 0 });
  expect(await box.caller.run('checkin_query', {}, { raw })).toMatchObject({ code: 0, data: { next_id: 0 } });
  for (const path of ['/v2.0/department/query', '/v2.0/employee/query', '/v2.0/org/device/query'])
    expect(await box.caller.call(path, {}, { raw })).toMatchObject({ code: 0 });
  expect(await box.caller.call('/v2.0/department', {}, { raw })).toMatchObject({
    code: 106,
    msg: 'request body format wrong: not a JSON object',
  });
});

test('numbers are folded: full width, no width, blanks around them', async () => {
  await using box = await anAttendanceBox();
  const body = employee({
    employee_ext_id: ' ｅ９\u200b',
    employee_num: '\u3000００９９ ',
    mobile: '１３９00000000\ufeff',
  });
  const folded = { ext_id: 'e9', employee_num: '0099', mobile: '13900000000' };
  expect(await box.caller.call('/v2.0/employee', body)).toMatchObject({ code: 0, data: folded });
  expect(await employees(box)).toContainEqual(expect.objectContaining(folded));
  expect(await box.caller.call('/v2.0/employee', employee({ employee_ext_id: '\u200b' }))).toMatchObject({
    code: 106,
    msg: 'request body format wrong: employee_ext_id: is empty',
  });
});

test.each(['\u202e', '\u2066', '\u200f', '\u061c'])(
  'a name with a control of direction (%j) is a 106',
  async control => {
    await using box = await anAttendanceBox();
    const name = `Li ${control}Mei`;
    const msg = expect.stringContaining(`name: ${listErrors.say('turns_direction').reason}`);
    expect(await box.caller.call('/v2.0/employee', employee({ name }))).toMatchObject({ code: 106, msg });
    expect(await box.caller.call('/v2.0/department', department({ name }))).toMatchObject({ code: 106, msg });
  },
);

test('a name in another encoding is a 106 that names it, and nothing is stored', async () => {
  await using box = await anAttendanceBox();
  const before = await employees(box);
  const [front, back] = JSON.stringify(employee({ name: '@' })).split('@') as [string, string];
  for (const [name, encoding] of [
    ['d5c5ceb0', 'GBK'],
    ['4afc7267656e', 'windows-1252'],
  ] as const) {
    const raw = Buffer.concat([Buffer.from(front), Buffer.from(name, 'hex'), Buffer.from(back)]);
    expect(await box.caller.call('/v2.0/employee', {}, { raw })).toMatchObject({
      code: 106,
      msg: `request body format wrong: the body is not UTF-8 but ${encoding}${encoding === 'GBK' ? '' : ' or the like'}, as it seems: encode it as UTF-8`,
    });
  }
  const marked = Buffer.from(`\ufeff${JSON.stringify(employee())}\0`);
  expect(await employees(box)).toEqual(before);
  expect(await box.caller.call('/v2.0/employee', {}, { raw: marked })).toMatchObject({ code: 0 });
});

test('an empty body is an empty object, whatever the content type says', async () => {
  await using box = await anAttendanceBox();
  const headers = { 'Content-Type': 'text/plain' };
  expect((await box.caller.call('/v2.0/department/query', {}, { raw: '', headers })).code).toBe(0);
});

test('numbers for id, mobile and employee_num are read as text', async () => {
  await using box = await anAttendanceBox();
  const employee = { employee_ext_id: 'e9', name: 'Wang', department_infos: [{ ext_id: 'd1' }] };
  const { code } = await box.caller.call('/v2.0/employee', { ...employee, mobile: 13800000000, employee_num: 42 });
  expect(code).toBe(0);
  const { rows } = (await box.caller.call('/v2.0/employee/query', {})).data;
  const found = rows.find((one: { ext_id: string }) => one.ext_id === 'e9');
  expect(found).toMatchObject({ mobile: '13800000000', employee_num: '42' });
  expect((await box.caller.call('/v2.0/employee/ext', { id: Number(found.id), ext_id: 'e10' })).code).toBe(0);
  expect(await box.caller.call('/v2.0/employee/ext', { id: 1.5, ext_id: 'e11' })).toMatchObject({ code: 106 });
});
