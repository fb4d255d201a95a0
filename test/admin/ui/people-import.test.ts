import { expect, test } from 'vitest';
import { applySite, type BoxAdmin } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { ImportSlot } from '../../../src/admin/ui/import-report.ts';
import { peopleImport, peopleImportOperations } from '../../../src/admin/ui/people-import.ts';
import { AttendanceResults } from '../../../src/attendance/index.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox } from '../../support/attendance.ts';
import { inCodePage } from '../../support/code-page.ts';
import { lightHash } from '../../support/hash-strength.ts';
import { workbookParts, zipped } from '../../support/workbook-parts.ts';

/** A list of seven rows, of which four are wrong, one of them twice. */
const list = [
  ['ext_id', 'name', 'department_ext_id', 'employee_num', 'from'],
  ['n1', 'New One', 'd1', '2001', ''],
  ['n2', '', 'd1', '2002', ''],
  ['e1', 'Li Mei the elder', 'd1', '1001', ''],
  ['n3', 'Third', 'nowhere', '2003', ''],
  ['n4', '', 'd1', '2004', 'yesterday'],
  ['n1', 'New One again', 'd1', '2005', ''],
  ['n5', 'Fifth', 'd1', '2006', ''],
];
const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const files = {
  CSV: list.map(row => `${row.join(',')}\n`).join(''),
  XLSX: zipped(workbookParts(list.map((row, at) => `<row r="${at + 1}">${row.map(cell).join('')}</row>`).join(''))),
};

async function aBox() {
  const box = await anAttendanceBox();
  const { store, clock } = box.gateway;
  const admin = {
    apply: (input: Parameters<BoxAdmin['apply']>[0]) =>
      applySite(store, input, { production: false, clock, hashStrength: lightHash }),
  } as BoxAdmin;
  const site = { locale: 'en', timezone: 'Asia/Shanghai' };
  const config = { site } as Parameters<typeof peopleImport>[0]['config'];
  const results = new AttendanceResults({
    ...{ store, clock, site },
    rules: { clock: 'as_said', nightOvertime: 'work_date' },
    isOnline: () => false,
    calendar: async () => new Map(),
  });
  const parts = { admin, config, clock, results, store, attendance: box.attendance, slot: new ImportSlot() };
  const send = async (query: string, body: string | Uint8Array) => {
    const api = anAdminApi(admin, anIdentity('staff'), app => serve(app, peopleImportOperations, peopleImport(parts)));
    const path = `/people/import?what=employees${query}`;
    const answer = await api.request(path, { method: 'POST', body: body as never });
    return JSON.parse(await answer.text());
  };
  return Object.assign(box, {
    send,
    person: (id: string) => store.read.person(id),
    nameOf: async (id: string) => (await store.read.person(id))?.name ?? null,
  });
}

test.each(['CSV', 'XLSX'] as const)('refused rows of a list hide no others: %s', async format => {
  await using box = await aBox();
  for (const query of ['&dry_run=true', '']) {
    const said = await box.send(query, files[format]);
    expect(said).toMatchObject({ dry_run: true, wrong: 5, added: 2, changed: 1 });
    // Every mistake at once, also the second one of a row.
    expect(said.problems.map(({ line, column }: { line: number; column: string }) => `${line} ${column}`)).toEqual([
      '3 name',
      '5 department_ext_id',
      '6 name',
      '6 from',
      '7 ext_id',
    ]);
    // The rows that are right are all in the preview.
    expect(said.changes.map(({ action, key }: { action: string; key: string }) => `${action} ${key}`).sort()).toEqual([
      'add n1',
      'add n5',
      'change e1',
    ]);
  }
  expect([await box.nameOf('n1'), await box.nameOf('e1')]).toEqual([null, 'Li Mei']);
  const mended = list.filter((_, at) => [0, 1, 3, 7].includes(at)).map(row => `${row.join(',')}\n`);
  expect(await box.send('', mended.join(''))).toMatchObject({ dry_run: false, wrong: 0, added: 2, changed: 1 });
  expect(await box.nameOf('e1')).toBe('Li Mei the elder');
});

test('a first day after the last day is a return: the first stint stays, and the preview says so', async () => {
  await using box = await aBox();
  const { store } = box.gateway;
  const first = { from: '2024-01-10', to: '2025-06-30' };
  await store.write.setEmployment({ employment: { extId: 'e1', ...first } });
  const row = (...days: [from: string, to: string]) =>
    `人员编号,姓名,部门编号,入职日期,最后工作日\ne1,Li Mei,d1,${days.join()}\n`;
  for (const query of ['&dry_run=true', '']) {
    const { changes } = await box.send(query, row('2026/11/1', ''));
    expect(changes).toMatchObject([{ action: 'change', key: 'e1' }]);
    expect(changes[0].values).toEqual([
      { field: 'from', before: '2024-01-10', after: '2026-11-01' },
      { field: 'to', before: '2025-06-30', after: '' },
      { field: 'earlier', before: '', after: '2024-01-10 – 2025-06-30' },
    ]);
  }
  const known = () => store.read.employments({ people: ['e1'], limit: 1 });
  expect(await known()).toEqual([{ extId: 'e1', from: '2026-11-01', to: null, earlier: [first] }]);
  // The same again, the list from before the return, and the day when somebody first came.
  for (const list of [row('2026-11-01', ''), row('2024-01-10', '2025-06-30'), row('2024-01-10', '')])
    expect(await box.send('', list)).toMatchObject({ wrong: 0, changed: 0, same: 1 });
  // Corrections, of the present stint and of the first one.
  await box.send('', row('2026-11-02', '2026-12-31'));
  const { changes } = await box.send('', row('2024-01-15', ''));
  expect(changes[0].values).toEqual([
    { field: 'earlier', before: '2024-01-10 – 2025-06-30', after: '2024-01-15 – 2025-06-30' },
  ]);
  const corrected = { from: '2026-11-02', to: '2026-12-31', earlier: [{ ...first, from: '2024-01-15' }] };
  expect(await known()).toEqual([{ extId: 'e1', ...corrected }]);
  expect(await box.send('', row('2024-01-15', '2026-11-30'))).toMatchObject({
    wrong: 1,
    problems: [
      {
        line: 2,
        column: 'from',
        reason: expect.stringContaining('begins on 2026-11-02, before the previous employment ends on 2026-11-30'),
      },
    ],
  });
});

test('a guess of the encoding is good for a preview alone; the import takes the one that was confirmed', async () => {
  await using box = await aBox();
  const names = ['Jürgen Müller', 'Günther Weiß'];
  const text = names.map((name, at) => `g${at},${name},d1\n`).join('');
  const bytes = inCodePage(`ext_id,name,department_ext_id\n${text}`, 'windows-1252');
  expect(await box.send('&dry_run=true', bytes)).toMatchObject({
    ...{ dry_run: true, wrong: 0, added: 2 },
    encoding: { name: 'windows-1252', certain: false, samples: names },
  });
  expect(await box.send('', bytes)).toMatchObject({
    ...{ dry_run: true, wrong: 1 },
    problems: [
      { line: 1, value: names.join(', '), reason: expect.stringMatching(/^the encoding windows-1252 is a guess/) },
    ],
  });
  expect(await box.nameOf('g0')).toBe(null);
  expect(await box.send('&encoding=windows-1252', bytes)).toMatchObject({
    ...{ dry_run: false, wrong: 0, added: 2 },
    encoding: { name: 'windows-1252', certain: true },
  });
  expect(await box.nameOf('g0')).toBe('Jürgen Müller');
});

/** As an HR system writes it: its own headers and order, more columns than are wanted, departments by name. */
const fromHr = {
  English:
    'No.,Department,Full Name,Employee No.,Sex,Job Title\n1,Assembly,Zhao Lei,2001,m,Welder\n2,Plant / Paint,Sun Na,2002,f,\n',
  Chinese: '序号,部门,姓名,工号,性别,岗位\n1,Assembly,Zhao Lei,2001,男,Welder\n2,Plant / Paint,Sun Na,2002,女,\n',
};

test.each(['English', 'Chinese'] as const)('a list of HR is taken as it is: %s headers', async language => {
  await using box = await aBox();
  const looked = await box.send('&dry_run=true', fromHr[language]);
  expect(looked).toMatchObject({
    dry_run: true,
    wrong: 0,
    added: 2,
    changed: 0,
    departments: ['Plant', 'Plant / Paint'],
  });
  const fields = looked.columns.map(({ field }: { field: string | null }) => field);
  expect(fields).toEqual([null, 'department', 'name', 'employee_num', null, 'title']);
  expect(await box.nameOf('2001')).toBe(null);
  expect(await box.send('', fromHr[language])).toMatchObject({ dry_run: false, wrong: 0, added: 2 });
  expect(await box.person('2001')).toMatchObject({
    ...{ name: 'Zhao Lei', employeeNum: '2001', department: 'Assembly', departmentExtId: 'd1', title: 'Welder' },
  });
  expect(await box.person('2002')).toMatchObject({ name: 'Sun Na', department: 'Paint' });
  // The second time there is nothing to make.
  expect(await box.send('', fromHr[language])).toMatchObject({
    wrong: 0,
    added: 0,
    changed: 0,
    same: 2,
    departments: [],
  });
});

test('a number that somebody has is that person, be the id another', async () => {
  await using box = await aBox();
  const said = await box.send('', 'Number,Name,Department\n1001,Li Mei the elder,Assembly\n');
  expect(said).toMatchObject({ wrong: 0, added: 0, changed: 1, changes: [{ key: 'e1', action: 'change' }] });
  expect(await box.nameOf('e1')).toBe('Li Mei the elder');
  expect(await box.nameOf('1001')).toBe(null);
});

test('cells of a column that is not read spoil nothing: an ID card of 18 digits that a sheet took for a number', async () => {
  await using box = await aBox();
  const rows = [
    ['工号', '姓名', '部门', '身份证号'].map(cell),
    [...['2001', 'Zhao Lei', 'Assembly'].map(cell), '<c><v>1.10101199003077E+17</v></c>'],
  ];
  const sheet = rows.map((row, at) => `<row r="${at + 1}">${row.join('')}</row>`).join('');
  expect(await box.send('', zipped(workbookParts(sheet)))).toMatchObject({ dry_run: false, wrong: 0, added: 1 });
});

test('columns are chosen by hand where the header says nothing', async () => {
  await using box = await aBox();
  const file = 'Liste\nPers.,Wer,Wo,Tel.\n2001,Zhao Lei,Paint,138\n';
  const looked = await box.send('&dry_run=true', file);
  expect(looked.wrong).toBeGreaterThan(0);
  expect(looked.columns).toEqual([
    { title: 'Pers.', field: null, samples: ['2001'] },
    { title: 'Wer', field: null, samples: ['Zhao Lei'] },
    { title: 'Wo', field: null, samples: ['Paint'] },
    { title: 'Tel.', field: 'mobile', samples: ['138'] },
  ]);
  const chosen = '&columns=employee_num%3D1,name%3D2,department%3D3,mobile%3D0';
  expect(await box.send(chosen, file)).toMatchObject({ dry_run: false, wrong: 0, added: 1, departments: ['Paint'] });
  expect(await box.person('2001')).toMatchObject({
    name: 'Zhao Lei',
    employeeNum: '2001',
    mobile: '',
    department: 'Paint',
  });
});

test('one column is never both unknown and missing', async () => {
  await using box = await aBox();
  const { problems } = await box.send('&dry_run=true', 'Department,Wer\nAssembly,Zhao Lei\n');
  expect(problems.map(({ column, code }: { column: string; code: string }) => `${column} ${code}`)).toEqual([
    'name no_column',
    'employee_num no_column',
  ]);
});

test('without a column for departments, known people stay where they are and new ones come under the root', async () => {
  await using box = await aBox();
  expect(await box.send('', 'Number,Name\n1001,Li Mei\n2001,Zhao Lei\n')).toMatchObject({
    wrong: 0,
    added: 1,
    changed: 0,
  });
  expect(await box.person('e1')).toMatchObject({ departmentExtId: 'd1' });
  expect(await box.person('2001')).toMatchObject({ departmentExtId: '0' });
});

test('departments of one name are told apart by their path; a name alone is refused with that remedy', async () => {
  await using box = await aBox();
  const list = (department: string) => `Number,Name,Department\n2001,Zhao Lei,${department}\n`;
  await box.send('', `${list('East/Paint')}2002,Sun Na,West/Paint\n`);
  expect(await box.send('', list('paint'))).toMatchObject({
    wrong: 1,
    problems: [{ line: 2, column: 'Department', value: 'paint', code: 'several_departments' }],
  });
  expect(await box.send('', list('west > paint'))).toMatchObject({ wrong: 0, changed: 1, departments: [] });
});

test('a number that is the id of somebody else is refused, and so is one that several people have', async () => {
  await using box = await aBox();
  await box.send(
    '',
    'ext_id,number,name,department\n9,2009,Nine,Assembly\ntwin1,2010,Twin,Assembly\ntwin2,2010,Twin,Assembly\n',
  );
  const said = await box.send('&dry_run=true', 'Number,Name\n9,Zhao Lei\n2010,Sun Na\n2011,Wu Di\n');
  expect(said).toMatchObject({ wrong: 2, added: 1 });
  expect(said.problems.map(({ line, code }: { line: number; code: string }) => `${line} ${code}`)).toEqual([
    '2 number_is_an_id',
    '3 several_have_number',
  ]);
});
