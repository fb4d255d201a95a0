import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { checkInTypes } from '../../../src/platform/reports.ts';
import { TablesBehind } from '../../../src/store/index.ts';
import { type AttendanceBox, anAttendanceBox, payroll } from '../../support/attendance.ts';

const at = 1_763_600_000;
const checkin = (change: object = {}) => ({ ext_id: 'e1', check_type: 'fa', check_time: at, ...change });
const access = (change: object = {}) => ({
  door_id: 'D1',
  ext_id: 'e1',
  check_type: 'fa',
  check_time: at,
  check_result: 0,
  ...change,
});
const employ = (box: AttendanceBox, extId: string, change: object = {}) =>
  box.caller.call('/v2.0/employee', {
    employee_ext_id: extId,
    name: `Name of ${extId}`,
    mobile: '1',
    employee_num: `n-${extId}`,
    department_infos: [{ ext_id: 'd1' }],
    ...change,
  });
const ids = (records: { id: string }[]) => records.map(one => Number(one.id));
const extIds = (records: { ext_id: string }[]) => records.map(one => one.ext_id);

test('a check-in is returned in the form of SPEC 2.15, with the organization filled in', async () => {
  await using box = await anAttendanceBox();
  expect(await box.caller.run('checkin_query_init')).toMatchObject({ status: 200, code: 0, msg: 'ok' });
  await box.report({ records: [checkin({ id: 'x' })] });
  expect((await box.caller.run('checkin_query', { next_id: 0, page_size: 500 })).data).toEqual({
    next_id: 1,
    data: [
      {
        id: '1',
        user_id: '1',
        ext_id: 'e1',
        terminal_id: 'A0001',
        check_type: 'fa',
        check_time: at,
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

const person = { employee_num: '1001', dept_name: 'Assembly', member_name: 'Li Mei', dept_id: '2' };
const said = {
  cmd: '1',
  lat: 39.9,
  lng: '116.4',
  name: 'Gate',
  location: 'Street 1',
  phone_model: 'P40',
  mac_address: 'aa:bb',
  ssid: 'Plant',
  photo: 'https://x/1.jpg',
  comment: 'at a client',
  terminal_id: 'phone-7',
  member_name: 'somebody else',
  other: 'not in SPEC',
};
const located = { ...person, lat: '39.9', lgt: '116.4', name: 'Gate', location: 'Street 1', phone_model: 'P40' };
const atTerminal = { ...person, device_name: 'North gate', cmd: '1' };

test.each([
  ['fa', atTerminal, 'A0001'],
  ['fp', atTerminal, 'A0001'],
  ['pass', atTerminal, 'A0001'],
  ['card', atTerminal, 'A0001'],
  ['app_scan', person, 'A0001'],
  ['gps', located, 'phone-7'],
  ['wifi', { ...person, name: 'Gate', mac_address: 'aa:bb', ssid: 'Plant', phone_model: 'P40' }, 'phone-7'],
  ['out_work', { ...located, photo: 'https://x/1.jpg', comment: 'at a client' }, 'phone-7'],
  ['reissue', person, 'apply'],
  ['flexible', person, 'A0001'],
])('check type %s has exactly its keys', async (type, data, terminal) => {
  expect(checkInTypes).toContain(type);
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  await box.report({ records: [checkin({ check_type: type, check_data: said })] });
  const [record] = (await box.caller.walk()).records;
  expect(record).toMatchObject({ check_type: type, terminal_id: terminal });
  expect(record.check_data).toEqual(data);
});

test('check-ins from before the initialization are never returned; a second initialization changes nothing', async () => {
  await using box = await anAttendanceBox();
  const { caller } = box;
  await box.punch('e1', at);
  expect((await caller.run('checkin_query', { next_id: 0, page_size: 500 })).data).toEqual({ next_id: 0, data: [] });
  const init = await caller.run('checkin_query_init', {}, { raw: '{"anything": true}' });
  expect(init).toMatchObject({ code: 0, msg: 'ok' });
  expect(init.data).toBeUndefined();
  expect((await caller.walk()).records).toEqual([]);
  await box.punch('e1', at + 1);
  expect((await caller.run('checkin_query_init')).code).toBe(0);
  expect((await caller.walk()).records.map(one => one.check_time)).toEqual([at + 1]);
});

test('check-ins from before the initialization stay hidden when their person becomes known later', async () => {
  await using box = await anAttendanceBox();
  await box.punch('e2', at);
  await box.caller.run('checkin_query_init');
  await box.punch('e2', at + 1);
  await employ(box, 'e2');
  expect((await box.caller.walk()).records.map(one => one.check_time)).toEqual([at + 1]);
});

test('records are in the order of report, not of check time, and an empty page returns its own next_id', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  for (const time of [at + 50, at, at + 20]) await box.punch('e1', time);
  const first = await box.caller.run('checkin_query', { next_id: 0, page_size: 2 });
  expect(first.data.data.map((one: { check_time: number }) => one.check_time)).toEqual([at + 50, at]);
  const second = await box.caller.run('checkin_query', { next_id: String(first.data.next_id), page_size: 2 });
  expect(second.data.data).toHaveLength(1);
  const end = second.data.next_id;
  expect((await box.caller.run('checkin_query', { next_id: end })).data).toEqual({ next_id: end, data: [] });
});

test.each(['initialized', 'not initialized'])(
  'a next_id that was never given is refused in words, in place of an empty page for ever: a site that is %s',
  async how => {
    await using box = await anAttendanceBox();
    if (how === 'initialized') await box.caller.run('checkin_query_init');
    await box.punch('e1', at);
    await box.report(
      { records: [{ ext_id: 'e1', check_type: 'fa', check_time: at, check_result: 0 }] },
      { action: 2002 },
    );
    for (const command of ['checkin_query', 'checkin_acs_query'])
      expect(await box.caller.run(command, { next_id: 5978 })).toMatchObject({
        code: 106,
        msg: expect.stringMatching(/next_id: was never given here, but by the cloud or another box; begin with 0$/),
      });
  },
);

test('while the tables are behind, an unknown next_id and an empty page wait for seconds at most, and are then asked for again', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  await box.punch('e1', at);
  await box.report({ records: [access()] }, { action: 2002 });
  const waits: (number | undefined)[] = [];
  vi.spyOn(box.gateway.store, 'whole').mockImplementation(withinMs => {
    waits.push(withinMs);
    return Promise.reject(new TablesBehind(213_000));
  });
  for (const command of ['checkin_query', 'checkin_acs_query'])
    expect(await box.caller.run(command, { next_id: 5978 })).toMatchObject({
      code: 108,
      headers: { 'retry-after': '5' },
      msg: expect.stringMatching(/213000 acknowledged records are still to be entered.*: ask again in some seconds$/),
    });
  expect((await box.caller.run('checkin_query_init')).code).toBe(108);
  expect((await box.caller.call('/v2.0/employee/delete', { employee_ext_id: 'e1' })).code).toBe(108);
  // Nothing on a page means that the caller has everything; what a page brings never waits.
  const { data } = await box.caller.run('checkin_query', { next_id: 0 });
  expect(data.data).toHaveLength(1);
  expect((await box.caller.run('checkin_query', { next_id: data.next_id })).code).toBe(108);
  const passages = (await box.caller.run('checkin_acs_query', { next_id: 0 })).data;
  expect(passages.data).toHaveLength(1);
  expect((await box.caller.run('checkin_acs_query', { next_id: passages.next_id })).code).toBe(108);
  for (const command of ['checkin_query', 'checkin_acs_query']) {
    const { next_id } = command === 'checkin_query' ? data : passages;
    expect((await box.caller.run(command, { next_id, box_id: 'here' })).code).toBe(108);
  }
  expect(waits).toEqual(Array.from({ length: 8 }, () => 3000));
});

test.each([
  ['next_id', { next_id: 'x' }],
  ['next_id', { next_id: 1.5 }],
  ['page_size', { page_size: 0 }],
  ['page_size', { page_size: -5 }],
  ['page_size', { page_size: 'many' }],
  ['pass_only', { pass_only: 'yes' }],
])('a %s that is none is a 106', async (field, body) => {
  await using box = await anAttendanceBox();
  const command = field === 'pass_only' ? 'checkin_acs_query' : 'checkin_query';
  expect(await box.caller.run(command, body)).toMatchObject({
    code: 106,
    msg: expect.stringMatching(new RegExp(`^request body format wrong: ${field}: must be`)),
  });
});

test.each([-1, '-1', -(2 ** 40)])('next_id %s is read as 0', async nextId => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  await box.punch('e1', at);
  for (const command of ['checkin_query', 'checkin_acs_query'])
    expect((await box.caller.run(command, { next_id: nextId })).data).toEqual(
      (await box.caller.run(command, { next_id: 0 })).data,
    );
  expect(extIds((await box.caller.run('checkin_query', { next_id: nextId })).data.data)).toEqual(['e1']);
});

test('a page has 100 records by default, and 500 at most', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  await box.report({ records: Array.from({ length: 600 }, (_, index) => checkin({ check_time: at + index })) });
  expect((await box.caller.run('checkin_query', {})).data.data).toHaveLength(100);
  expect((await box.caller.run('checkin_query', { page_size: 5000 })).data.data).toHaveLength(500);
});

test('check-ins of an unknown person are kept, and returned next once the person is known, with small ids', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  await box.punch('e2', at + 1);
  await box.punch('e1', at + 2);
  await box.punch('e2', at + 3);
  const { records, nextId } = await box.caller.walk();
  expect(extIds(records)).toEqual(['e1']);
  await employ(box, 'e2');
  await box.punch('e1', at + 4);
  const times = (all: { check_time: number }[]) => all.map(one => one.check_time - at);
  const later = await box.caller.walk(nextId, 1);
  expect(times(later.records)).toEqual([1, 3, 4]);
  expect(times((await box.caller.walk()).records)).toEqual([2, 1, 3, 4]);
  expect((await box.caller.walk(later.nextId)).records).toEqual([]);
  // A client that keeps next_id in 32 bits goes on.
  expect(later.nextId).toBe(6);
  expect(ids((await box.caller.walk()).records)).toEqual([2, 4, 5, 6]);
});

test('a report by employee number finds the person; with an ambiguous number it waits until only one person has it', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  const byNumber = (num: string) => box.report({ records: [checkin({ ext_id: undefined, employee_num: num })] });
  await byNumber('1001');
  expect(extIds((await box.caller.walk()).records)).toEqual(['e1']);
  await employ(box, 'e2', { employee_num: '77' });
  await employ(box, 'e3', { employee_num: '77' });
  await byNumber('77');
  expect((await box.caller.walk()).records).toHaveLength(1);
  expect((await box.gateway.store.read.unresolvedPeople(10)).people).toMatchObject([
    { employeeNum: '77', records: 1, ambiguous: true },
  ]);
  await employ(box, 'e3', { employee_num: '78' });
  expect(extIds((await box.caller.walk()).records)).toEqual(['e1', 'e2']);
});

/** Punches, people who become known, and a caller that asks now and then: in whatever order. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('punch' as const), who: fc.integer({ min: 2, max: 5 }) }),
  fc.record({ kind: fc.constant('known' as const), who: fc.integer({ min: 2, max: 5 }) }),
  fc.record({ kind: fc.constant('page' as const), size: fc.integer({ min: 1, max: 3 }) }),
);

test('whenever people become known, a caller that pages on gets each check-in exactly once, and a walk from 0 gives the same order', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  let nextId = 0;
  let time = at;
  const got: string[] = [];
  const known = new Set<number>();
  const punches: { who: number; time: number }[] = [];
  const page = async (size: number) => {
    const { data } = await box.caller.run('checkin_query', { next_id: nextId, page_size: size });
    nextId = data.next_id;
    got.push(...data.data.map((one: { id: string }) => one.id));
    return data.data.length as number;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
      for (const one of steps) {
        if (one.kind === 'punch') {
          punches.push({ who: one.who, time: ++time });
          await box.punch(`e${one.who}`, time);
        } else if (one.kind === 'known') {
          known.add(one.who);
          await employ(box, `e${one.who}`);
        } else await page(one.size);
      }
      while ((await page(3)) > 0);
      const { records } = await box.caller.walk(0, 7);
      expect(records.map(one => one.check_time).sort()).toEqual(
        punches.filter(one => known.has(one.who)).map(one => one.time),
      );
      expect(got).toEqual(records.map(one => one.id));
      expect(ids(records)).toEqual(ids(records).sort((one, other) => one - other));
      expect(nextId).toBeLessThanOrEqual(2 * punches.length);
    }),
    { numRuns: 8, seed: 7, endOnFailure: true },
  );
});

test('deleting an employee takes the check-ins from every answer, the features, and the name from access records', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  await employ(box, 'e2');
  await box.punch('e1', at);
  await box.punch('e2', at + 1);
  await box.report({ records: [access()] }, { action: 2002 });
  await box.caller.run('feature_update', {
    users: [{ ext_id: 'e1', feature_type: 'fa', feature_alg: 'base64', feature_value: ['QUJD'] }],
  });
  expect(await box.caller.call('/v2.0/employee/delete', { employee_ext_id: 'e1' })).toMatchObject({
    code: 0,
    data: null,
  });
  expect(extIds((await box.caller.walk()).records)).toEqual(['e2']);
  const { data } = (await box.caller.run('checkin_acs_query', {})).data;
  expect(data).toMatchObject([{ ext_id: '', user_id: '', check_data: { device_name: 'North gate', cmd: '' } }]);
  expect(JSON.stringify(data)).not.toContain('Li Mei');
  const query = { user_ext_id: 'e1', feature_type: 'fa', feature_alg: 'base64' };
  expect((await box.caller.run('checkin_feature_query', query)).code).toBe(203);
  // The same person again is another one: nothing comes back.
  await employ(box, 'e1');
  expect(extIds((await box.caller.walk()).records)).toEqual(['e2']);
  expect((await box.caller.run('checkin_feature_query', query)).data).toEqual({ features: [] });
});

test('an external id that changes goes with the person, its records and its features', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  await box.punch('e1');
  await box.report({ records: [access()] }, { action: 2002 });
  await box.caller.run('feature_update', {
    users: [{ ext_id: 'e1', feature_type: 'fp', feature_alg: 'x', feature_value: ['v1'] }],
  });
  await box.caller.call('/v2.0/employee/ext', { id: '1', ext_id: 'li' });
  expect(extIds((await box.caller.walk()).records)).toEqual(['li']);
  expect((await box.caller.run('checkin_acs_query', {})).data.data[0].ext_id).toBe('li');
  expect(
    (await box.caller.run('checkin_feature_query', { user_ext_id: 'li', feature_type: 'fp', feature_alg: 'x' })).data,
  ).toEqual({
    features: [{ value: 'v1', is_abnormal: false }],
  });
});

test('access records need no initialization; without pass_only: false only those that passed are answered', async () => {
  await using box = await anAttendanceBox();
  await box.report(
    {
      records: [
        access({ capture_img: 'data:image/jpeg;base64,QU\nJD' }),
        access({ check_result: 1, check_type: 'card' }),
        access({ check_result: 2, ext_id: undefined, door_id: '' }),
        access({ check_result: 8, ext_id: 'e77' }),
      ],
    },
    { action: 2002 },
  );
  const passed = (await box.caller.run('checkin_acs_query', { next_id: 0, page_size: 50 })).data;
  expect(passed).toEqual({
    next_id: 1,
    data: [
      {
        id: 1,
        door_id: 'D1',
        user_id: '1',
        ext_id: 'e1',
        check_type: 'fa',
        check_time: at,
        check_data: {
          device_name: 'North gate',
          employee_num: '1001',
          dept_name: 'Assembly',
          cmd: '',
          member_name: 'Li Mei',
          dept_id: '2',
        },
        check_result: 0,
        capture_img: 'QUJD',
      },
    ],
  });
  const all = (await box.caller.run('checkin_acs_query', { next_id: 0, pass_only: false })).data;
  expect(
    all.data.map((one: { check_result: number; ext_id: string; door_id: string }) => [
      one.check_result,
      one.ext_id,
      one.door_id,
    ]),
  ).toEqual([
    [0, 'e1', 'D1'],
    [1, 'e1', 'D1'],
    [2, '', 'A0001'],
    [8, '', 'D1'],
  ]);
  expect(all.data[2].check_data).toEqual({ device_name: 'North gate', cmd: '' });
  expect('capture_img' in all.data[1]).toBe(false);
  expect((await box.caller.run('checkin_acs_query', { next_id: all.next_id })).data).toEqual({
    next_id: all.next_id,
    data: [],
  });
  await employ(box, 'e77');
  const later = (await box.caller.run('checkin_acs_query', { next_id: 3, pass_only: false })).data.data;
  expect(later).toMatchObject([{ id: 4, ext_id: 'e77', check_data: { member_name: 'Name of e77' } }]);
});

test('a page with photos is cut at 8 MiB, and goes on where it was cut', async () => {
  await using box = await anAttendanceBox({
    gateway: {
      limits: { logPerSecond: 20, logPerDay: 10_000, logBytes: 4096, messageBytes: 4 << 20, inboxMessages: 1000 },
    },
  });
  const photo = 'A'.repeat(3 << 20);
  for (let turn = 0; turn < 4; turn++)
    await box.report({ records: [access({ capture_img: photo, check_time: at + turn })] }, { action: 2002 });
  const first = (await box.caller.run('checkin_acs_query', { page_size: 50 })).data;
  expect(first.data).toHaveLength(2);
  const second = (await box.caller.run('checkin_acs_query', { page_size: 50, next_id: first.next_id })).data;
  expect(second.data.map((one: { check_time: number }) => one.check_time - at)).toEqual([2, 3]);
});

test('the organization as it stood at the punch stays in the record', async () => {
  await using box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  await box.punch('e1');
  await box.caller.call('/v2.0/department', { department_ext_id: 'd1', name: 'Assembly 2' });
  await box.punch('e1');
  expect((await box.caller.walk()).records.map(one => one.check_data.dept_name)).toEqual(['Assembly', 'Assembly 2']);
});

test('a caller of another box’s key space sees the same organization: the initialization holds for all', async () => {
  const other = { app_key: 'ak2', app_secret: 'as2', name: 'Canteen' };
  await using box = await anAttendanceBox({ site: { attendance_callers: [payroll, other], employees: [] } });
  await box.callerOf('ak2', 'as2').run('checkin_query_init');
  await employ(box, 'e1', { department_infos: [{ ext_id: '0' }] });
  await box.punch('e1');
  expect((await box.caller.walk()).records).toHaveLength(1);
});
