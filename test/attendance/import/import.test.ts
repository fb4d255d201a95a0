import fc from 'fast-check';
import { expect, test } from 'vitest';
import { employeeFields, readDepartments, readEmployees } from '../../../src/attendance/import/organization.ts';
import { readCsv } from '../../../src/attendance/import/read-csv.ts';
import { readShifts } from '../../../src/attendance/import/shifts.ts';
import { isBlank } from '../../../src/attendance/import/table.ts';

const employees = (text: string) => readEmployees(readCsv(text));
const said = (text: string) => employees(text).problems.map(one => `${one.line} ${one.column}: ${one.reason}`);

test('any table that is written by RFC 4180 is read back the same', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 8 }).map(text => text.replaceAll('\r', ''));
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, end) => {
      const header = rows[0]!.map((_, index) => `c${index}`);
      const text = [header, ...rows]
        .map(row => row.map(one => `"${one.replaceAll('"', '""')}"`).join(',') + end)
        .join('');
      const read = readCsv(`\ufeff${text}`);
      const written = rows.filter(row => !row.every(isBlank));
      expect(read.ok && read.rows.map(row => row.cells)).toEqual(written);
    }),
  );
});

test('employees are read by English or Chinese headers, in any order, with lines that count what quotes hold', () => {
  const text = '工号,人员编号,姓名,部门编号,职务,手机号\r\n001,e1,李梅,d1,"Fit\nter",1\r\n\r\n002,e2,Wu,d1,,\r\n';
  expect(employees(text)).toMatchObject({
    items: [
      {
        line: 2,
        item: {
          ext_id: 'e1',
          name: '李梅',
          mobile: '1',
          employee_num: '001',
          department: { ext_id: 'd1', title: 'Fit\nter' },
        },
      },
      { line: 5, item: { ext_id: 'e2', name: 'Wu', employee_num: '002', department: { ext_id: 'd1' } } },
    ],
    problems: [],
  });
});

test('departments are read, a semicolon or TAB parts cells too, and what our exports put in front is taken off', () => {
  expect(
    readDepartments(readCsv("ext_id;name;p_ext_id\nd1;'=Hall;\nd2;\td2 ;d1\n")).items.map(one => one.item),
  ).toEqual([
    { ext_id: 'd1', name: '=Hall' },
    { ext_id: 'd2', name: 'd2', p_ext_id: 'd1' },
  ]);
});

test('every wrong row is reported, with its line and column', () => {
  const han = '李'.repeat(31);
  expect(
    said(
      `ext_id,name,department_ext_id,mobile\ne1,,d1,1\ne2,${han},d1,1\ne3,Wu,d1,1,2\ne4,Wu,d1,1\ne4,Li,d1,${'1'.repeat(21)}\n`,
    ),
  ).toEqual([
    '2 name: is empty: fill it in',
    '3 name: at most 30 characters: shorten it',
    '4 : 5 cells, but the header has 4: is a comma missing, or a quote?',
    '6 mobile: at most 20 characters: shorten it',
    '6 ext_id: duplicate of line 5: keep one',
  ]);
});

test.each([
  ['', '1 : the file is empty: the first line names the columns'],
  ['ext_id,age\n', '1 name: no column matched: select one, or add it to the file'],
  ['Age,Name\n', '1 employee_num: no column matched: select one, or add it to the file'],
  ['ext_id,name,department_ext_id\ne1,"Wu,d1\n', '2 : unclosed quote: add the closing "'],
  ['ext_id,name,department_ext_id\ne1,"Wu"x,d1\n', '2 : text after the closing " of a cell'],
])('%j is refused whole', (text, problem) => {
  expect(said(text)).toMatchObject([problem]);
});

test('an unknown column of shifts is reported together with the known ones', () => {
  expect(readShifts(readCsv('code,name,age\n')).problems).toMatchObject([
    {
      line: 1,
      column: 'age',
      reason: expect.stringMatching(/^unknown column: the columns are code or 班次代码, name or/),
    },
  ]);
});

test.each([
  ['No.,Employee ID,Name', 'employee_num 2, name 3'],
  ['ID,Employee Number,Full name,Dept.', 'employee_num 2, name 3, department 4, ext_id 1'],
  ['*姓 名,员工编号（必填）,所属部门,身份证号,手机号码', 'employee_num 2, name 1, department 3, mobile 5'],
  ['Department ID,Department Name,Name,Number', 'employee_num 4, name 3, department 2, department_ext_id 1'],
  ['人员编号,姓名,部门编号', 'name 2, ext_id 1, department_ext_id 3'],
])('the columns of %s are guessed', (header, columns) => {
  const read = readEmployees(readCsv(`${header}\n`)).columns!;
  const places = Object.keys(employeeFields).map(field => [field, read.findIndex(one => one.field === field) + 1]);
  expect(
    places
      .filter(([, place]) => place !== 0)
      .map(one => one.join(' '))
      .join(', '),
  ).toBe(columns);
});

test('a title that is too long is cut, with a warning', () => {
  const read = employees('Number,Name,Title\n1,Li Mei,Head of Quality Assurance\n2,Wu Di,Fitter\n');
  expect(read.items.map(({ item }) => item.department.title)).toEqual(['Head of Quality', 'Fitter']);
  expect(read.warnings).toMatchObject([{ line: 2, column: 'Title', code: 'is_cut' }]);
});

test('every ext_id of a file is known, those of wrong rows too', () => {
  expect([...readDepartments(readCsv('ext_id,name\nd1,Hall\nd2,\n')).extIds]).toEqual(['d1', 'd2']);
});
