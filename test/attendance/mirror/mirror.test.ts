import { expect, test } from 'vitest';
import { type AttendanceBox, anAttendanceBox, payroll } from '../../support/attendance.ts';
import { HandClock } from '../../support/clock.ts';
import { aPair } from '../../support/mirror-pair.ts';
import { applied } from '../../support/store.ts';

const employee = (extId: string, change: object = {}) => ({
  employee_ext_id: extId,
  name: `Name of ${extId}`,
  mobile: '1',
  employee_num: extId,
  department_infos: [{ ext_id: 'd1' }],
  ...change,
});
const put = (box: AttendanceBox, body: object) => box.caller.call('/v2.0/employee', body);
const people = async (box: AttendanceBox) =>
  (await box.caller.call('/v2.0/employee/query')).data.rows as { id: string; ext_id: string; name: string }[];
const names = async (box: AttendanceBox) => (await people(box)).map(one => `${one.ext_id} ${one.name}`);
const departments = async (box: AttendanceBox) => (await box.caller.call('/v2.0/department/query')).data.rows;

test('departments, employees and features are copied from the cloud with its ids, over several pages', async () => {
  await using pair = await aPair();
  const { cloud, box } = pair;
  for (let turn = 0; turn < 130; turn++) await put(cloud, employee(`p${turn}`));
  await cloud.caller.call('/v2.0/employee/delete', { employee_ext_id: 'p0' });
  await cloud.caller.run('feature_update', {
    users: [{ ext_id: 'e1', feature_type: 'fa', feature_alg: 'base64', feature_value: ['QUJD'] }],
  });
  expect(await pair.sync()).toMatchObject({ state: 'up', why: '' });
  expect(await people(box)).toEqual(await people(cloud));
  expect(await departments(box)).toEqual(await departments(cloud));
  const query = { user_ext_id: 'e1', feature_type: 'fa', feature_alg: 'base64' };
  expect((await box.caller.run('checkin_feature_query', query)).data.features).toEqual([
    { value: 'QUJD', is_abnormal: false },
  ]);
});

test('before the first contact with the cloud the organization is abnormal, but writes are accepted', async () => {
  await using pair = await aPair();
  pair.line.isUp = false;
  expect(await pair.sync()).toMatchObject({ state: 'down', why: 'connect ECONNREFUSED' });
  const answer = await pair.box.caller.call('/v2.0/department/query');
  expect(answer).toMatchObject({ code: 108, msg: expect.stringContaining('has not been fetched from the cloud yet') });
  expect((await pair.box.caller.call('/v2.0/department', { department_ext_id: 'd5', name: 'New' })).code).toBe(0);
});

test('with the line cut, reads use the mirror; writes are answered at once and sent to the cloud in order later', async () => {
  await using pair = await aPair();
  const { cloud, box, line } = pair;
  await pair.sync();
  line.isUp = false;
  line.posted.length = 0;
  expect(await names(box)).toEqual(['e1 Li Mei']);
  expect(
    (await box.caller.call('/v2.0/department', { department_ext_id: 'd2', name: 'Paint', p_ext_id: 'd1' })).code,
  ).toBe(0);
  expect((await put(box, employee('e2', { department_infos: [{ ext_id: 'd2' }] }))).code).toBe(0);
  expect((await put(box, employee('e2', { name: 'Second' }))).code).toBe(0);
  expect((await box.caller.call('/v2.0/employee/delete', { employee_ext_id: 'e1' })).code).toBe(0);
  const face = { ext_id: 'e2', feature_type: 'fa', feature_alg: 'base64', feature_value: ['QUJD'] };
  expect((await box.caller.run('feature_update', { users: [face] })).code).toBe(0);
  expect(await names(box)).toEqual(['e2 Second']);
  expect((await box.gateway.store.read.organizationWrites({ refused: false, limit: 10 })).total).toBe(5);
  expect(await pair.sync()).toMatchObject({ state: 'down' });
  expect(await names(cloud)).toEqual(['e1 Li Mei']);

  line.isUp = true;
  expect(await pair.sync()).toMatchObject({ state: 'up' });
  expect(line.posted.map(one => one.split(' ')[0])).toEqual([
    '/v2.0/department',
    '/v2.0/employee',
    '/v2.0/employee',
    '/v2.0/employee/delete',
    '/v2.0/cloudappapi',
  ]);
  expect(await names(cloud)).toEqual(['e2 Second']);
  expect(await people(box)).toEqual(await people(cloud));
  expect(await departments(box)).toEqual(await departments(cloud));
  expect((await box.gateway.store.read.organizationWrites({ refused: false, limit: 10 })).total).toBe(0);
});

test('a write that the cloud refuses is shown with its reason and undone here, and does not block others', async () => {
  await using pair = await aPair();
  const { cloud, box, line } = pair;
  await pair.sync();
  await box.caller.run('checkin_query_init');
  line.refuse = body => (body.includes('"refused"') ? { code: 106, msg: 'request body format wrong' } : null);
  await put(box, employee('e7', { name: 'refused' }));
  await put(box, employee('e1', { name: 'refused' }));
  await put(box, employee('e8'));
  await box.punch('e7');
  await pair.sync();
  await pair.sync();
  const { rows } = await box.gateway.store.read.organizationWrites({ refused: true, limit: 10 });
  expect(rows).toMatchObject([
    { subject: 'employee e7', code: 106, reason: 'request body format wrong', caller: 'ak1' },
    { subject: 'employee e1', code: 106 },
  ]);
  expect((await names(box)).sort()).toEqual(['e1 Li Mei', 'e8 Name of e8']);
  expect(await names(cloud)).toEqual(['e1 Li Mei', 'e8 Name of e8']);
  // The punch of somebody whom nobody knows after all is kept for the day on which it is known.
  expect((await box.caller.walk()).records).toEqual([]);
  line.refuse = () => null;
  expect(await box.gateway.store.write.dismissOrganizationWrite({ id: rows[0]!.id, again: true, at: 1 })).toBe(true);
  await pair.sync();
  expect(await names(cloud)).toContain('e7 refused');
  expect((await box.caller.walk()).records.map(one => one.ext_id)).toEqual(['e7']);
});

test('a change on both sides is sent to the cloud, and the overwritten side stays visible', async () => {
  await using pair = await aPair();
  const { cloud, box, line } = pair;
  await pair.sync();
  line.isUp = false;
  await put(box, employee('e1', { name: 'At the box' }));
  await put(cloud, employee('e1', { name: 'At the cloud' }));
  line.isUp = true;
  await pair.sync();
  expect((await box.gateway.store.read.conflicts(10)).rows).toMatchObject([
    { subject: 'employee e1', cloudSide: { name: 'At the cloud' }, boxSide: { name: 'At the box' } },
  ]);
  expect(await names(cloud)).toEqual(['e1 At the box']);
  expect(await names(box)).toEqual(['e1 At the box']);
  await pair.sync();
  expect((await box.gateway.store.read.conflicts(10)).total).toBe(1);
});

test('changes of the box alone are no conflict, however many they are', async () => {
  await using pair = await aPair();
  await pair.sync();
  for (const name of ['One', 'Two', 'Three']) {
    await put(pair.box, employee('e1', { name }));
    await pair.sync();
  }
  expect((await pair.box.gateway.store.read.conflicts(10)).total).toBe(0);
  expect(await names(pair.cloud)).toEqual(['e1 Three']);
});

test('people deleted in the cloud are hidden here at once, and half of the site is held back', async () => {
  await using pair = await aPair();
  const { cloud, box } = pair;
  for (let turn = 0; turn < 30; turn++) await put(cloud, employee(`p${turn}`));
  await pair.sync();
  await cloud.caller.call('/v2.0/employee/delete', { employee_ext_id: 'p3' });
  expect(await pair.sync()).toMatchObject({ hidden: 1, held: 0 });
  expect(await names(box)).not.toContain('p3 Name of p3');
  for (let turn = 4; turn < 30; turn++)
    await cloud.caller.call('/v2.0/employee/delete', { employee_ext_id: `p${turn}` });
  expect(await pair.sync()).toMatchObject({ hidden: 0, held: 27 });
  expect(await people(box)).toEqual(await people(cloud));
});

test('people entered before the box followed a cloud stay', async () => {
  await using pair = await aPair();
  const { box, line } = pair;
  line.isUp = false;
  await box.gateway.store.write.applySite({
    site: { employees: [{ ext_id: 'local', name: 'Old hand', department: { ext_id: '0' } }] },
    prune: false,
    dryRun: false,
    at: 1,
  });
  line.isUp = true;
  await pair.sync();
  await pair.sync();
  expect((await names(box)).sort()).toEqual(['e1 Li Mei', 'local Old hand']);
});

test('a wrong key is explained, and writes wait', async () => {
  await using pair = await aPair();
  await pair.sync();
  pair.line.refuse = () => ({ code: 103, msg: 'wrong request signature' });
  await put(pair.box, employee('e2'));
  expect(await pair.sync()).toMatchObject({ state: 'refused', why: 'the cloud answers 103: wrong request signature' });
  expect((await pair.box.gateway.store.read.organizationWrites({ refused: false, limit: 10 })).total).toBe(1);
});

test('where features stay, faces are neither passed on nor fetched, also those that were queued before; cards are', async () => {
  const posted: string[] = [];
  const cloudOf = {
    appKey: payroll.app_key,
    appSecret: payroll.app_secret,
    everyMs: 600_000,
    async post(path: string, headers: Record<string, string>, body: string) {
      if (!path.endsWith('/query')) posted.push(`${headers['Api-Cmd']} ${body}`);
      return { status: 200, headers: {}, body: JSON.stringify({ code: 0, msg: 'ok', data: { rows: [], total: 0 } }) };
    },
  };
  const site = {
    attendance_callers: [payroll],
    departments: [{ ext_id: 'd1', name: 'Assembly' }],
    employees: [{ ext_id: 'e1', name: 'Li Mei', employee_num: '1', department: { ext_id: 'd1' } }],
  };
  const clock = new HandClock();
  await using box = await anAttendanceBox({
    gateway: { clock } as never,
    site,
    featuresStay: true,
    cloud: cloudOf as never,
  });
  const { store } = box.gateway;
  const of = (feature_type: string, value: string) => ({
    ext_id: 'e1',
    feature_type,
    feature_alg: 'base64',
    feature_value: [value],
  });
  // As it stood in the queue before features stayed.
  const body = JSON.stringify({ users: [of('fa', 'QkVGT1JF')] });
  const queued = { at: 1, caller: 'ak1', path: '/v2.0/cloudappapi', command: 'feature_update', body };
  await store.write.putFeatures({
    users: [{ extId: 'e1', featureType: 'fa', featureAlg: 'base64', values: ['QkVGT1JF'] }],
    at: 1,
    queue: { ...queued, subject: 'features of e1' },
  });
  await box.caller.run('feature_update', {
    users: [of('fa', 'RkFDRQ=='), of('pass', 'MTIzNA=='), of('card', 'Q0FSRA==')],
  });
  const asked = box.attendance.syncNow();
  let done = false;
  void asked.then(() => {
    done = true;
  });
  while (!done) {
    await clock.advance(60);
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  expect(posted.filter(text => text.startsWith('feature_update'))).toEqual([
    `feature_update ${JSON.stringify({ users: [of('card', 'Q0FSRA==')] })}`,
  ]);
  const fetched = posted.filter(text => text.startsWith('checkin_feature_query'));
  expect(fetched.filter(text => /"(fa|fp|pass)"/.test(text))).toEqual([]);
  expect((await store.read.organizationWrites({ refused: false, limit: 9 })).total).toBe(0);
  expect(await store.read.features({ extId: 'e1', featureType: 'fa', featureAlg: 'base64' })).toHaveLength(1);
});

/** Lets the clock run until a call of the box is answered. */
async function during<T>({ clock }: { clock: HandClock }, asked: Promise<T>): Promise<T> {
  let done = false;
  void asked.finally(() => {
    done = true;
  });
  while (!done) {
    await clock.advance(60);
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  return asked;
}

test('a feature of whatever type and algorithm is fetched when it is asked for, with is_abnormal, and stays with the line cut', async () => {
  await using pair = await aPair();
  const { cloud, box, line } = pair;
  await pair.sync();
  const kind = { feature_type: 'identity', feature_alg: 'iso-7' };
  await cloud.caller.run('feature_update', { users: [{ ext_id: 'e1', ...kind, feature_value: ['QUJD'] }] });
  await cloud.report({ ext_id: 'e1', ...kind, values: ['QUJD', 'REVG'], abnormal: [false, true] }, { action: 2003 });
  const ask = (type: object = kind) =>
    during(pair, box.caller.run('checkin_feature_query', { user_ext_id: 'e1', ...type }));
  const right = [
    { value: 'QUJD', is_abnormal: false },
    { value: 'REVG', is_abnormal: true },
  ];
  expect((await ask()).data.features).toEqual(right);
  line.isUp = false;
  await pair.sync();
  expect((await ask()).data.features).toEqual(right);
});

test('a feature that was never fetched is 108 with the line cut; one that the cloud does not have is empty', async () => {
  await using pair = await aPair();
  const { box, line } = pair;
  await pair.sync();
  const ask = (feature_type: string) =>
    during(pair, box.caller.run('checkin_feature_query', { user_ext_id: 'e1', feature_type, feature_alg: 'x' }));
  expect((await ask('card')).data).toEqual({ features: [] });
  line.isUp = false;
  await pair.sync();
  expect((await ask('card')).data).toEqual({ features: [] });
  const never = await ask('pass');
  expect(never).toMatchObject({ code: 108, msg: expect.stringContaining('have not been fetched from the cloud yet') });
  expect(never.headers['retry-after']).toBe('5');
});

test('devices that only the cloud has are listed behind those of the site, names follow, and the list stays over a cut line', async () => {
  await using pair = await aPair();
  const { cloud, box, line } = pair;
  const list = async (page = {}) => (await box.caller.call('/v2.0/org/device/query', page)).data;
  expect(await box.caller.call('/v2.0/org/device/query')).toMatchObject({ code: 108 });
  await applied(box.gateway.store, {
    devices: [{ device_id: 'FACE-T1_A0002', name: 'Side gate' }, { device_id: 'FACE-T1_A0001' }],
  });
  await pair.sync();
  const right = [
    { sn: 'A0002', name: 'Side gate', online: false },
    { sn: 'A0001', name: 'North gate', online: false },
  ];
  await applied(cloud.gateway.store, { devices: [{ device_id: 'FACE-T1_Z9', name: 'Branch' }] });
  await pair.sync();
  line.isUp = false;
  await pair.sync();
  const { total, rows } = await list();
  expect([total, rows]).toEqual([3, [...right, { sn: 'Z9', name: 'Branch', online: false }]]);
  expect((await list({ limit: 1, offset: 2 })).rows).toEqual([{ sn: 'Z9', name: 'Branch', online: false }]);
});
