import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { readXlsx as readWorkbook } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { listTemplate } from '../../../src/attendance/index.ts';
import { listRead } from '../../support/workbook-here.ts';
import { workbookParts, zipped } from '../../support/workbook-parts.ts';

const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const header = (...names: string[]): string => `<row r="1">${names.map(inline).join('')}</row>`;
const people = header('工号', '人员编号', '姓名', '部门编号', '入职日期');
const read = (rows: string, options?: Parameters<typeof workbookParts>[1]) =>
  listRead('employees', zipped(workbookParts(rows, options)));

test('a workbook of LibreOffice is read: text, a formula, a number, a date', async () => {
  const file = await readFile(new URL('libreoffice.xlsx', import.meta.url));
  const { items, problems, warnings } = await listRead('employees', file);
  expect(problems).toEqual([]);
  expect(items).toEqual([
    {
      line: 2,
      item: { ext_id: 'e1', name: '李梅', employee_num: '001', department: { ext_id: 'd1' }, from: '2026-11-01' },
    },
    {
      line: 3,
      item: { ext_id: 'e2', name: 'Wu', employee_num: '002', department: { ext_id: 'd1' }, from: '2026-11-02' },
    },
    { line: 4, item: { ext_id: 'e3', name: 'Ōno', employee_num: '3', department: { ext_id: 'd1' } } },
  ]);
  expect(warnings).toMatchObject(
    [{ line: 4, column: '工号', value: '3', reason: /^1 cells of this column are numbers/ }].map(one => ({
      ...one,
      reason: expect.stringMatching(one.reason),
    })),
  );
});

test('a workbook as Excel and WPS write it is read: shared strings, rich text, and cells that are left out', async () => {
  const shared = [
    '<t>工号</t>',
    '<t>人员编号</t>',
    '<t>姓名</t>',
    '<t>部门编号</t>',
    '<t>职务</t>',
    '<r><t>李</t></r><r><rPr><b/></rPr><t>梅</t></r>',
    '<t>d1</t>',
    '<t>e1</t>',
  ];
  const { items, problems } = await read(
    `<row r="2" spans="1:5">${[0, 1, 2, 3, 4].map((index, at) => `<c r="${'ABCDE'[at]}2" t="s"><v>${index}</v></c>`).join('')}</row>
     <row r="4"><c r="B4" t="s"><v>7</v></c><c r="C4" t="s"><v>5</v></c><c r="D4" t="s"><v>6</v></c><c r="F4" s="1"/></row><row r="5" ht="14"/>`,
    { shared },
  );
  expect(problems).toEqual([]);
  expect(items).toEqual([{ line: 4, item: { ext_id: 'e1', name: '李梅', department: { ext_id: 'd1' } } }]);
});

test.each([
  [false, 46327],
  [true, 44865],
])('a date is the same day in both date systems (1904: %s)', async (date1904, serial) => {
  const { items } = await read(
    `${people}<row r="2">${inline('1')}${inline('e1')}${inline('Wu')}${inline('d1')}<c s="1"><v>${serial}</v></c></row>`,
    { date1904 },
  );
  expect(items).toMatchObject([{ item: { from: '2026-11-01' } }]);
});

test('a formula has its cached value; one that ended in an error is refused with its row', async () => {
  const row = (line: number, cell: string) =>
    `<row r="${line}">${inline(`0${line}`)}${inline(`e${line}`)}${cell}${inline('d1')}</row>`;
  const { items, problems } = await read(
    people +
      row(2, '<c t="str"><f>A1&amp;B1</f><v>Wu Ying</v></c>') +
      row(3, '<c t="e"><f>VLOOKUP(1,A:A,1)</f><v>#N/A</v></c>') +
      row(4, '<c><f>C9</f></c>'),
  );
  expect(items).toMatchObject([{ item: { name: 'Wu Ying' } }]);
  expect(problems).toMatchObject([
    { line: 3, column: '姓名', value: '#N/A', reason: 'formula without a result: enter the value itself' },
    { line: 4, column: '姓名', value: '', reason: 'is empty: fill it in' },
  ]);
});

test.each(['true', 'lie'] as const)(
  'a workbook that unpacks to more than it may is refused before it is read (declared sizes: %s)',
  async sizes => {
    const parts = { ...workbookParts(people), 'xl/media/image1.png': Buffer.alloc(200 << 20) };
    const bytes = zipped(parts, sizes);
    expect(bytes.length).toBeLessThan(1 << 20);
    expect((await listRead('employees', bytes)).problems).toMatchObject([
      { line: 1, column: '', value: '', reason: 'the workbook unpacks to more than 128 MiB: save the list as CSV' },
    ]);
  },
);

test('a damaged workbook, an old one and one with a password are refused with what to do', async () => {
  const whole = zipped(workbookParts(people));
  const reasonOf = async (bytes: Uint8Array) => (await listRead('employees', bytes)).problems[0]?.reason;
  expect(await reasonOf(whole.subarray(0, 300))).toMatch(/^the workbook is damaged/);
  expect(await reasonOf(Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]))).toMatch(
    /^an old workbook/,
  );
  expect(await reasonOf(zipped({ 'word/document.xml': '<a/>' }))).toMatch(/^the workbook is damaged/);
});

test('more rows or columns than are taken are refused, and a far cell takes no memory', async () => {
  const names = Array.from({ length: 65 }, (_, index) => inline(`c${index}`)).join('');
  expect((await read(`<row r="1">${names}</row>`)).problems[0]?.reason).toMatch(/^more than 64 columns/);
  expect((await read(`${people}<row r="2"><c r="XFD2"><v>1</v></c></row>`)).problems[0]?.reason).toMatch(
    /^more than 64 columns/,
  );
  const csv = `ext_id,name,department_ext_id\n${'e,Wu,d1\n'.repeat(100_001)}`;
  expect((await listRead('employees', Buffer.from(csv))).problems).toMatchObject([
    { reason: 'more than 100000 rows: split the file' },
  ]);
});

test.each(['en', 'zh-CN'] as const)('the templates have headers that the import reads (%s)', async language => {
  for (const kind of ['employees', 'departments'] as const) {
    const csv = listTemplate(kind, 'csv', language) as string;
    const xlsx = await buffer(listTemplate(kind, 'xlsx', language) as ReadableStream);
    for (const file of [Buffer.from(csv), xlsx]) expect((await listRead(kind, file)).problems, kind).toEqual([]);
    const [sheet] = (await readWorkbook(xlsx)).sheets;
    expect(sheet?.rows[0]).toEqual(csv.slice(1).trim().split(','));
  }
});

describe('an archive that can be read in two ways is refused', () => {
  const whole = Buffer.from(zipped(workbookParts(people)));
  const end = whole.length - 22;
  const start = whole.readUInt32LE(end + 16);
  const other = Buffer.from(zipped(workbookParts(header('x'))));
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(whole);
    change(bytes);
    return bytes;
  };
  /** With the records of ZIP64 in front of the end; the plain directory is that of `whole`. */
  const withZip64 = (): Buffer => {
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    for (const at of [24, 32]) record.writeBigUInt64LE(BigInt(whole.readUInt16LE(end + 10)), at);
    record.writeBigUInt64LE(BigInt(end - start), 40);
    record.writeBigUInt64LE(BigInt(start), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(end), 8);
    locator.writeUInt32LE(1, 16);
    return Buffer.concat([whole.subarray(0, end), record, locator, whole.subarray(end)]);
  };

  test.each<[string, Buffer]>([
    ['records of ZIP64', withZip64()],
    ['figures that stand in ZIP64', changed(bytes => bytes.writeUInt32LE(0xffffffff, start + 24))],
    [
      'a directory in the comment of another',
      Buffer.concat([changed(b => b.writeUInt16LE(22, end + 20)), other.subarray(-22)]),
    ],
    ['another archive behind', Buffer.concat([whole, other])],
    ['data behind', Buffer.concat([whole, Buffer.from('x')])],
    [
      'more parts in the directory than it counts',
      changed(bytes => {
        bytes.writeUInt16LE(bytes.readUInt16LE(end + 10) - 1, end + 8);
        bytes.writeUInt16LE(bytes.readUInt16LE(end + 10) - 1, end + 10);
      }),
    ],
    [
      'two parts in one place',
      changed(bytes => {
        const second = start + 46 + bytes.readUInt16LE(start + 28);
        bytes.copy(bytes, second, start, start + 46);
        bytes.writeUInt16LE(whole.readUInt16LE(second + 28), second + 28);
      }),
    ],
    ['another name in front of the part', changed(bytes => bytes.write('X', 31, 'latin1'))],
    ['another size in front of the part', changed(bytes => bytes.writeUInt32LE(1, 22))],
    ['another packing in front of the part', changed(bytes => bytes.writeUInt16LE(0, 8))],
    ['sizes that are not true', Buffer.from(zipped(workbookParts(people), 'lie'))],
  ])('%s', async (_what, bytes) => {
    expect((await listRead('employees', bytes)).problems).toMatchObject([
      { reason: expect.stringMatching(/^the workbook is damaged/) },
    ]);
  });
});
