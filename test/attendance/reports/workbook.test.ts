import { Buffer } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import {
  longWorkbook,
  type WorkbookCell,
  type WorkbookSheet,
  workbook,
} from '../../../src/attendance/reports/workbook.ts';

const columns = [
  { header: 'Name & more', width: 10 },
  { header: 'b', width: 5 },
  { header: 'c', width: 20 },
];
const rows: WorkbookCell[][] = [
  ['001', 7, new Date('2026-03-16T08:52:30Z')],
  ['<李梅> "=1+1"\u0001', 0.5, null],
];
const sheet = (name: string, of: readonly (readonly WorkbookCell[])[] = rows): WorkbookSheet => ({
  name,
  columns,
  async *rows() {
    yield* of;
  },
});

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

test('sheets stand in their order, whatever the order in which their rows were read', async () => {
  const read: string[] = [];
  const noting = (name: string): WorkbookSheet => ({
    ...sheet(name),
    async *rows() {
      read.push(name);
      yield* rows;
    },
  });
  const book = await readXlsx(await bytesOf(workbook([noting('一'), noting('B & C')], [1, 0])));
  expect(read).toEqual(['B & C', '一']);
  expect(book.sheets.map(({ name }) => name)).toEqual(['一', 'B & C']);
  expect(book.sheets[1]!.rows).toEqual([
    ['Name & more', 'b', 'c'],
    ['001', 7, new Date('2026-03-16T08:52:30Z')],
    ['<李梅> "=1+1"', 0.5, null],
  ]);
});

test('many rows come in many pieces, and the archive around them is whole', async () => {
  const many = Array.from({ length: 20_000 }, (_, index): WorkbookCell[] => [`person ${index}`, index, null]);
  const pieces: Uint8Array[] = [];
  for await (const piece of workbook([sheet('s', many)], [0])) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(10);
  const book = await readXlsx(Buffer.concat(pieces));
  expect(book.sheets[0]!.rows).toHaveLength(20_001);
  expect(book.sheets[0]!.rows.at(-1)).toEqual(['person 19999', 19_999, null]);
});

test('a reader of rows that fails ends the file with its error', async () => {
  const failing: WorkbookSheet = {
    ...sheet('s'),
    // biome-ignore lint/correctness/useYield: it fails before its first row
    async *rows() {
      throw new Error('the disk is gone');
    },
  };
  await expect(bytesOf(workbook([failing], [0]))).rejects.toThrow('the disk is gone');
});

test('blanks at the ends of a text, and line ends, are kept for every reader', async () => {
  const texts = [' 002', 'B 3 ', 'one\ntwo\n', '\u00a0x', 'plain'];
  const bytes = await bytesOf(workbook([sheet('s', [texts])], [0]));
  const { rows: found } = (await readXlsx(bytes)).sheets[0]!;
  expect(found.at(-1)).toEqual(texts);
  const xml = inflateRawSync(bytes.subarray(bytes.indexOf('sheet1.xml') + 'sheet1.xml'.length)).toString();
  expect(
    xml
      .split('<row>')
      .at(-1)!
      .match(/ xml:space="preserve"/g)?.length,
  ).toBe(4);
});

test('each sheet is printed on one sheet of A4 across, with its header on every page', async () => {
  for (const pieces of [workbook([sheet("o'clock"), sheet('b')], [0, 1]), longWorkbook(sheet('long'))]) {
    const { sheets } = await readXlsx(await bytesOf(pieces));
    for (const { pageSetup } of sheets)
      expect(pageSetup).toMatchObject({
        ...{ paperSize: 'a4', orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
        printTitlesRow: '$1:$1',
      });
  }
});

test('a sheet that is full goes on in another with the same header, and every row is there once', async () => {
  const numbered = Array.from({ length: 7 }, (_, index): WorkbookCell[] => [`row ${index}`, index, null]);
  for (const [count, sizes] of [
    [0, [0]],
    [3, [3]],
    [4, [3, 1]],
    [7, [3, 3, 1]],
  ] as const) {
    const book = await readXlsx(await bytesOf(longWorkbook(sheet('s', numbered.slice(0, count)), 4)));
    expect(book.sheets.map(({ rows: of }) => of.length - 1)).toEqual(sizes);
    expect(book.sheets.map(({ name }) => name)).toEqual(['s', 's 2', 's 3'].slice(0, sizes.length));
    expect(book.sheets.flatMap(({ rows: of }) => of.slice(1).map(([name]) => name))).toEqual(
      numbered.slice(0, count).map(([name]) => name),
    );
  }
});

test('who stops reading a long report ends the reading of its rows', async () => {
  let ended = false;
  const endless: WorkbookSheet = {
    ...sheet('s'),
    async *rows() {
      try {
        for (let row = 0; ; row++) yield [`person ${row} ${Math.sin(row)}`, row, null];
      } finally {
        ended = true;
      }
    },
  };
  for await (const piece of longWorkbook(endless)) if (piece.length > 0) break;
  expect(ended).toBe(true);
});
