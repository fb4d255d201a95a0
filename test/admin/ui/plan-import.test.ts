import { expect, test } from 'vitest';
import { applySite, type PageParts } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { ImportSlot } from '../../../src/admin/ui/import-report.ts';
import { planImport, planImportOperations } from '../../../src/admin/ui/plan-import.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox, aSite } from '../../support/attendance.ts';
import { lightHash } from '../../support/hash-strength.ts';

const site = {
  ...aSite,
  employees: ['e1', 'e2'].map((id, index) => ({
    ...{ ext_id: id, name: `Person ${id}`, mobile: '', employee_num: `00${index + 1}` },
    department: { ext_id: 'd1' },
  })),
};

async function aBox(other: Partial<typeof site> = {}) {
  const box = await anAttendanceBox({ site: { ...site, ...other } });
  const { store, clock } = box.gateway;
  const parts = {
    store,
    config: { site: { locale: 'en' } },
    admin: { apply: (input: never) => applySite(store, input, { production: false, clock, hashStrength: lightHash }) },
    slot: new ImportSlot(),
  } as unknown as PageParts & { slot: ImportSlot };
  const identity = anIdentity('staff');
  const api = await anAdminApi({} as never, identity, app => serve(app, planImportOperations, planImport(parts)));
  const take = async (query: string, body: string | Uint8Array<ArrayBuffer>) => {
    const answer = await api.request(`/schedules/import?${query}`, { method: 'POST', body });
    // biome-ignore lint/suspicious/noExplicitAny: read by each test as it needs.
    return { status: answer.status, json: (await answer.json()) as any };
  };
  const template = async (path: string) => (await api.request(`/schedules/import/${path}`)).text();
  return Object.assign(box, { take, template, store, audited: identity.audited });
}

const shifts = [
  '班次代码,班次名称,上班,下班,休息,允许迟到（分钟）',
  '早,早班,8:00,16:00,12:00-12:30,5',
  'night,Night,22:00,06:00,,',
].join('\n');
const said = (problems: { line: number; column: string; value: string; reason: string }[]) =>
  problems.map(one => `${one.line} ${one.column} ${one.value}: ${one.reason}`);

test('shifts are previewed with old and new values, then imported; what the file has no column for stays', async () => {
  await using box = await aBox();
  expect((await box.take('what=shifts&dry_run=true', shifts)).json).toMatchObject({
    ...{ dry_run: true, wrong: 0, added: 2, changed: 0 },
  });
  expect(await box.store.read.shifts()).toEqual([]);
  await box.take('what=shifts', shifts);
  const [night, early] = await box.store.read.shifts();
  expect(early).toMatchObject({ code: '早', lateGrace: 5, breaks: [{ from: 720, to: 750 }] });
  expect(night).toMatchObject({ segments: [{ on: 1320, off: 1800 }] });
  await box.store.write.putShift({
    shift: { ...early!, overtime: { ...early!.overtime, min: 60 } },
    ...{ at: 1, by: 'mei' },
  });
  const { json } = await box.take('what=shifts', 'code,name,start,end\n早,早班,08:30,16:00\n');
  expect(json.changes).toMatchObject([
    { key: '早', line: 2, values: [{ field: 'times', before: '08:00-16:00', after: '08:30-16:00' }] },
  ]);
  expect((await box.store.read.shifts())[1]).toMatchObject({ lateGrace: 5, overtime: { min: 60 } });
});

test('every wrong cell of a list of shifts is named at once, and nothing is imported', async () => {
  await using box = await aBox();
  const { json } = await box.take(
    'what=shifts',
    'code,name,start,end,breaks,late_grace\nd y,Day,9 Uhr,18:00,,\nb,B,09:00,18:00,lunch,many\nc,C,09:00,,,\noff,Off,09:00,17:00,,\nd,D,09:00,12:00,13:00-14:00,\n',
  );
  expect(said(json.problems)).toEqual([
    '2 start 9 Uhr: not a time: use 09:00',
    '3 late_grace many: not a number of minutes: use digits, such as 5',
    '4 end : enter both start and end',
    '5 code off: shift off: off is reserved for rest days: choose another code',
    '6 breaks 13:00-14:00: shift d: breaks[0] 13:00–14:00 is outside the shift',
  ]);
  expect(await box.store.read.shifts()).toEqual([]);
});

test('a month of people by days is read by number and by name of the shift; an empty cell leaves the day', async () => {
  await using box = await aBox();
  await box.take('what=shifts', shifts);
  const grid = '工号,姓名,岗位,1日,2日,3\n001,Person e1,焊工,早班,休,\n002,Wang,,night,,早\n';
  const query = 'what=rosters&month=2026-12';
  const { json } = await box.take(`${query}&dry_run=true`, grid);
  expect(json).toMatchObject({ wrong: 0, added: 4, changed: 0, same: 0 });
  expect(json.changes[0]).toMatchObject({
    ...{ name: 'Person e1', line: 2, values: [{ field: '2026-12-01', before: '', after: '早' }] },
  });
  expect(said(json.warnings)).toEqual([
    '1 岗位 : this column is not imported',
    '3 name Wang: the gateway has the name Person e2: check the number',
  ]);
  await box.take(query, grid);
  const days = await box.store.read.dayOverrides({ limit: 100 });
  expect(days.map(({ date, target, what }) => ({ date, target, what }))).toEqual([
    { date: '2026-12-01', target: { kind: 'person', extId: 'e1' }, what: { kind: 'shift', code: '早' } },
    { date: '2026-12-01', target: { kind: 'person', extId: 'e2' }, what: { kind: 'shift', code: 'night' } },
    { date: '2026-12-02', target: { kind: 'person', extId: 'e1' }, what: { kind: 'rest' } },
    { date: '2026-12-03', target: { kind: 'person', extId: 'e2' }, what: { kind: 'shift', code: '早' } },
  ]);
  // The same again, with one day changed.
  expect((await box.take(query, grid.replace('早班', 'night'))).json).toMatchObject({
    ...{ added: 0, changed: 1, same: 3 },
    changes: [{ values: [{ field: '2026-12-01', before: '早', after: 'night' }] }],
  });
  expect(box.audited.at(-1)).toMatchObject({ subject: 'rosters: 1 of 4 entries changed' });
});

test.each([
  ['a month by days', (header: string) => `${header},姓名,1\n001,,早\n7,,night\n`, 'what=rosters&month=2026-12'],
  ['rows', (header: string) => `${header},班次,日期\n001,早,2026-12-01\n7,night,2026-12-01\n`, 'what=rosters'],
])('the header says whether a roster names people by number or by external id: %s', async (_form, file, query) => {
  // The number of one is the external id of another.
  await using box = await aBox({
    employees: [
      { ext_id: '001', name: 'Li by id', mobile: '', employee_num: '900', department: { ext_id: 'd1' } },
      { ext_id: 'e2', name: 'Wu by number', mobile: '', employee_num: '001', department: { ext_id: 'd1' } },
      { ext_id: '7', name: 'Ho', mobile: '', employee_num: '', department: { ext_id: 'd1' } },
    ],
  });
  await box.take('what=shifts', shifts);
  for (const [header, id] of [
    ['工号', 'e2'],
    ['employee_num', 'e2'],
    ['人员编号', '001'],
    ['person', '001'],
  ] as const) {
    const { json } = await box.take(`${query}&dry_run=true`, file(header));
    expect(json.wrong, header).toBe(0);
    expect(json.changes.map(({ name }: { name: string }) => name).sort(), header).toEqual(
      ['Ho', id === 'e2' ? 'Wu by number' : 'Li by id'].sort(),
    );
    expect(said(json.warnings)).toContain(
      `2 person 001: number of e2 (Wu by number) and ID of 001 (Li by id): read as ${id} by the header`,
    );
  }
});

test('a number of several people means none of them', async () => {
  await using box = await aBox({
    employees: ['e1', 'e2'].map(id => ({
      ...{ ext_id: id, name: id, mobile: '', employee_num: '5', department: { ext_id: 'd1' } },
    })),
  });
  await box.take('what=shifts', shifts);
  expect(said((await box.take('what=rosters&month=2026-12', '工号,1\n5,早\n')).json.problems)).toEqual([
    '2 person 5: number used by several employees: enter the ID',
  ]);
});

test('every wrong cell of a month is named by its line and column', async () => {
  await using box = await aBox();
  await box.take('what=shifts', shifts);
  const { json } = await box.take(
    'what=rosters',
    'person,2026-12-01,2026-12-02\ne1,nihgt,off\nnobody,off,off\n001,off,\n,off,\n',
  );
  expect(said(json.problems)).toEqual([
    '2 2026-12-01 nihgt: no such shift',
    '3 2026-12-01 nobody: unknown employee ID',
    '3 2026-12-02 nobody: unknown employee ID',
    '4 2026-12-01 e1: duplicate of line 2: keep one',
    '5 person : is empty: fill it in',
  ]);
  expect((await box.take('what=rosters', 'person,1,2\ne1,off,\n')).json.problems[0]).toMatchObject({
    ...{ column: '1', reason: 'a day without a month: choose the month of the file' },
  });
  expect(await box.store.read.dayOverrides({ limit: 10 })).toEqual([]);
});

test('rosters by rows: a shift on weekdays, a week, a cycle, and a single date', async () => {
  await using box = await aBox();
  await box.take('what=shifts', shifts);
  const rows = [
    'person,department,shift,days,date,from,to',
    '001,,早,周一至周四,,2026-12-01,2026-12-31',
    'e2,,早 早 早 早 早 休 休,,,2026-12-01,',
    ',d1,"night, night, 休, 休",,,2026-12-01,',
    'e2,,night,,2026-12-24,,',
  ].join('\n');
  expect((await box.take('what=rosters', rows)).json).toMatchObject({ wrong: 0, added: 4 });
  const rules = await box.store.read.rosterRules({ limit: 10 });
  expect(rules.map(({ target, cycle, to }) => [Object.values(target).join(' '), cycle.join(' '), to])).toEqual([
    ['person e1', '早 早 早 早   ', '2026-12-31'],
    ['person e2', '早 早 早 早 早  ', null],
    ['department d1', 'night night  ', null],
  ]);
  expect(await box.store.read.dayOverrides({ limit: 10 })).toMatchObject([
    { date: '2026-12-24', target: { extId: 'e2' }, what: { code: 'night' } },
  ]);
  const wrong = [
    'person,department,shift,days,date,from,to',
    'e1,d1,早,,2026-12-01,,',
    'e1,,早,,,,',
    'e1,,早,9,,2026-12-01,2026-11-01',
    'e1,,早 早,1,2026-12-02,,2026-12-02',
  ].join('\n');
  expect(said((await box.take('what=rosters', wrong)).json.problems)).toEqual([
    '2 department d1: enter either a person or a department',
    '3 date : enter either a date or a start date',
    '4 days 9: not weekdays: use 1-5 or 1,3,5 (Monday is 1)',
    '4 to 2026-11-01: before the start date: correct one of the two',
    '5 shift 早 早: one shift per date: delete the others',
    '5 days 1: weekdays apply only to a single shift from a date: leave blank',
    '5 to 2026-12-02: an end needs a start date: leave blank',
  ]);
});

test('the templates have headers in both languages, and that of a month a column for each day', async () => {
  await using box = await aBox();
  expect(await box.template('template.csv?what=shifts&language=zh-CN')).toContain('班次代码,班次名称,上班,下班');
  expect(await box.template('template.csv?what=rosters')).toContain('person,name,department,shift,days,date,from,to');
  const month = await box.template('template.csv?what=rosters&month=2026-02&language=zh-CN');
  expect(month).toContain('人员编号,姓名,2026-02-01,');
  expect(month).not.toContain('2026-02-29');
});
