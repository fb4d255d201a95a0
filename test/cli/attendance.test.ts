import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBox, type LocalBox } from '../support/box.ts';
import { inCodePage } from '../support/code-page.ts';
import { runCommand } from '../support/command.ts';
import { aSite, productKey } from '../support/site.ts';
import { HttpTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const site = aSite({
  devices: [{ device_id: 'FACE-T1_A0001', name: 'North gate' }],
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
    { ext_id: 'd2', name: 'Paint shop', p_ext_id: 'd1' },
  ],
  employees: [
    { ext_id: 'e1', name: 'Li Mei', employee_num: '0042', department: { ext_id: 'd2' } },
    { ext_id: 'e2', name: '=王五', employee_num: '0043', department: { ext_id: 'd1' } },
  ],
  shifts: [{ code: 'day', name: 'Day', times: ['07:30-16:00'] }],
  schedules: [{ who: { department: 'd1' }, shift: 'day', from: '2026-01-01' }],
});

const second = (text: string): number => Date.parse(`${text}+08:00`) / 1000;
const punches = [
  { ext_id: 'e1', check_type: 'fa', check_time: second('2026-10-31T23:59:59') },
  { ext_id: 'e1', check_type: 'fa', check_time: second('2026-11-01T00:00:00') },
  { ext_id: 'e2', check_type: 'fp', check_time: second('2026-11-20T08:00:00') },
  { ext_id: 'stranger', check_type: 'fa', check_time: second('2026-11-20T09:00:00') },
];

let box: LocalBox;
beforeAll(async () => {
  box = await aBox({ site: { timezone: 'Asia/Shanghai', locale: 'en' } }, site);
  const terminal = new HttpTerminal(
    { deviceId: 'FACE-T1_A0001', key: productKey },
    `https://${box.addresses.https}`,
    readFileSync(join(box.dataDir, 'tls', 'ca.pem'), 'utf8'),
  );
  try {
    await terminal.connect();
    const envelope = { mid: 'm1', from: 'FACE-T1_A0001', to: 'system', time: 0, action: 2001 };
    await terminal.ask('/api/push/FACE-T1_A0001', {
      method: 'POST',
      body: JSON.stringify({ ...envelope, data: { records: punches } }),
    });
  } finally {
    terminal.end();
  }
  await until('the punches are in the tables', async () => (await box.export('checkins')).length === 4);
});
afterAll(() => box?.[Symbol.asyncDispose]());

describe('export of check-ins for people', () => {
  const csv = async (...how: string[]) =>
    (await box.ask('export', '--what', 'checkins', '--format', 'csv', ...how)).trimEnd().split('\r\n');
  const times = async (...how: string[]) => (await csv(...how)).slice(1).map(line => line.split(',')[3]);

  test('has headers in the language of the site, numbers as text, and nothing that a spreadsheet would run', async () => {
    const [header, first, , third] = await csv();
    expect(header).toMatch(/^\ufeffEmployee number,Name,Department,Check time,Check type,Device,/);
    expect(first).toMatch(/^"\t0042",Li Mei,Paint shop,2026-10-31 23:59:59,/);
    expect(third).toMatch(/^"\t0043",'=王五,Assembly,2026-11-20 08:00:00,/);
  });

  test('by month and by day is cut at midnight of the site', async () => {
    expect(await times('--month', '2026-10')).toEqual(['2026-10-31 23:59:59']);
    expect(await times('--month', '2026-11')).toEqual([
      '2026-11-01 00:00:00',
      '2026-11-20 08:00:00',
      '2026-11-20 09:00:00',
    ]);
    expect(await times('--day', '2026-11-01')).toEqual(['2026-11-01 00:00:00']);
    expect(await times('--from', '2026-10-31', '--to', '2026-11-01')).toEqual([
      '2026-10-31 23:59:59',
      '2026-11-01 00:00:00',
    ]);
  });

  test('by department takes those below with it, by person one', async () => {
    expect(await times('--department', 'd1')).toHaveLength(3);
    expect(await times('--department', 'd2')).toHaveLength(2);
    expect(await times('--person', 'e2')).toEqual(['2026-11-20 08:00:00']);
  });

  test('a department or a person that nobody has is said, not answered with an empty file', async () => {
    for (const [option, value] of [
      ['--department', 'd77'],
      ['--person', 'nobody'],
    ] as const) {
      const { status, stderr } = await box.run('export', '--what', 'checkins', '--format', 'csv', option, value);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`"${value}": no such ${option.slice(2)}`)]);
    }
  });

  test('says what is wrong with a day, and does not take two ranges', async () => {
    for (const wrong of [
      ['--month', '2026-13'],
      ['--day', '2026-02-30'],
      ['--day', '2026-11-01', '--month', '2026-11'],
    ]) {
      const { status, stderr } = await box.run('export', '--what', 'checkins', '--format', 'csv', ...wrong);
      expect([status, stderr]).toEqual([2, expect.stringContaining(`--${wrong.at(-2)!.slice(2)}`)]);
    }
  });

  test('--raw is the same rows by field name', async () => {
    const [header, first] = await csv('--raw', '--from', '2026-11-20');
    expect(header).toMatch(/ext_id,.*check_time/);
    expect(first).toContain(`e2,0043,A0001,fp,${punches[2]!.check_time},`);
  });

  test('XLSX is a workbook', async () => {
    const file = join(box.folder, 'november.xlsx');
    await box.ask('export', '--what', 'checkins', '--format', 'xlsx', '--month', '2026-11', '--out', file);
    expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK');
  });
});

describe('import from CSV', () => {
  const file = (name: string, text: string): string => {
    const path = join(box.folder, name);
    writeFileSync(path, text);
    return path;
  };

  test('a dry run says what would change and changes nothing; the import does it; the second time nothing', async () => {
    const path = file(
      'people.csv',
      'ext_id,name,mobile,employee_num,department_ext_id,title\ne1,Li Mei,138,0042,d1,\nn1,Zhao,,0077,d2,\n',
    );
    const dry = await box.ask('import', 'employees', path, '--dry-run');
    expect(dry).toBe('~ e1: mobile, department\n+ n1\n2 rows: 1 would be added, 1 would be changed, 0 as they were\n');
    expect(await box.ask('export')).not.toContain('Zhao');
    expect(await box.ask('import', 'employees', path)).toMatch(/2 rows: 1 added, 1 changed, 0 as they were\n$/);
    expect(await box.ask('export')).toContain('Zhao');
    expect(await box.ask('import', 'employees', path)).toBe('2 rows: 0 added, 0 changed, 2 as they were\n');
  });

  test('every row that is wrong is said with its line, what the file alone tells and what the box knows, and nothing is imported', async () => {
    const path = file('halls.csv', 'ext_id,name,p_ext_id\nh1,Hall,d99\nh1,Twice,0\nh2,,0\nh3,Below,h2\nh4,Good,0\n');
    const { status, stderr } = await box.run('import', 'departments', path);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `${path}:2 p_ext_id "d99": no such department\n` +
        `${path}:3 ext_id "h1": duplicate of line 2: keep one\n` +
        `${path}:4 name: is empty: fill it in\n` +
        'nothing was imported: correct the file and import it again\n',
    );
    expect(await box.ask('export')).not.toContain('h4');
  });

  test('a dry run says which encoding a file was taken for; the import wants it named, unless the header tells', async () => {
    const path = join(box.folder, 'legacy.csv');
    writeFileSync(path, inCodePage('ext_id,name,department_ext_id\nw1,Łukasz Wiśniewski,d1\n', 'windows-1250'));
    expect(await box.ask('import', 'employees', path, '--dry-run')).toBe(
      'encoding: windows-1250, a guess: if names are wrong, write --encoding: Łukasz Wiśniewski\n' +
        '+ w1\n1 rows: 1 would be added, 0 would be changed, 0 as they were\n',
    );
    const guessed = await box.run('import', 'employees', path);
    expect([guessed.status, guessed.stderr]).toEqual([
      1,
      expect.stringContaining('the encoding windows-1250 is a guess'),
    ]);
    expect(await box.ask('import', 'employees', path, '--encoding', 'windows-1250')).toMatch(/1 rows: 1 added/);
    expect(await box.ask('export')).toContain('Łukasz Wiśniewski');
    writeFileSync(path, inCodePage('人员编号,姓名,部门编号\nw2,丁一,d1\n', 'gb18030'));
    expect(await box.ask('import', 'employees', path)).toMatch(/^encoding: gb18030: 丁一\n\+ w2\n/);
  });

  test('takes a list as HR exports it, and columns by hand; says what is not read and which departments are made', async () => {
    const path = file('hr.csv', 'Pers.,Full Name,Dept.,Sex\n5001,Zhao Lei,Plant 9/Paint,m\n');
    const guessed = await box.run('import', 'employees', path);
    expect([guessed.status, guessed.stderr]).toEqual([1, expect.stringContaining('employee_num: no column matched')]);
    const words = ['import', 'employees', path, '--columns', 'employee_num=1'];
    expect(await box.ask(...words, '--dry-run')).toBe(
      'columns not read: Sex: choose others with --columns\n' +
        '+ department Plant 9\n+ department Plant 9 / Paint\n+ 5001\n' +
        '1 rows: 1 would be added, 0 would be changed, 0 as they were\n',
    );
    expect(await box.ask(...words)).toMatch(/1 rows: 1 added/);
    expect(await box.ask('export')).toContain('Plant 9');
    const wrong = await box.run('import', 'employees', path, '--columns', 'one');
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('--columns: write fields and columns')]);
  });

  test('comes from standard input, and from what is no CSV it says so', async () => {
    const { status, stderr } = await box.run('import', 'departments', file('x.csv', 'a"b'));
    expect([status, stderr]).toEqual([1, expect.stringContaining('x.csv:1 ')]);
    const missing = await box.run('import', 'departments', join(box.folder, 'missing.csv'));
    expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('cannot be read')]);
  });
});

describe('attendance status', () => {
  test('says who punches and is not in the organization, and what to do', async () => {
    const shown = await box.ask('attendance', 'status');
    expect(shown).toMatch(/^organization {2}\d people in \d departments; the box is the authority$/m);
    expect(shown).toMatch(/^check-ins {5}not handed out yet: a caller has to send checkin_query_init once$/m);
    expect(shown).toMatch(/^unknown {7}1 check-ins of people who are not in the organization: add them/m);
    expect(shown).toMatch(/^ +stranger: 1, last /m);
  });

  test('where the box is the authority there is nothing to fetch', async () => {
    const { status, stderr } = await box.run('attendance', 'sync');
    expect([status, stderr]).toEqual([1, expect.stringContaining('this box is the authority of its organization')]);
  });
});

describe('attendance month', () => {
  test('has a row for each person, and with --json every day and what became of each check-in', async () => {
    const shown = (await box.ask('attendance', 'month', '2026-11')).split('\n');
    expect(shown[0]).toMatch(/^NUMBER +NAME +DAYS +ABSENT +WORKED +PLANNED +LATE/);
    expect(shown.find(line => line.startsWith('0043'))).toMatch(/ 1\/21 .* 1 \(30 min\) /);
    const lines = (await box.ask('attendance', 'month', '2026-11', '--person', 'e2', '--json')).trimEnd().split('\n');
    const [row] = lines.map(line => JSON.parse(line));
    expect(lines).toHaveLength(1);
    expect(row.days).toHaveLength(30);
    expect(row.days[19]).toMatchObject({ date: '2026-11-20', shift: 'day', punches: [{ role: 'in', segment: 0 }] });
  });
});

describe('attendance close', () => {
  test('closes a month, and says what is in the way of one that is not over', async () => {
    const early = await box.run('attendance', 'close', '2099-01');
    expect([early.status, early.stderr]).toEqual([
      1,
      expect.stringMatching(/2099-01 was not closed: \d+ workdays have not ended yet/),
    ]);
    const closing = ['attendance', 'close', '2026-10', '--department', 'd1', '--force', 'Payroll day'];
    expect(await box.ask(...closing)).toMatch(
      /^2026-10 is closed for Assembly: revision 1, \d+ people\nsha256 [0-9a-f]{64}\nnot settled: absences \d+\n$/,
    );
    const again = await box.run(...closing);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('reopen it first')]);
  });
});

describe('sign attendance', () => {
  const signing = ['sign', 'attendance', '--app-key', 'ak1', '--path', '/v2.0/employee/query', '--timestamp'];

  test('answers the headers of a call; the string that was signed keeps its secret', async () => {
    const key = join(box.folder, 'secret');
    writeFileSync(key, 'as1\n');
    const text = '/v2.0/employee/query1763600000000ak1';
    const masked = await runCommand([...signing, '1763600000000', '--key-file', key]);
    expect(masked.stdout).toContain(createHash('md5').update(`${text}as1`).digest('hex'));
    expect(masked.stdout).toContain(text);
    expect(masked.stdout).not.toContain(`${text}as1`);
    const shown = await runCommand([...signing, '1763600000000', '--key-file', key, '--show-key']);
    expect(shown.stdout).toContain(`${text}as1`);
  });
});
