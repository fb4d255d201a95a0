import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { listRead } from '../../support/workbook-here.ts';
import { workbookParts, zipped } from '../../support/workbook-parts.ts';

/** Files of the programs that offices use; `office-files/make.py` made them. */
const file = (name: string) => readFile(new URL(`office-files/${name}`, import.meta.url));
type Kind = Parameters<typeof listRead>[0];
const read = async (kind: Kind, name: string, choices: Parameters<typeof listRead>[2] = {}) =>
  listRead(kind, await file(name), choices);
const idsOf = ({ items }: Awaited<ReturnType<typeof read>>) =>
  items.map(({ item }) => (item as { readonly ext_id: string }).ext_id);

test.each(['sheets.xlsx', 'sheets-libreoffice.xlsx'])(
  'the first visible sheet is read, another one by its name, and what is hidden in it is named: %s',
  async name => {
    const list = await read('employees', name);
    expect(list.problems).toEqual([]);
    expect(idsOf(list)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7']);
    expect(list.file).toMatchObject({ sheet: 'people', sheets: ['people', '夜班 & "more"'] });
    expect(list.warnings).toMatchObject([
      { line: 1, value: 'B, D-E', reason: expect.stringMatching(/^these columns are hidden/) },
      { line: 3, value: '3, 5-6', reason: expect.stringMatching(/^these rows are hidden/) },
    ]);
    const other = await read('employees', name, { sheet: '夜班 & "more"' });
    expect([idsOf(other), other.warnings]).toEqual([['m1'], []]);
    expect((await read('employees', name, { sheet: 'old' })).problems).toMatchObject([
      { reason: 'the workbook has no such sheet: choose one of its visible sheets' },
    ]);
  },
);

test('rows and columns of no size are named as hidden ones are, and not those without cells', async () => {
  const cells = (texts: readonly string[]) =>
    texts.map(text => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('');
  const parts = workbookParts(
    `<row>${cells(['ext_id', 'name', 'mobile'])}</row><row ht="0" customHeight="1">${cells(['e1', 'Li', ' '])}</row>`,
  );
  const sheet = 'xl/worksheets/sheet1.xml';
  const columns = '<cols><col min="2" max="2" width="0"/><col min="28" max="16384" width="9" hidden="1"/></cols>';
  const list = await listRead(
    'employees',
    zipped({ ...parts, [sheet]: parts[sheet]!.replace('<sheetData>', `${columns}<sheetData>`) }),
  );
  expect(list.warnings.map(({ line, value, reason }) => `${line} ${value} ${reason.slice(0, 13)}`)).toEqual([
    '1 B these columns',
    '2 2 these rows ar',
  ]);
});

test.each(['times.xlsx', 'times-1904.xlsx'])(
  'times of day, durations and dates are read in both date systems: %s',
  async name => {
    const { items, problems } = await read('shifts', name);
    expect(problems).toEqual([]);
    expect(items.map(({ item }) => item)).toMatchObject([
      { code: 'day', times: ['09:00-18:10'], from: '2026-11-01' },
      { code: 'eve', times: ['15:00-24:00'], from: '2026-11-01' },
      { code: 'night', times: ['22:00-30:30'], from: '2026-11-01' },
    ]);
  },
);

const days = (list: Awaited<ReturnType<typeof read>>) =>
  list.items.map(({ line, item, name, by }) => {
    const { date, who, what } = item as { date: string; who: { person: string }; what: 'rest' | { shift: string } };
    return `${line} ${by} ${who.person} ${name} ${date} ${typeof what === 'string' ? what : what.shift}`;
  });

test.each([
  ['roster.xlsx', 4],
  ['roster-weekdays-above.xlsx', 4],
  ['roster-two-rows.xlsx', 5],
])(
  'a roster under a title, with weekdays beside its days and blank rows, is read with the month of its title: %s',
  async (name, line) => {
    const list = await read('rosters', name);
    expect(list.problems).toEqual([]);
    expect(list.warnings).toEqual([]);
    expect(days(list)).toEqual([
      `${line} number 001 李梅 2026-12-01 day`,
      `${line} number 001 李梅 2026-12-02 night`,
      `${line} number 001 李梅 2026-12-03 rest`,
      `${line + 2} number 002 王伟 2026-12-03 day`,
    ]);
    expect((await read('rosters', name, { month: '2026-11' })).warnings).toMatchObject([
      { value: '2026-12', reason: 'the title says 2026-12, but 2026-11 was chosen' },
    ]);
  },
);

test('an OpenDocument file is refused as what it is', async () => {
  expect((await read('rosters', 'roster.ods')).problems).toMatchObject([
    { line: 1, reason: 'an OpenDocument file (ODS): save it as XLSX, or as CSV' },
  ]);
});

test('a CSV file says its separator, leaves out those at the end of a row, and has rows of them', async () => {
  const text =
    'sep=;\r\next_id;name;department_ext_id;title\r\n;;;\r\ne1;"Li; Mei";d1\r\ne2;Wu, Ying;d1;Fitter;;\r\n \t;\r\n';
  const { items, problems, warnings } = await listRead('employees', Buffer.from(text));
  expect(problems).toEqual([]);
  expect(items).toEqual([
    { line: 4, item: { ext_id: 'e1', name: 'Li; Mei', department: { ext_id: 'd1' } } },
    { line: 5, item: { ext_id: 'e2', name: 'Wu, Ying', department: { ext_id: 'd1', title: 'Fitter' } } },
  ]);
  expect(warnings).toMatchObject([{ line: 4, reason: expect.stringMatching(/^1 rows have fewer cells/) }]);
});

test('a grid of a month warns of numbers that have lost their zeros, as lists do', async () => {
  const cell = (text: string | number) =>
    typeof text === 'number' ? `<c><v>${text}</v></c>` : `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = [
    ['工号', '姓名', 1, 2],
    [7, 'Bond', 'day', ''],
  ].map(row => `<row>${row.map(cell).join('')}</row>`);
  const list = await listRead('rosters', zipped(workbookParts(rows.join(''))), { month: '2026-12' });
  expect(days(list)).toEqual(['2 number 7 Bond 2026-12-01 day']);
  expect(list.warnings).toMatchObject([
    { line: 2, column: '工号', value: '7', reason: expect.stringMatching(/^1 cells of this column are numbers/) },
  ]);
});

test('a number that was kept as text for a spreadsheet is read without what keeps it', async () => {
  const csv = '工号,姓名,1,2\r\n"=""007""",Bond,day,\r\n"\t008",Li,day,\r\n';
  expect(days(await listRead('rosters', Buffer.from(csv), { month: '2026-12' }))).toEqual([
    '2 number 007 Bond 2026-12-01 day',
    '3 number 008 Li 2026-12-01 day',
  ]);
});
