import { Buffer } from 'node:buffer';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { columnsOf, reportLanguage } from '../../../src/attendance/reports/columns.ts';
import { csvReport } from '../../../src/attendance/reports/csv.ts';
import { xlsxReport } from '../../../src/attendance/reports/xlsx.ts';
import { separatorIn } from '../../../src/runtime/csv.ts';
import type { ReportRow } from '../../../src/store/index.ts';

const row = (change: Partial<ReportRow> = {}): ReportRow => ({
  place: 1,
  id: 1,
  userId: '7',
  extId: 'e1',
  employeeNum: '001001',
  name: '李梅',
  department: 'Assembly',
  deviceId: 'FACE-T1_A0001',
  deviceName: 'North gate',
  terminalId: 'A0001',
  checkType: 'fa',
  checkTime: 1_763_600_000,
  receivedAt: 1_763_600_002_500,
  clock: null,
  doorId: 'D1',
  checkResult: 0,
  source: 'device',
  mark: null,
  ...change,
});
const timeZone = 'Asia/Shanghai';

async function* stream(...rows: ReportRow[]) {
  yield rows;
}
async function csv(what: 'checkins' | 'access', locale: string, ...rows: ReportRow[]) {
  const columns = columnsOf(what, reportLanguage(locale));
  let text = '';
  for await (const chunk of csvReport(stream(...rows), { columns, timeZone, separator: separatorIn(locale) }))
    text += chunk;
  return text;
}
async function xlsx(what: 'checkins' | 'access', locale: string, ...rows: ReportRow[]) {
  const columns = columnsOf(what, reportLanguage(locale));
  const chunks: Uint8Array[] = [];
  for await (const chunk of xlsxReport(stream(...rows), { columns, timeZone, title: 'T' })) chunks.push(chunk);
  return await readXlsx(Buffer.concat(chunks));
}

test('a CSV begins with the byte order mark and headers in the language of the site', async () => {
  const chinese = await csv('checkins', 'zh-CN');
  expect(chinese).toBe(
    '\ufeff工号,姓名,部门,打卡时间,打卡方式,设备名称,终端,接收时间,延迟到达,设备时钟,校正时间,人员编号,系统编号,记录编号,设备编号,来源,作废,考勤调整原因,归属日期\r\n',
  );
  const english = await csv('access', 'en-GB');
  expect(english).toBe(
    '\ufeffEmployee number,Name,Department,Check time,Check type,Door,Result,Device,Terminal,Received,Arrived late,Device clock,Corrected time,Employee ID,Internal ID,Record ID,Device ID\r\n',
  );
});

test('a row shows the clock of the site, and numbers of people as text', async () => {
  const [, line] = (await csv('checkins', 'zh-CN', row())).split('\r\n');
  expect(line).toBe(
    '"\t001001",李梅,Assembly,2025-11-20 08:53:20,人脸,North gate,A0001,2025-11-20 08:53:22,,未知,,e1,7,1,FACE-T1_A0001,设备,,,',
  );
  const [, access] = (await csv('access', 'en', row({ checkResult: 2, employeeNum: '', name: '' }))).split('\r\n');
  expect(access).toContain(',Face,D1,Stranger,North gate,');
});

test('a punch that waited is said to have come late, and its clock is not called slow', async () => {
  const late = row({ receivedAt: (1_763_600_000 + 90_000) * 1000, clock: { lowMs: -5400, highMs: 5300 } });
  expect(await csv('checkins', 'en', late)).toContain(',2025-11-20 08:53:20,Face,');
  expect(await csv('checkins', 'en', late)).toContain(',25 h,right (±6 s),,');
  expect(await csv('checkins', 'zh-CN', late)).toContain(',25 小时,准确（±6 秒）,,');
});

test.each([
  ['a slow one', { lowMs: -90_400, highMs: -89_000 }, '90 s slow (±1 s),2025-11-20 08:54:50', '慢 90 秒（±1 秒）'],
  ['a fast one', { lowMs: 299_600, highMs: 300_900 }, '5 min fast (±1 s),2025-11-20 08:48:20', '快 5 分钟（±1 秒）'],
  ['one of which only the least is known', { lowMs: 300_000, highMs: null }, 'at least 5 min fast,,', '至少快 5 分钟'],
  ['one that may only be late', { lowMs: -90_000, highMs: null }, 'not known,,', '未知'],
])('a clock that is known is said, with the time where it is proved wrong: %s', async (_, clock, english, chinese) => {
  expect(await csv('checkins', 'en', row({ clock }))).toContain(`,${english}`);
  expect(await csv('checkins', 'zh-CN', row({ clock }))).toContain(`,${chinese},`);
});

test('nothing is said of the clock behind a record that only the cloud has', async () => {
  const [, line] = (await csv('checkins', 'en', row({ deviceId: '', source: 'imported' }))).split('\r\n');
  expect(line).toContain(',2025-11-20 08:53:22,,,,e1,');
});

test('an added check-in and one that was set aside are marked, and both are there', async () => {
  const [, added, aside] = (
    await csv(
      'checkins',
      'en',
      row({
        deviceId: '',
        deviceName: '',
        source: 'added',
        mark: { setAside: false, workDate: null, reason: 'forgot', correctionId: 1 },
      }),
      row({ mark: { setAside: true, workDate: '2025-11-19', reason: '=1', correctionId: 2 } }),
    )
  ).split('\r\n');
  expect(added).toMatch(/,e1,7,1,,added,,forgot,$/);
  expect(aside).toMatch(/,FACE-T1_A0001,device,yes,"?'=1"?,2025-11-19$/);
});

test.each(['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', ' =1', '＝1', "=cmd|' /C calc'!A0"])(
  '%j is no formula in a CSV',
  async name => {
    const [, line] = (await csv('checkins', 'en', row({ name, employeeNum: '7' }))).split('\r\n');
    expect(line).toMatch(/^7,"?'/);
  },
);

test('in a workbook numbers of people are text, moments are dates, and a formula is text', async () => {
  const book = await xlsx('checkins', 'zh-CN', row({ name: '=1+1' }));
  const [sheet] = book.sheets;
  const [header, first] = sheet!.rows as unknown[][];
  expect(header!.slice(0, 4)).toEqual(['工号', '姓名', '部门', '打卡时间']);
  expect(first!.slice(0, 3)).toEqual(['001001', '=1+1', 'Assembly']);
  expect((first![3] as Date).toISOString()).toBe('2025-11-20T08:53:20.000Z');
});

test('of a time that comes twice every report says which, by its distance from UTC', async () => {
  const times = ['2026-10-24T23:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'];
  const rows = times.map(time => row({ checkTime: Date.parse(time) / 1000 }));
  const options = {
    columns: columnsOf('checkins', 'en'),
    timeZone: 'Europe/Berlin',
    title: 'T',
    separator: ',',
  } as const;
  const said = ['2026-10-25 01:30:00', '2026-10-25 02:30:00 +02:00', '2026-10-25 02:30:00 +01:00'];

  let text = '';
  for await (const chunk of csvReport(stream(...rows), options)) text += chunk;
  const lines = text.split('\r\n').slice(1, -1);
  expect(lines.map(line => line.split(',')[3])).toEqual(said);

  const chunks: Uint8Array[] = [];
  for await (const chunk of xlsxReport(stream(...rows), options)) chunks.push(chunk);
  const book = await readXlsx(Buffer.concat(chunks));
  const cells = (book.sheets[0]!.rows as unknown[][]).slice(1).map(one => one[3]);
  expect(cells).toEqual([new Date('2026-10-25T01:30:00Z'), said[1], said[2]]);
});

test('a report in a language of decimal commas is parted by semicolons, and ids are kept as they are', async () => {
  const ids = ['1E5', '1.50', '3-4', 'TRUE', '0012', '110101199001011234'];
  const [header, ...lines] = (
    await csv('checkins', 'de', ...ids.map(employeeNum => row({ employeeNum, name: 'x;=1+1;y' })))
  ).split('\r\n');
  expect(header).toMatch(/^\ufeffEmployee number;Name;Department;/);
  expect(lines.slice(0, -1).map(line => line.split(';').slice(0, 4).join(';'))).toEqual(
    ids.map(id => `"\t${id}";"x;'=1+1;y"`),
  );
});

test('18 digits fit the columns of the workbook that hold numbers of people', async () => {
  const { sheets } = await xlsx('checkins', 'en', row({ employeeNum: '110101199001011234' }));
  const numbers = columnsOf('checkins', 'en').filter(({ header }) => /^(Employee number|Employee ID)$/.test(header));
  expect(numbers.map(({ width }) => width)).toEqual([20, 20]);
  expect(sheets[0]!.columns?.[0]?.width).toBeGreaterThanOrEqual(20);
});
