import { expect, test } from 'vitest';
import { listRead } from '../../support/workbook-here.ts';
import { workbookParts, zipped } from '../../support/workbook-parts.ts';

/** Files by hand, as ECMA-376 has them: no Excel runs where the tests do. */
type Parts = Record<string, string | Uint8Array>;
const texts = ['工号', '人员编号', '姓名', '部门编号', '入职日期', '0012', 'e1', '李梅', 'd1'];
const shared = texts.map(text => `<t>${text}</t>`);
const cellOf = (column: string, row: number, index: number): string =>
  `<c r="${column}${row}" t="s"><v>${index}</v></c>`;
const header = `<row r="1" spans="1:5">${[...'ABCDE'].map((column, at) => cellOf(column, 1, at)).join('')}</row>`;
const known = [...'ABCD'].map((column, at) => cellOf(column, 2, at + 5)).join('');
/** Of one person, with a cell in the column of the first day. */
const person = (day = '<c r="E2" s="1"><v>46327</v></c>'): string => `${header}<row r="2">${known}${day}</row>`;
const read = (parts: Parts, kind: 'employees' | 'shifts' = 'employees') => listRead(kind, zipped(parts));
const lei = {
  ...{ ext_id: 'e1', name: '李梅', employee_num: '0012', department: { ext_id: 'd1' }, from: '2026-11-01' },
};
const isRead = async (parts: Parts) => {
  const { items, problems } = await read(parts);
  expect(problems).toEqual([]);
  expect(items).toEqual([{ line: 2, item: lei }]);
};
const inAll = (parts: Record<string, string>, change: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, change(text)]));
const styledAs = (parts: Record<string, string>, format: number, own = ''): Record<string, string> =>
  inAll(parts, text => text.replace('numFmtId="14"', `numFmtId="${format}"`).replace('<cellXfs', `${own}<cellXfs`));

const strict = (parts: Record<string, string>): Record<string, string> =>
  inAll(parts, text =>
    text
      .replaceAll('http://schemas.openxmlformats.org/spreadsheetml/2006/', 'http://purl.oclc.org/ooxml/spreadsheetml/')
      .replaceAll(
        'http://schemas.openxmlformats.org/officeDocument/2006/',
        'http://purl.oclc.org/ooxml/officeDocument/',
      )
      .replace('<workbook ', '<workbook conformance="strict" '),
  );

test('the strict variant is read, with days and times of day as ISO 8601', async () => {
  await isRead(strict(workbookParts(person(), { shared })));
  for (const day of ['2026-11-01', '2026-11-01T00:00:00', '2026-11-01T00:00:00.000Z'])
    await isRead(strict(workbookParts(person(`<c r="E2" s="1" t="d"><v>${day}</v></c>`), { shared })));
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  for (const start of ['1899-12-30T09:00:00', '1899-12-31T09:00:00Z', '1904-01-01T09:00:00.000', 'T09:00']) {
    const names = ['code', 'name', 'start', 'end'].map(text).join('');
    const row = `${text('day')}${text('Day')}<c s="1" t="d"><v>${start}</v></c>${text('18:00')}`;
    const { items } = await read(strict(workbookParts(`<row>${names}</row><row>${row}</row>`)), 'shifts');
    expect(items).toMatchObject([{ item: { times: ['09:00-18:00'] } }]);
  }
});

test('a workbook of Excel for Mac is read: absolute paths of parts, and the path of the file in it', async () => {
  const path =
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x15"><x15ac:absPath url="/Users/li/公司/" xmlns:x15ac="http://schemas.microsoft.com/office/spreadsheetml/2010/11/ac"/></mc:Choice></mc:AlternateContent>';
  const parts = inAll(workbookParts(person(), { shared }), text =>
    text
      .replaceAll(/Target="(worksheets|styles|shared)/g, 'Target="/xl/$1')
      .replace('Target="xl/', 'Target="/xl/')
      .replace('<sheets>', `${path}<sheets>`),
  );
  await isRead(parts);
});

test('the reading of a Japanese or Chinese name above it is no part of the name', async () => {
  const reading =
    '<rPh sb="0" eb="2"><t>タナカ</t></rPh><rPh sb="3" eb="5"><t>ハナコ</t></rPh><phoneticPr fontId="1" type="noConversion"/>';
  for (const name of [
    `<t>田中 花子</t>${reading}`,
    `<r><rPr><rFont val="ＭＳ Ｐゴシック"/></rPr><t xml:space="preserve">田中 </t></r><r><rPr><b/></rPr><t>花子</t></r>${reading}`,
  ]) {
    const { items } = await read(workbookParts(person(), { shared: shared.with(7, name) }));
    expect(items).toMatchObject([{ item: { name: '田中 花子' } }]);
  }
});

test.each([...Array(9).keys()].map(at => at + 14).concat([27, 28, 29, 30, 31, 32, 33, 34, 35, 36], [50, 54, 57, 58]))(
  'built-in format %i, of East Asian Excel too, is a date in both date systems',
  async format => {
    await isRead(styledAs(workbookParts(person(), { shared }), format));
    const day = '<c r="E2" s="1"><v>44865</v></c>';
    await isRead(styledAs(workbookParts(person(day), { shared, date1904: true }), format));
  },
);

test.each(['yyyy"年"m"月"d"日"', '[$-411]ggge"年"m"月"d"日";@', '[DBNum1][$-804]yyyy"年"m"月"d"日";@', 'e/m/d'])(
  'a format of its own, %s, is a date',
  async format => {
    const code = format.replaceAll('"', '&quot;');
    const own = `<numFmts count="1"><numFmt numFmtId="176" formatCode="${code}"/></numFmts>`;
    await isRead(styledAs(workbookParts(person(), { shared }), 176, own));
  },
);

test('an id that the sheet has made a date or TRUE of is refused with what to do, and not imported as that', async () => {
  for (const [cell, value] of [
    ['<c r="A2" s="1"><v>46327</v></c>', '2026-11-01'],
    ['<c r="A2" t="b"><v>1</v></c>', 'TRUE'],
  ]) {
    const { items, problems } = await read(workbookParts(person().replace(cellOf('A', 2, 5), cell!), { shared }));
    expect(items).toEqual([]);
    expect(problems).toMatchObject([
      {
        ...{ line: 2, column: '工号', value },
        reason: 'converted by the sheet to a date, a time or TRUE: format the column as text and enter it again',
      },
    ]);
  }
});

test('parts are found whatever the case of their names, as 1C writes them, and with backslashes', async () => {
  const renamed = (change: (name: string) => string): Parts =>
    Object.fromEntries(Object.entries(workbookParts(person(), { shared })).map(([name, part]) => [change(name), part]));
  await isRead(renamed(name => name.replace('sharedStrings', 'SharedStrings')));
  await isRead(renamed(name => name.replaceAll('/', '\\')));
  await isRead(renamed(name => name.replace('sheet1', 'SHEET1').replaceAll('/', '\\')));
});

test('a part in UTF-16 is not taken for an empty sheet', async () => {
  const parts: Parts = workbookParts(person(), { shared });
  const sheet = 'xl/worksheets/sheet1.xml';
  const utf16 = Buffer.from(`\ufeff${String(parts[sheet]).replace('UTF-8', 'UTF-16')}`, 'utf16le');
  const { problems } = await read({ ...parts, [sheet]: utf16 });
  expect(problems).toMatchObject([{ reason: expect.stringMatching(/^the workbook is damaged/) }]);
});
