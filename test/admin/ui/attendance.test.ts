import { expect, test } from 'vitest';
import { attendanceReportOf } from '../../../src/admin/attendance.ts';
import { applySite, type BoxAdmin, type PageParts, type Role } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { access, accessOperations } from '../../../src/admin/ui/access.ts';
import { dayOperations, days } from '../../../src/admin/ui/attendance-days.ts';
import { monthRecords, reportOperations } from '../../../src/admin/ui/attendance-reports.ts';
import { erasureOperations, erasures } from '../../../src/admin/ui/erasures.ts';
import { ImportSlot } from '../../../src/admin/ui/import-report.ts';
import { peopleChangeOperations, peopleChanges } from '../../../src/admin/ui/people-changes.ts';
import { peopleImport, peopleImportOperations } from '../../../src/admin/ui/people-import.ts';
import { people, peopleOperations } from '../../../src/admin/ui/people-lists.ts';
import { unknownPeopleOf, unknownPeopleOperations } from '../../../src/admin/ui/unknown-people.ts';
import type { AttendanceOptions } from '../../../src/attendance/open.ts';
import type { JournalRecord, Seq } from '../../../src/store/index.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox, aSite } from '../../support/attendance.ts';
import { lightHash } from '../../support/hash-strength.ts';

const secondsOf = (moment: string): number => Date.parse(`${moment}+08:00`) / 1000;
const person = (no: number, department = 'd1') => ({
  ext_id: `e${no}`,
  name: `Person ${no}`,
  mobile: '',
  employee_num: `10${no}`,
  department: { ext_id: department },
});
const site = {
  ...aSite,
  departments: [
    ...aSite.departments!,
    { ext_id: 'd2', name: 'Night shift', p_ext_id: 'd1' },
    { ext_id: 'd3', name: 'Office', p_ext_id: '0' },
  ],
  employees: [person(1), person(2), person(3, 'd2'), person(4, 'd3')],
};

/**
 * The routes of the pages over a real store and a real device door, whose clock stands in Shanghai.
 */
async function aBox(change: Partial<Omit<AttendanceOptions, 'site'>> & { featuresUpstream?: 'on' | 'off' } = {}) {
  const { featuresUpstream = 'on', ...options } = change;
  const box = await anAttendanceBox({ site, ...options });
  const { store, clock } = box.gateway;
  const admin = {
    apply: (input: Parameters<BoxAdmin['apply']>[0]) =>
      applySite(store, input, { production: false, clock, hashStrength: lightHash }),
  } as BoxAdmin;
  const parts = {
    admin,
    store,
    clock,
    attendance: box.attendance,
    reports: box.reports(),
    services: {
      days: async (days: readonly string[]) => days.map(day => ({ day, type: 'WORK', name: '', source: 'site' })),
    },
    config: {
      site: { name: 'My site', timezone: 'Asia/Shanghai', locale: 'en' },
      features: { upstream: featuresUpstream },
    },
    upstream: { standsAlone: false },
  } as unknown as PageParts;
  const identityOf = new Map<Role, ReturnType<typeof anIdentity>>();
  const ask = async (role: Role, method: string, path: string, body?: unknown) => {
    const identity = identityOf.get(role) ?? anIdentity(role);
    identityOf.set(role, identity);
    const answer = await anAdminApi(admin, identity, app => {
      serve(app, dayOperations, days(parts));
      serve(app, reportOperations, monthRecords(parts));
      serve(app, accessOperations, access(parts));
      serve(app, peopleOperations, people(parts));
      serve(app, erasureOperations, erasures(parts));
      serve(app, peopleImportOperations, peopleImport({ ...parts, slot: new ImportSlot() }));
      serve(app, peopleChangeOperations, peopleChanges(parts));
      serve(app, unknownPeopleOperations, unknownPeopleOf(parts));
    }).request(path, {
      method,
      ...(body === undefined
        ? {}
        : typeof body === 'string'
          ? { body }
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : null };
  };
  return Object.assign(box, { ask, auditOf: (role: Role) => identityOf.get(role)!.audited });
}
type Names = { rows: { ext_id: string }[]; cursor: string | null };
const idsOf = ({ rows }: Names): string[] => rows.map(row => row.ext_id);

test('a day is the site’s own: the second before midnight is not of it, and pages go on where they ended', async () => {
  await using box = await aBox();
  await box.punch('e1', secondsOf('2026-11-19T23:59:59'));
  await box.punch('e2', secondsOf('2026-11-20T00:00:00'));
  await box.punch('e3', secondsOf('2026-11-20T23:59:59'));
  await box.punch('e3', secondsOf('2026-11-20T08:00:00'));
  await box.punch('nobody', secondsOf('2026-11-20T08:00:00'));
  const day = '/attendance/day?day=2026-11-20';
  expect((await box.ask('viewer', 'GET', day)).json).toMatchObject({ people: 4, here: 2, unknown: 1 });
  const people = '/attendance/day/people?day=2026-11-20';
  const here = (await box.ask('viewer', 'GET', people)).json;
  expect(idsOf(here)).toEqual(['e2', 'e3']);
  expect(here.rows[1]).toMatchObject({
    first: { at: secondsOf('2026-11-20T08:00:00'), device: 'North gate' },
    last: { at: secondsOf('2026-11-20T23:59:59') },
    count: 2,
  });
  const first = (await box.ask('viewer', 'GET', `${people}&which=missing&limit=1`)).json;
  expect(idsOf(first)).toEqual(['e1']);
  const next = (await box.ask('viewer', 'GET', `${people}&which=missing&limit=1&cursor=${first.cursor}`)).json;
  expect(idsOf(next)).toEqual(['e4']);
  expect((await box.ask('viewer', 'GET', `${people}&which=missing&limit=1&cursor=${next.cursor}`)).json).toEqual({
    rows: [],
    cursor: null,
  });
  expect(idsOf((await box.ask('viewer', 'GET', `${people}&which=missing&department=d1`)).json)).toEqual(['e1']);
  expect((await box.ask('viewer', 'GET', `${day}&department=d1`)).json).toMatchObject({ people: 3, here: 2 });
  expect((await box.ask('viewer', 'GET', '/attendance/day?day=2026-02-30')).status).toBe(400);
});

test('a month counts each check-in on its day at the site', async () => {
  await using box = await aBox();
  for (const moment of ['2026-10-31T23:59:59', '2026-11-01T00:00:00', '2026-11-30T23:59:59', '2026-11-30T07:00:00'])
    await box.punch('e1', secondsOf(moment));
  const { rows } = (await box.ask('viewer', 'GET', '/attendance/month/people?month=2026-11&search=e1')).json;
  expect(rows[0].days).toEqual([1, ...Array(28).fill(0), 2]);
  const month = (await box.ask('viewer', 'GET', '/attendance/month?month=2028-02')).json;
  expect(month.days).toHaveLength(29);
  const punches = (await box.ask('viewer', 'GET', '/people/e1/checkins?month=2026-11&limit=2')).json;
  expect(punches.rows.map((row: { at: number }) => row.at)).toEqual([
    secondsOf('2026-11-01T00:00:00'),
    secondsOf('2026-11-30T07:00:00'),
  ]);
  const rest = (await box.ask('viewer', 'GET', `/people/e1/checkins?month=2026-11&cursor=${punches.cursor}`)).json;
  expect(rest.rows).toHaveLength(1);
  expect(rest.rows[0]).toMatchObject({ state: 'kept here', device: 'North gate', type: 'fa' });
});

test('a deleted person is listed while the journal holds a picture of the person, with the date of its erasure', async () => {
  await using box = await aBox();
  const { store, clock } = box.gateway;
  await box.report(
    {
      records: [
        {
          door_id: 'D1',
          ext_id: 'e1',
          check_type: 'fa',
          check_time: secondsOf('2026-11-20T08:00:00'),
          check_result: 0,
          capture_img: 'cGljdHVyZQ',
        },
      ],
    },
    { action: 2002 },
  );
  expect((await box.ask('viewer', 'GET', '/erasures')).json).toEqual({ rows: [] });
  await store.write.deleteEmployee({ extId: 'e1', at: clock.now(), queue: null });
  const held = { ext_id: 'e1', erased_at: clock.now(), held_records: 1 };
  expect((await box.ask('viewer', 'GET', '/erasures')).json).toEqual({
    rows: [{ ...held, waits_for_cloud: true, done_by: null }],
  });
  await store.write.eraseStep({ now: clock.now() });
  const { records } = await store.journal.read(0 as Seq, { bytesMax: 1 << 20 });
  const [{ deviceNo, seq }] = records as readonly [JournalRecord];
  await store.write.confirm({
    confirmations: [{ deviceNo, channel: 'device', upToSeq: seq, floorSeq: seq, at: clock.now(), via: 'mqtt' }],
  });
  expect((await box.ask('viewer', 'GET', '/erasures')).json).toEqual({
    rows: [{ ...held, waits_for_cloud: false, done_by: clock.now() + 24 * 3600 * 1000 }],
  });
  expect((await attendanceReportOf(store, null, clock.now())).erasures).toMatchObject([{ ext_id: 'e1' }]);
  await store.write.eraseStep({ now: clock.now() });
  expect((await box.ask('viewer', 'GET', '/erasures')).json).toEqual({ rows: [] });
});

test('passages are the newest first, also where a page ends between two of one second', async () => {
  await using box = await aBox();
  const at = secondsOf('2026-11-20T08:00:00');
  const passage = (change: object) => ({
    door_id: 'D1',
    ext_id: 'e1',
    check_type: 'fa',
    check_time: at,
    check_result: 0,
    ...change,
  });
  await box.report(
    {
      records: [
        passage({}),
        passage({ ext_id: 'e2', check_result: 1 }),
        passage({ ext_id: '', check_result: 2, door_id: 'D2' }),
        passage({ check_time: at - 86_400 }),
      ],
    },
    { action: 2002 },
  );
  const all = async (query: string) => {
    const found: [number, string][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await box.ask('viewer', 'GET', `/access?limit=1${query}${cursor && `&cursor=${cursor}`}`);
      for (const row of json.rows) found.push([row.result, row.ext_id]);
      cursor = json.cursor;
    }
    return found;
  };
  expect(await all('')).toEqual([
    [2, ''],
    [1, 'e2'],
    [0, 'e1'],
    [0, 'e1'],
  ]);
  expect(await all('&day=2026-11-20&result=passed')).toEqual([[0, 'e1']]);
  expect(await all('&result=stranger')).toEqual([[2, '']]);
  expect(await all('&door=d2')).toEqual([[2, '']]);
  expect(await all('&person=e2')).toEqual([[1, 'e2']]);
  // Else by a part of a name or number.
  expect(await all('&person=person%202')).toEqual([[1, 'e2']]);
  expect(await all('&person=nobody')).toEqual([]);
});

test('photos are for staff, and one that is not an image is reported as damaged; only photos that were shown are audited', async () => {
  await using box = await aBox();
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
  const passage = (img?: string) => ({
    door_id: 'D1',
    ext_id: 'e1',
    check_type: 'fa',
    check_time: 1_763_600_000,
    check_result: 0,
    ...(img ? { capture_img: img } : {}),
  });
  await box.report(
    {
      records: [
        passage(jpeg.toString('base64')),
        passage(Buffer.from('<svg onload="x">').toString('base64')),
        passage(),
      ],
    },
    { action: 2002 },
  );
  expect((await box.ask('viewer', 'GET', '/access/1/photo')).status).toBe(403);
  expect(box.auditOf('viewer')).toEqual([
    expect.objectContaining({ subject: 'photo of passage 1', outcome: 'refused' }),
  ]);
  expect((await box.ask('staff', 'GET', '/access/1/photo')).status).toBe(200);
  expect((await box.ask('staff', 'GET', '/access/2/photo')).json).toMatchObject({
    status: 422,
    title: 'damaged_photo',
  });
  expect((await box.ask('staff', 'GET', '/access/3/photo')).json).toMatchObject({ status: 404, title: 'no_photo' });
  expect((await box.ask('staff', 'GET', '/access/4/photo')).status).toBe(404);
  expect(box.auditOf('staff')).toEqual([
    expect.objectContaining({ action: 'GET /access/1/photo', subject: 'photo of e1, passage 1', outcome: 'done' }),
  ]);
});

test.each([
  ['on', false],
  ['off', true],
] as const)(
  'with features.upstream %s the page of a person says whether they stay: %s',
  async (featuresUpstream, stays) => {
    await using box = await aBox({ featuresUpstream, featuresStay: stays });
    expect((await box.ask('staff', 'GET', '/people/e1/features')).json.stay_here).toBe(stays);
  },
);

test('features are listed by kind and length, never by value, and the read is audited', async () => {
  await using box = await aBox();
  const users = [{ ext_id: 'e1', feature_type: 'fa', feature_alg: 'v2', feature_value: ['s3cretface'] }];
  expect((await box.caller.run('feature_update', { users })).code).toBe(0);
  expect((await box.ask('viewer', 'GET', '/people/e1/features')).status).toBe(403);
  const { text, json } = await box.ask('staff', 'GET', '/people/e1/features');
  expect(json.rows).toMatchObject([
    { type: 'fa', algorithm: 'v2', values: [{ length: 10, abnormal: false }], damaged: false },
  ]);
  expect(text).not.toContain('s3cret');
  expect(box.auditOf('staff')).toHaveLength(1);
  const { rows } = (await box.ask('viewer', 'GET', '/people?search=e1')).json;
  expect(rows[0]).toMatchObject({ features: ['fa'], abnormal: false });
  const report = {
    ext_id: 'e2',
    feature_type: 'fp',
    feature_alg: 'v1',
    values: ['a', 'b'],
    abnormal: [false, true],
  };
  await box.report(report, { action: 2003 });
  expect((await box.ask('viewer', 'GET', '/people?search=e2')).json.rows[0]).toMatchObject({
    features: ['fp'],
    abnormal: true,
  });
});

test('people and departments are changed by staff, under the rules of the signed calls', async () => {
  await using box = await aBox();
  const body = { name: 'Wu', department: 'd1' };
  expect((await box.ask('viewer', 'POST', '/people', { ext_id: 'e9', ...body })).status).toBe(403);
  expect((await box.ask('staff', 'POST', '/people', { ext_id: 'e9', ...body })).json).toMatchObject({ queued: false });
  expect((await box.ask('staff', 'POST', '/people', { ext_id: 'e9', ...body })).json.title).toBe('ext_id_in_use');
  expect((await box.ask('staff', 'PUT', '/people/e8', body)).status).toBe(404);
  expect((await box.ask('staff', 'PUT', '/people/e9', { ...body, department: 'dx' })).json.title).toBe('unknown_id');
  expect((await box.ask('staff', 'PUT', '/people/e9', { ...body, name: 'x'.repeat(31) })).json).toMatchObject({
    status: 422,
    detail: 'name: at most 30 characters',
  });
  expect((await box.ask('staff', 'DELETE', '/departments/d1')).json.title).toBe('department_has_employees');
  expect((await box.ask('staff', 'PUT', '/departments/d1', { name: 'A', parent: 'd2' })).status).toBe(422);
  expect((await box.ask('staff', 'POST', '/departments', { ext_id: 'd5', name: 'Paint', parent: 'd3' })).status).toBe(
    200,
  );
  const { departments } = (await box.ask('viewer', 'GET', '/departments')).json;
  const belowOf = (extId: string) => departments.find((one: { ext_id: string }) => one.ext_id === extId).people_below;
  expect([belowOf('0'), belowOf('d1'), belowOf('d5')]).toEqual([5, 4, 0]);
  await box.punch('e9');
  expect((await box.ask('viewer', 'GET', '/people/e9')).json).toMatchObject({ name: 'Wu', checkins: 1 });
  expect((await box.ask('staff', 'DELETE', '/people/e9')).status).toBe(200);
  expect((await box.ask('viewer', 'GET', '/people/e9')).status).toBe(404);
  expect(box.auditOf('staff').at(-1)).toMatchObject({ action: 'DELETE /people/e9', subject: 'e9', outcome: 'done' });
});

test('with the cloud as authority a change is queued for it in the name of whoever made it, and a list is imported there', async () => {
  const post = () => Promise.reject(new Error('the line is down'));
  await using box = await aBox({
    cloud: { post, address: 'cloud.example', appKey: 'k', appSecret: 's', everyMs: 3_600_000 },
  });
  const { read } = box.gateway.store;
  expect((await box.ask('staff', 'PUT', '/departments/d3', { name: 'Front office' })).json).toMatchObject({
    queued: true,
  });
  expect((await read.organizationWrites({ refused: false, limit: 10 })).rows).toMatchObject([
    { caller: 'mei', path: '/v2.0/department', subject: 'department d3' },
  ]);
  const refused = await box.ask(
    'staff',
    'POST',
    '/people/import?what=employees',
    'ext_id,name,department_ext_id\nx,X,d1\n',
  );
  expect(refused.json).toMatchObject({ status: 422, title: 'cloud_is_authority' });
});

test('an import is looked at first; a file with anything wrong changes nothing, and one that is too large is not read', async () => {
  await using box = await aBox();
  const path = '/people/import?what=employees';
  const good = 'ext_id,name,department_ext_id\nn1,New,d1\n';
  expect((await box.ask('staff', 'POST', `${path}&dry_run=true`, good)).json).toMatchObject({
    dry_run: true,
    added: 1,
  });
  const wrong = await box.ask('staff', 'POST', path, `${good}n2,,d1\nn3,Three,nowhere\n`);
  expect(wrong.json).toMatchObject({
    dry_run: true,
    wrong: 2,
    problems: [
      { line: 3, column: 'name', reason: 'is empty: fill it in' },
      { line: 4, value: 'nowhere', reason: 'no such department' },
    ],
  });
  expect((await box.ask('viewer', 'GET', '/people/n1')).status).toBe(404);
  expect((await box.ask('staff', 'POST', path, good)).json).toMatchObject({ dry_run: false, wrong: 0, added: 1 });
  expect((await box.ask('viewer', 'GET', '/people/n1')).status).toBe(200);
});

test('the preview of an import has old and new of each changed row, and warns of lost zeros', async () => {
  await using box = await aBox();
  const path = '/people/import?what=employees';
  const columns = 'ext_id,name,department_ext_id,employee_num,title,to';
  await box.ask('staff', 'POST', path, `${columns}\nz1,Zero,d1,0042,Fitter,\n`);
  const looked = await box.ask(
    'staff',
    'POST',
    `${path}&dry_run=true`,
    `${columns}\nz2,Two,d1,7,,\nz1,Null,d2,42,,2026-11-30\n`,
  );
  expect(looked.json).toMatchObject({
    added: 1,
    changed: 1,
    changes: [
      {
        action: 'change',
        key: 'z1',
        line: 3,
        name: 'Null',
        values: [
          { field: 'name', before: 'Zero', after: 'Null' },
          { field: 'to', before: '', after: '2026-11-30' },
          { field: 'employee_num', before: '0042', after: '42' },
          { field: 'department_ext_id', before: 'd1', after: 'd2' },
        ],
      },
      { action: 'add', key: 'z2', line: 2, name: 'Two', values: [] },
    ],
    warnings: [{ line: 3, column: 'employee_num', value: '42' }],
  });
  expect((await box.ask('staff', 'GET', '/people/z1')).json).toMatchObject({ name: 'Zero', employee_num: '0042' });
});

test('an unknown id is listed with whose it probably is; a join resolves it, and its undo is in the audit log too', async () => {
  await using box = await aBox();
  await box.ask(
    'staff',
    'POST',
    '/people/import?what=employees',
    'ext_id,name,department_ext_id,employee_num\nk1,Known,d1,0099\n',
  );
  await box.punch('99', 1_763_600_000);
  const list = async () => (await box.ask('viewer', 'GET', '/unknown-people')).json;
  const unknown = { said_ext_id: '99', said_number: '', checkins: 1, likely: { ext_id: 'k1', name: 'Known' } };
  expect((await list()).rows).toMatchObject([unknown]);
  const said = { said_ext_id: '99', said_number: '' };
  expect((await box.ask('viewer', 'POST', '/unknown-people/joins', { ...said, ext_id: 'k1' })).status).toBe(403);
  const { json } = await box.ask('staff', 'POST', '/unknown-people/joins', { ...said, ext_id: 'k1' });
  expect(json).toMatchObject({ checkins: 1 });
  expect(await list()).toMatchObject({ checkins: 0, rows: [], joined: [{ person: { ext_id: 'k1' }, checkins: 1 }] });
  expect((await box.ask('staff', 'DELETE', `/unknown-people/joins/${json.id}`)).json).toEqual({ done: true });
  expect(await list()).toMatchObject({ rows: [unknown], joined: [] });
});

test('unknown ids become people with one call, and their check-ins are theirs', async () => {
  await using box = await aBox();
  for (const id of ['77', '78', '78']) await box.punch(id, 1_763_600_000);
  const list = async () => (await box.ask('viewer', 'GET', '/unknown-people')).json;
  expect(await list()).toMatchObject({ checkins: 3, rows: [{}, {}] });
  const people = ['77', '78'].map(id => ({ said_ext_id: id, said_number: '' }));
  const add = (role: Role) => box.ask(role, 'POST', '/unknown-people/people', { people, department: 'd3' });
  expect((await add('viewer')).status).toBe(403);
  expect((await add('staff')).json).toEqual({ added: 2 });
  expect(await list()).toMatchObject({ checkins: 0, rows: [] });
  expect((await box.ask('staff', 'GET', '/people/78')).json).toMatchObject({ name: '78', checkins: 2 });
  expect((await add('staff')).json).toMatchObject({ title: 'ext_id_in_use' });
  expect(JSON.stringify(box.auditOf('staff'))).toContain('added_for_unknown');
});

test('a viewer sees mobile numbers masked, staff see them whole', async () => {
  await using box = await aBox();
  await box.caller.call('/v2.0/employee', {
    employee_ext_id: 'm1',
    name: 'Mobile',
    mobile: '13800001234',
    employee_num: 'm1',
    department_infos: [{ ext_id: 'd1' }],
  });
  for (const path of ['/people/m1', '/people?limit=50', '/attendance/day/people?which=missing&limit=50']) {
    expect((await box.ask('viewer', 'GET', path)).text, path).not.toContain('13800001234');
    expect((await box.ask('viewer', 'GET', path)).text, path).toContain('138****1234');
    expect((await box.ask('staff', 'GET', path)).text, path).toContain('13800001234');
  }
  expect((await box.caller.call('/v2.0/employee/query')).data.rows.at(-1)).toMatchObject({ mobile: '13800001234' });
});
