import { expect, test } from 'vitest';
import { aPair } from '../../support/mirror-pair.ts';

const at = 1_763_600_000;

/** A check-in by phone, as a page of the cloud lists it. */
const listedByPhone = (extId: string) => ({
  ...{ id: '7', userId: '', extId, terminalId: 'phone', checkType: 'gps' as const },
  ...{ checkTime: at, checkData: {} },
});

test('what phones report at the cloud stands in one sequence with the site’s own, each once, over several pages', async () => {
  await using pair = await aPair();
  const { cloud, box } = pair;
  await pair.start();
  for (let turn = 0; turn < 3; turn++) await box.punch('e1', at + turn * 1000);
  const phone = Array.from({ length: 600 }, (_, turn) => ({
    ext_id: 'e1',
    check_type: 'wifi',
    check_time: at + turn,
    check_data: { terminal_id: 'phone-1', ssid: 'Plant' },
  }));
  await cloud.report({ records: phone });
  await pair.sync();
  await box.punch('e1', at + 9000);
  const { records, nextId } = await box.caller.walk();
  expect(records).toHaveLength(604);
  expect(new Set(records.map(one => one.id)).size).toBe(604);
  expect(records.filter(one => one.terminal_id === 'phone-1').map(one => one.check_time)).toEqual(
    phone.map(one => one.check_time),
  );
  expect(records[3]).toMatchObject({
    ext_id: 'e1',
    check_type: 'wifi',
    check_data: { ssid: 'Plant', member_name: 'Li Mei' },
  });
  expect(records.at(-1)).toMatchObject({ check_type: 'fa', check_time: at + 9000 });
  await pair.sync();
  expect((await box.caller.walk(nextId)).records).toEqual([]);
});

test('a payroll that moves from the cloud gets all that the cloud lists, by the checkin_query_init that was done there', async () => {
  await using pair = await aPair();
  const { cloud, box } = pair;
  await box.punch('e1', at);
  await cloud.caller.run('checkin_query_init');
  const records = [1, 2].map(turn => ({ ext_id: 'e1', check_type: 'wifi', check_time: at + turn, check_data: {} }));
  await cloud.report({ records });
  await pair.sync();
  expect((await box.caller.walk()).records.map(one => one.check_time)).toEqual([at, at + 1, at + 2]);
  expect(await box.caller.run('checkin_query', { next_id: 5978 })).toMatchObject({
    code: 106,
    msg: expect.stringContaining('next_id: was never given here'),
  });
  await box.caller.run('checkin_query_init');
  expect((await box.caller.walk()).records).toHaveLength(3);
});

test('a box that is pointed at another cloud reads its lists from the beginning, and gives what both list once', async () => {
  await using pair = await aPair();
  const { cloud, box } = pair;
  await pair.start();
  const byPhone = { ext_id: 'e1', check_type: 'gps', check_time: at, check_data: { terminal_id: 'phone-1' } };
  await cloud.report({ records: [byPhone] });
  await pair.sync();
  const { store } = box.gateway;
  expect(await store.write.mirrorFrom({ address: 'another.example', appKeyHash: 'another' })).toBe(true);
  expect((await store.read.mirrorCursor('checkins')).nextId).toBe(0);
  await cloud.report({ records: [{ ...byPhone, check_time: at + 60 }] });
  await pair.sync();
  expect((await box.caller.walk()).records.map(one => one.check_time)).toEqual([at, at + 60]);
});

test('what a terminal of the site reported and the cloud lists too is given once, whichever came first', async () => {
  await using pair = await aPair();
  const { cloud, box } = pair;
  await pair.start();
  await box.punch('e1', at);
  await cloud.punch('e1', at);
  // Two punches of one second are two.
  await cloud.punch('e1', at + 500);
  await cloud.punch('e1', at + 500);
  await pair.sync();
  await box.punch('e1', at + 500);
  await box.punch('e1', at + 500);
  await pair.sync();
  const { records } = await box.caller.walk();
  expect(records.map(one => [one.terminal_id, one.check_time])).toEqual([
    ['A0001', at],
    ['A0001', at + 500],
    ['A0001', at + 500],
  ]);
  expect((await box.gateway.store.read.uncertainMatches(10)).total).toBe(0);
});

test('where it is uncertain whether two are one both are given, and the pair is shown until somebody has looked', async () => {
  await using pair = await aPair();
  const { cloud, box } = pair;
  await pair.start();
  await box.punch('e1', at);
  await cloud.punch('e1', at + 30);
  await pair.sync();
  expect((await box.caller.walk()).records.map(one => one.check_time)).toEqual([at, at + 30]);
  const { read, write } = box.gateway.store;
  const { total, rows } = await read.uncertainMatches(10);
  expect(total).toBe(1);
  expect(rows).toMatchObject([
    {
      kind: 'checkin',
      extId: 'e1',
      name: 'Li Mei',
      site: { time: at, place: 'A0001', checkType: 'fa' },
      cloud: { time: at + 30, place: 'A0001', checkType: 'fa' },
    },
  ]);
  // The cloud lists that one as well: the other was another punch.
  await cloud.punch('e1', at);
  await pair.sync();
  expect((await read.uncertainMatches(10)).total).toBe(0);
  await box.punch('e1', at + 60);
  const [other] = (await read.uncertainMatches(10)).rows;
  expect(other).toMatchObject({ site: { time: at + 60 }, cloud: { time: at + 30 } });
  expect(await write.dismissUncertainMatch({ id: other!.id })).toBe(true);
  expect(await write.dismissUncertainMatch({ id: other!.id })).toBe(false);
});

test('with the line cut in the middle the pages go on where they were, and nothing comes twice', async () => {
  await using pair = await aPair();
  const { cloud, box, line } = pair;
  await pair.start();
  const punches = Array.from({ length: 1100 }, (_, turn) => ({
    ext_id: 'e1',
    check_type: 'gps',
    check_time: at + turn,
    check_data: { terminal_id: 'phone-1' },
  }));
  await cloud.report({ records: punches.slice(0, 600) });
  await cloud.report({ records: punches.slice(600) });
  line.pagesLeft = 1;
  expect(await pair.sync()).toMatchObject({ state: 'down' });
  expect((await box.caller.walk()).records).toHaveLength(500);
  line.pagesLeft = Number.POSITIVE_INFINITY;
  expect(await pair.sync()).toMatchObject({ state: 'up', records_why: '' });
  const { records } = await box.caller.walk();
  expect(records.map(one => one.check_time)).toEqual(punches.map(one => one.check_time));
});

test('a page that was stored and is brought again, as after a kill, changes nothing', async () => {
  await using pair = await aPair();
  const { box } = pair;
  await pair.start();
  const { write, read } = box.gateway.store;
  const { nextId: from } = await read.mirrorCursor('checkins');
  const page = { from, next: from + 7, records: [listedByPhone('e1')], at: 1 };
  expect(await write.mirrorCheckIns(page)).toEqual({ added: 1, matched: 0, uncertain: 0 });
  expect(await write.mirrorCheckIns(page)).toEqual({ added: 0, matched: 0, uncertain: 0 });
  // A cloud that counts from the beginning again lists the same one under its id.
  expect(await write.mirrorCheckIns({ ...page, from: from + 7, next: from + 8 })).toMatchObject({ added: 0 });
  expect((await read.mirrorCursor('checkins')).nextId).toBe(from + 8);
  expect((await box.caller.walk()).records).toHaveLength(1);
});

test('a check-in of somebody whom the organization does not know waits, and is given when it does', async () => {
  await using pair = await aPair();
  const { box } = pair;
  await pair.start();
  const { write, read } = box.gateway.store;
  const { nextId: from } = await read.mirrorCursor('checkins');
  await write.mirrorCheckIns({ from, next: from, records: [listedByPhone('e9')], at: 1 });
  expect((await box.caller.walk()).records).toEqual([]);
  await pair.cloud.caller.call('/v2.0/employee', {
    employee_ext_id: 'e9',
    name: 'New',
    mobile: '1',
    employee_num: '9',
    department_infos: [{ ext_id: 'd1' }],
  });
  await pair.sync();
  expect((await box.caller.walk()).records).toMatchObject([{ ext_id: 'e9', terminal_id: 'phone' }]);
});

test('a punch by a number that two people had is given once, though the cloud knew at once whose it was', async () => {
  await using pair = await aPair();
  const { cloud, box } = pair;
  const other = { employee_ext_id: 'e2', name: 'Other', mobile: '1', department_infos: [{ ext_id: 'd1' }] };
  await cloud.caller.call('/v2.0/employee', { ...other, employee_num: '1001' });
  await pair.start();
  const { write, read } = box.gateway.store;
  const byNumber = (check_time: number) => ({ records: [{ employee_num: '1001', check_type: 'fa', check_time }] });
  await box.report(byNumber(at));
  await box.report(byNumber(at + 500));
  expect((await box.caller.walk()).records).toEqual([]);
  const listed = { userId: '', extId: 'e1', terminalId: 'A0001', checkType: 'fa', checkData: {} } as const;
  const { nextId: from } = await read.mirrorCursor('checkins');
  await write.mirrorCheckIns({
    from,
    next: from,
    records: [
      { ...listed, id: '7', checkTime: at },
      { ...listed, id: '8', checkTime: at + 530 },
    ],
    at: 1,
  });
  const given = await box.caller.walk();
  expect(given.records.map(one => one.check_time)).toEqual([at, at + 530]);
  await cloud.caller.call('/v2.0/employee', { ...other, employee_num: '1002' });
  await pair.sync();
  // The cloud's copy stays the row that callers were given; what is only near it is given and
  // shown.
  expect((await box.caller.walk(given.nextId)).records).toMatchObject([{ ext_id: 'e1', check_time: at + 500 }]);
  expect((await box.caller.walk()).records).toHaveLength(3);
  const { total, rows } = await read.uncertainMatches(10);
  expect(total).toBe(1);
  expect(rows).toMatchObject([{ site: { time: at + 500 }, cloud: { time: at + 530 } }]);
});

test('access records of the cloud are given too, with photo, those of the site’s doors once', async () => {
  await using pair = await aPair();
  const { cloud, box } = pair;
  await pair.start();
  const passage = (check_time: number, change: object = {}) => ({
    records: [{ ext_id: 'e1', door_id: 'D1', check_type: 'fa', check_time, check_result: 0, ...change }],
  });
  await box.report(passage(at), { action: 2002 });
  await cloud.report(passage(at), { action: 2002, mid: 'a' });
  await cloud.report(passage(at + 900, { capture_img: 'QUJD', door_id: 'D2' }), { action: 2002, mid: 'b' });
  await cloud.report(passage(at + 950, { ext_id: '', check_result: 2 }), { action: 2002, mid: 'c' });
  await pair.sync();
  await box.report(passage(at + 900, { door_id: 'D2' }), { action: 2002 });
  const { data } = await box.caller.run('checkin_acs_query', { next_id: 0, pass_only: false });
  expect(data.data).toMatchObject([
    { door_id: 'D1', ext_id: 'e1', check_time: at },
    { door_id: 'D2', ext_id: 'e1', check_time: at + 900, capture_img: 'QUJD' },
    { door_id: 'D1', ext_id: '', check_time: at + 950, check_result: 2 },
  ]);
});
