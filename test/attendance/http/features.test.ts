import { expect, test } from 'vitest';
import {
  type AttendanceBox,
  anAttendanceBox,
  aPullingTerminal as aTerminal,
  payroll,
} from '../../support/attendance.ts';
import { HandClock } from '../../support/clock.ts';
import { applied, aStore } from '../../support/store.ts';

const feature = (change: object = {}) => ({
  ext_id: 'e1',
  feature_type: 'fa',
  feature_alg: 'base64',
  feature_value: ['QUJD'],
  ...change,
});
const update = (box: AttendanceBox, ...users: object[]) => box.caller.run('feature_update', { users });
const stored = async (box: AttendanceBox, change: object = {}) =>
  (
    await box.caller.run('checkin_feature_query', {
      user_ext_id: 'e1',
      feature_type: 'fa',
      feature_alg: 'base64',
      ...change,
    })
  ).data?.features;

test('features are stored by person, type and algorithm; an update replaces them, an empty one deletes them', async () => {
  await using box = await anAttendanceBox();
  expect(
    await update(box, feature({ feature_value: ['QUJD', 'REVG'] }), feature({ feature_type: 'fp', feature_alg: 'v9' })),
  ).toMatchObject({
    code: 0,
    data: { error_ext_ids: [] },
  });
  expect(await stored(box)).toEqual([
    { value: 'QUJD', is_abnormal: false },
    { value: 'REVG', is_abnormal: false },
  ]);
  await update(box, feature({ feature_value: ['R0hJ'] }));
  expect(await stored(box)).toEqual([{ value: 'R0hJ', is_abnormal: false }]);
  await update(box, feature({ feature_value: [] }));
  expect(await stored(box)).toEqual([]);
  expect(await stored(box, { feature_type: 'fp', feature_alg: 'v9' })).toHaveLength(1);
});

test('those that failed are named, the others are stored', async () => {
  await using box = await anAttendanceBox();
  const { data } = await update(
    box,
    feature({ ext_id: 'nobody' }),
    feature(),
    feature({ ext_id: 'e1', feature_type: 'fp', feature_value: ['no base64 !'] }),
  );
  expect(data).toEqual({ error_ext_ids: ['e1', 'nobody'] });
  expect(await stored(box)).toHaveLength(1);
  expect(await stored(box, { feature_type: 'fp' })).toEqual([]);
});

test.each([
  ['a blank in place of +', 'QU JDREVG+'.slice(0, 8)],
  ['a blank at the end in place of +', 'QUJ '],
  ['the URL-safe alphabet', 'QU-_'],
  ['no padding', 'QUI'],
  ['padding in the middle', 'QQ==QUJD'],
  ['a letter too many', 'QUJDQ'],
])('base64 with %s stands in error_ext_ids, and the others are stored', async (_name, value) => {
  await using box = await anAttendanceBox();
  await update(box, feature({ feature_type: 'fp' }));
  const { data } = await update(box, feature(), feature({ feature_type: 'fp', feature_value: ['QUJD', value] }));
  expect(data).toEqual({ error_ext_ids: ['e1'] });
  expect(await stored(box)).toEqual([{ value: 'QUJD', is_abnormal: false }]);
  expect(await stored(box, { feature_type: 'fp' })).toEqual([{ value: 'QUJD', is_abnormal: false }]);
});

test('the number of a card is folded', async () => {
  await using box = await anAttendanceBox();
  const card = { feature_type: 'card', feature_alg: 'number' };
  await update(box, feature({ ...card, feature_value: [' ００４２\u200b'] }));
  expect(await stored(box, card)).toEqual([{ value: '0042', is_abnormal: false }]);
});

test('a data-URL prefix and line breaks are removed', async () => {
  await using box = await anAttendanceBox();
  await update(box, feature({ feature_value: ['data:image/jpeg;base64,QU\r\nJD'] }));
  expect(await stored(box)).toEqual([{ value: 'QUJD', is_abnormal: false }]);
});

test.each([
  ['users', {}, 'users: is missing'],
  ['users', { users: {} }, 'users: must be a list'],
  ['ext_id', { users: [feature({ ext_id: '李'.repeat(33) })] }, 'users[0].ext_id: at most 32 characters'],
  [
    'feature_type',
    { users: [feature({ feature_type: 'iris' })] },
    'users[0].feature_type: must be one of fa, fp, pass, card, identity',
  ],
  ['feature_value', { users: [feature({ feature_value: 'QUJD' })] }, 'users[0].feature_value: must be a list of texts'],
  ['feature_alg', { users: [feature({ feature_alg: undefined })] }, 'users[0].feature_alg: is missing'],
  ['users', { users: Array.from({ length: 101 }, () => feature()) }, 'users: at most 100 users in one call'],
])('a wrong %s is a 106 that names it', async (_field, body, msg) => {
  await using box = await anAttendanceBox();
  expect(await box.caller.run('feature_update', body)).toMatchObject({
    code: 106,
    msg: `request body format wrong: ${msg}`,
  });
});

test('user_ext_id has 32 characters at most, and an unknown person is code 203', async () => {
  await using box = await anAttendanceBox();
  const ask = (user_ext_id: string) =>
    box.caller.run('checkin_feature_query', { user_ext_id, feature_type: 'fa', feature_alg: 'x' });
  expect((await ask('李'.repeat(33))).code).toBe(106);
  expect((await ask('李'.repeat(32))).code).toBe(203);
});

test('a change reaches the terminals as person_sync: connected ones at once, others when they connect', async () => {
  await using box = await anAttendanceBox();
  const here = await aTerminal(box);
  expect(await here.pulled()).toEqual([
    { upsert: [{ ext_id: 'e1', name: 'Li Mei', employee_num: '1001', features: [] }], remove: [] },
  ]);
  await update(box, feature({ feature_value: ['QUJD', 'REVG'] }));
  const changed = {
    ext_id: 'e1',
    name: 'Li Mei',
    employee_num: '1001',
    features: [
      { feature_type: 'fa', feature_alg: 'base64', value: 'QUJD' },
      { feature_type: 'fa', feature_alg: 'base64', value: 'REVG' },
    ],
  };
  expect(await here.pulled()).toEqual([{ upsert: [changed], remove: [] }]);
  const late = await aTerminal(box, 'FACE-T1_A0002');
  expect(await late.pulled()).toEqual([{ upsert: [changed], remove: [] }]);
  // The same again is no change.
  await update(box, feature({ feature_value: ['QUJD', 'REVG'] }));
  expect(await here.pulled()).toEqual([]);
  await box.caller.call('/v2.0/employee/delete', { employee_ext_id: 'e1' });
  expect(await here.pulled()).toEqual([{ upsert: [], remove: ['e1'] }]);
});

test('terminals of a product without face features receive no people', async () => {
  await using box = await anAttendanceBox();
  await box.gateway.store.write.applySite({
    site: { products: [{ product_id: 'FACE-T1', product_key: 's3cret-of-the-product', face_features: false }] },
    prune: false,
    dryRun: false,
    at: 1,
  });
  const sensor = await aTerminal(box);
  await box.attendance.whenIdle();
  expect((await sensor.pull()).json).toMatchObject({ size: 0 });
});

test('many people are sent in several messages, of which one waits at a time', async () => {
  await using box = await anAttendanceBox();
  const employees = Array.from({ length: 120 }, (_, index) => ({
    ext_id: `p${index}`,
    name: `P ${index}`,
    department: { ext_id: 'd1' },
  }));
  await box.gateway.store.write.applySite({ site: { employees }, prune: false, dryRun: false, at: 1 });
  const device = await aTerminal(box);
  await box.attendance.whenIdle();
  const { deviceNo } = [...box.gateway.store.directory.devices()].find(one => one.deviceId === 'FACE-T1_A0001')!;
  expect(await box.gateway.store.read.inbox(deviceNo, { limit: 10, bytesMax: 1 << 30 })).toHaveLength(1);
  const messages = await device.pulled();
  expect(messages.map(one => one.upsert.length)).toEqual([50, 50, 21]);
  expect(new Set(messages.flatMap(one => one.upsert.map(person => person.ext_id))).size).toBe(121);
});

test('a feature that a terminal could not take is abnormal until that terminal takes it, or a new one is stored', async () => {
  await using box = await anAttendanceBox();
  await update(box, feature());
  const result = (failed: object[], deviceId = 'FACE-T1_A0001') => box.report({ failed }, { action: 2102, deviceId });
  const failure = { ext_id: 'e1', feature_type: 'fa' };
  const device = await aTerminal(box);
  await device.pulled();
  await result([failure]);
  expect(await stored(box)).toEqual([{ value: 'QUJD', is_abnormal: true }]);
  // Another terminal that takes it does not heal this one.
  await (await aTerminal(box, 'FACE-T1_A0002')).pulled();
  await result([], 'FACE-T1_A0002');
  expect(await stored(box)).toEqual([{ value: 'QUJD', is_abnormal: true }]);
  await result([]);
  expect(await stored(box)).toEqual([{ value: 'QUJD', is_abnormal: false }]);
  await result([failure]);
  await update(box, feature({ feature_value: ['REVG'] }));
  expect(await stored(box)).toEqual([{ value: 'REVG', is_abnormal: false }]);
});

test('a feature that was enrolled at one terminal is stored with its marks and reaches the others', async () => {
  await using box = await anAttendanceBox();
  const other = await aTerminal(box, 'FACE-T1_A0002');
  await other.pulled();
  await box.report(
    { ext_id: 'e1', feature_type: 'fp', feature_alg: 'v9', values: ['left', 'right'], abnormal: [false, true] },
    { action: 2003 },
  );
  expect(await stored(box, { feature_type: 'fp', feature_alg: 'v9' })).toEqual([
    { value: 'left', is_abnormal: false },
    { value: 'right', is_abnormal: true },
  ]);
  expect((await other.pulled())[0]!.upsert[0]!.features).toHaveLength(2);
});

test('a feature report that is sent again does not undo a newer one', async () => {
  await using box = await anAttendanceBox();
  const old = { ext_id: 'e1', feature_type: 'fa', feature_alg: 'base64', values: ['T0xE'] };
  await box.report(old, { action: 2003, mid: 'old' });
  await box.report({ ...old, values: ['TkVX'] }, { action: 2003, mid: 'new' });
  await box.report(old, { action: 2003, mid: 'old' });
  expect(await stored(box)).toEqual([{ value: 'TkVX', is_abnormal: false }]);
});

test('a person_sync_result that is sent again does not undo a newer one', async () => {
  await using box = await anAttendanceBox();
  await update(box, feature());
  const result = (failed: object[], mid: string) => box.report({ failed }, { action: 2102, mid });
  await (await aTerminal(box)).pulled();
  await result([{ ext_id: 'e1', feature_type: 'fa' }], 'old');
  await result([], 'new');
  await result([{ ext_id: 'e1', feature_type: 'fa' }], 'old');
  expect(await stored(box)).toEqual([{ value: 'QUJD', is_abnormal: false }]);
});

test('reads of features are audited; those of an integrator in a loop once a minute, with a count', async () => {
  const clock = new HandClock();
  await using opened = await aStore({ clock });
  await using box = await anAttendanceBox({ gateway: { clock, opened } });
  const { store } = box.gateway;
  await update(box, feature());
  for (let asked = 0; asked < 5; asked++) await stored(box);
  await clock.advance(70_000);
  await stored(box);
  const entries = async () =>
    (await store.read.auditEntries({ limit: 9 })).map(({ actor, action, subject, count, address }) => ({
      actor,
      action,
      subject,
      count,
      address,
    }));
  const one = { actor: 'attendance ak1', action: '/v2.0/cloudappapi checkin_feature_query', subject: 'fa of e1' };
  expect(await entries()).toMatchObject([
    { ...one, count: 1 },
    { ...one, count: 4 },
    { ...one, count: 1, address: '127.0.0.1' },
  ]);
  // Another caller has its own entry, and what is refused has none.
  await applied(store, { attendance_callers: [payroll, { app_key: 'ak2', app_secret: 'as2', name: 'Other' }] });
  const query = { user_ext_id: 'e1', feature_type: 'fp', feature_alg: 'base64' };
  await box.callerOf('ak2', 'as2').run('checkin_feature_query', query);
  await box.callerOf('ak2', 'wrong').run('checkin_feature_query', query);
  expect((await entries())[0]).toMatchObject({ actor: 'attendance ak2', subject: 'fp of e1', count: 1 });
  expect(await entries()).toHaveLength(4);
});
