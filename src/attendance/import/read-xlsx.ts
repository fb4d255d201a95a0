import { streamXlsxRows } from 'hucre/xlsx';
import { ownArchive } from './own-archive.ts';
import {
  importColumnsMax,
  importRowsMax,
  type Table,
  type TableRow,
  tableOf,
  tooManyColumns,
  tooManyRows,
} from './table.ts';

/** Of all parts of a workbook together. 100,000 rows of eight columns are about 50 MB. */
const unpackedBytesMax = 128 << 20;

/** Every XLSX file begins as a ZIP archive does. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;

/** What Excel wrote before 2007, and what it writes with a password. */
export const isOldWorkbook = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;

/**
 * Reads the first sheet of a workbook. Cells of formulas have the value that the program which
 * wrote the file computed. A date is written `2026-11-20` and a time of day `09:00`, whatever its
 * format; numbers are marked, since leading zeros of them are lost.
 */
export async function readXlsx(bytes: Uint8Array): Promise<Table> {
  try {
    const archive = await ownArchive(bytes, unpackedBytesMax);
    if (archive === null)
      return {
        ok: false,
        line: 1,
        reason: `the workbook unpacks to more than ${unpackedBytesMax >> 20} MiB: save the list as CSV`,
      };
    return await readRows(archive);
  } catch {
    return {
      ok: false,
      line: 1,
      reason: 'the workbook is damaged or has a password: save it again as XLSX, or as CSV',
    };
  }
}

async function readRows(bytes: Uint8Array): Promise<Table> {
  const rows: TableRow[] = [];
  for await (const { index, values } of streamXlsxRows(bytes, { sheet: 0 })) {
    const row = rowOf(index + 1, values);
    if (row.cells.length === 0) continue;
    if (row.cells.length > importColumnsMax) return tooManyColumns(row.line);
    rows.push(row);
    if (rows.length > importRowsMax + 1) return tooManyRows(row.line);
  }
  // A sheet leaves out the empty cells at the end of a row; a CSV file has them.
  const width = rows[0]?.cells.length ?? 0;
  return tableOf(
    rows.map(row =>
      row.cells.length < width
        ? { ...row, cells: [...row.cells, ...Array<string>(width - row.cells.length).fill('')] }
        : row,
    ),
  );
}

function rowOf(line: number, values: readonly unknown[]): TableRow {
  let length = values.length;
  while (length > 0 && isEmpty(values[length - 1])) length--;
  const cells: string[] = [];
  const numbers: number[] = [];
  for (let place = 0; place < length; place++) {
    const value = values[place];
    if (typeof value === 'number') numbers.push(place);
    cells.push(textOf(value));
  }
  return { line, cells, ...(numbers.length > 0 ? { numbers } : {}) };
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

function textOf(value: unknown): string {
  if (isEmpty(value)) return '';
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return '';
    const text = value.toISOString();
    // A time of day alone lies on the day on which sheets begin to count.
    return value.getUTCFullYear() < 1900 ? text.slice(11, 16) : text.slice(0, 10);
  }
  return String(value);
}
