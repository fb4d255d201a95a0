import { readFileSync, writeSync } from 'node:fs';
import { streamXlsxRows } from 'hucre/xlsx';
import type { TableRow } from './table.ts';

/**
 * The entry of the process that reads one workbook and ends (`read-xlsx.ts` says why it is one): an
 * archive on standard input; on standard output a line of JSON for each row of the first sheet that
 * is not empty, and at the end a line with their number. Exit status: 3 where the workbook cannot
 * be read, 1 where the memory does not suffice.
 */
const damaged = 3;
const standardInput = 0;
const standardOutput = 1;
const charactersAtOnce = 1 << 16;

async function readWorkbook(): Promise<void> {
  let rows = 0;
  let text = '';
  for await (const { index, values } of streamXlsxRows(readFileSync(standardInput), { sheet: 0 })) {
    const row = rowOf(index + 1, values);
    if (row.cells.length === 0) continue;
    rows++;
    text += `${JSON.stringify(row)}\n`;
    if (text.length < charactersAtOnce) continue;
    write(text);
    text = '';
  }
  write(`${text}${rows}\n`);
}

/** Waits until it is read: rows do not gather here. */
function write(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(standardOutput, bytes, at);
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

readWorkbook().catch((error: unknown) => {
  process.exitCode = /alloc/i.test(String(error)) ? 1 : damaged;
});
