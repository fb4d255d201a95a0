import { Buffer } from 'node:buffer';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { type WorkbookCell, type WorkbookSheet, workbook } from '../../../src/attendance/reports/workbook.ts';

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
