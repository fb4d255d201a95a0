import { Buffer } from 'node:buffer';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { columnsOf, csvReport, localTimes, reportLanguage, xlsxReport } from '../../../src/attendance/index.ts';
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
  checkData: {},
  receivedAt: 1_763_600_002_500,
  clockSkewSeconds: null,
  doorId: 'D1',
  checkResult: 0,
  ...change,
});
const timeZone = 'Asia/Shanghai';

async function* stream(...rows: ReportRow[]) {
  yield* rows;
}
async function csv(what: 'checkins' | 'access', locale: string, ...rows: ReportRow[]) {
  const columns = columnsOf(what, reportLanguage(locale));
  let text = '';
  for await (const chunk of csvReport(stream(...rows), { columns, timeZone })) text += chunk;
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
    '\ufeff工号,姓名,部门,打卡时间,打卡方式,设备名称,终端,接收时间,时钟说明,推算时间,外部编号,人员编号,记录编号,设备编号\r\n',
  );
  const english = await csv('access', 'en-GB');
  expect(english).toBe(
    '\ufeffEmployee number,Name,Department,Check time,Check type,Door,Result,Device,Terminal,Received,Clock,Estimated time,External id,Person id,Record id,Device id\r\n',
  );
});

test('a row shows the clock of the site, and numbers of people as text', async () => {
  const [, line] = (await csv('checkins', 'zh-CN', row())).split('\r\n');
  expect(line).toBe(
    '"\t001001",李梅,Assembly,2025-11-20 08:53:20,人脸,North gate,A0001,2025-11-20 08:53:22,,,e1,7,1,FACE-T1_A0001',
  );
  const [, access] = (await csv('access', 'en', row({ checkResult: 2, employeeNum: '', name: '' }))).split('\r\n');
  expect(access).toContain(',Face,D1,Stranger,North gate,');
});

test('a clock that was off is said, with an estimate beside the time that the device told', async () => {
  const [, fast] = (await csv('checkins', 'en', row({ clockSkewSeconds: 125 }))).split('\r\n');
  expect(fast).toContain(',2025-11-20 08:53:20,Face,');
  expect(fast).toContain(',device clock 125 s fast,2025-11-20 08:51:15,');
  expect(await csv('checkins', 'zh-CN', row({ clockSkewSeconds: -3600 }))).toContain(
    '设备时钟慢 3600 秒,2025-11-20 09:53:20',
  );
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

test('days are those of the time zone, also where it turns', () => {
  const berlin = localTimes('Europe/Berlin');
  expect(berlin.text(Date.parse('2026-03-29T00:59:59Z') / 1000)).toBe('2026-03-29 01:59:59');
  expect(berlin.text(Date.parse('2026-03-29T01:00:00Z') / 1000)).toBe('2026-03-29 03:00:00');
  expect(localTimes('Asia/Kathmandu').text(0)).toBe('1970-01-01 05:30:00');
  expect(localTimes('UTC').text(0)).toBe('1970-01-01 00:00:00');
});
