import { totalmem } from 'node:os';
import {
  type BoundedProgram,
  BoundReached,
  bundledProgram,
  ProgramFailed,
  runBounded,
  v8CodeBytes,
} from '../../runtime/bounded-program.ts';
import { GrowingBuffer } from '../../runtime/growing-buffer.ts';
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

const refusedFor = (reason: string): Table => ({ ok: false, line: 1, reason });
const damaged = refusedFor('the workbook is damaged or has a password: save it again as XLSX, or as CSV');
const tooMuch = refusedFor('the file needs too much memory or time: split it, or save it as CSV');
const failed = refusedFor('the reader of workbooks failed: try again, or save the list as CSV');

/**
 * Half of the memory of the box, or of its control group. 20,000 people of Excel take 192 MiB,
 * 100,000 take 448.
 */
const memoryMiB = (): number => {
  const half = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2;
  return Math.min(512, Math.max(128, Math.floor(half / 2 ** 20)));
};

/** The reader of workbooks, and what it may take (docs/decisions/dependencies.md). */
export const workbookReader = (): BoundedProgram => ({
  command: bundledProgram('workbook-reader', () => new URL('./workbook-reader.ts', import.meta.url)),
  memoryBytesMax: memoryMiB() * 2 ** 20 + v8CodeBytes,
  processorSecondsMax: 60,
  durationMsMax: 180_000,
  outputBytesMax: 64 << 20,
});

/**
 * Reads the first sheet of a workbook. Cells of formulas have the value that the program which
 * wrote the file computed. A date is written `2026-11-20` and a time of day `09:00`, whatever its
 * format; numbers are marked, since leading zeros of them are lost. The library that reads
 * workbooks is young and reads what people bring: it runs as a process of its own, and all that
 * comes back from it is text.
 */
export async function readXlsx(bytes: Uint8Array, reader: BoundedProgram = workbookReader()): Promise<Table> {
  let archive: Buffer | null;
  try {
    archive = await ownArchive(bytes, unpackedBytesMax);
  } catch {
    return damaged;
  }
  if (archive === null)
    return refusedFor(`the workbook unpacks to more than ${unpackedBytesMax >> 20} MiB: save the list as CSV`);
  try {
    return await tableFrom(linesOf(runBounded(reader, archive)));
  } catch (error) {
    if (error instanceof BoundReached) return tooMuch;
    if (!(error instanceof ProgramFailed)) return failed;
    return { 1: tooMuch, 3: damaged }[error.status] ?? failed;
  }
}

/** Throws where a line is none that the reader of workbooks writes, or the last one is missing. */
async function tableFrom(lines: AsyncIterable<string>): Promise<Table> {
  const rows: TableRow[] = [];
  let said: unknown = null;
  for await (const line of lines) {
    said = JSON.parse(line);
    if (typeof said === 'number') break;
    if (!isRow(said)) throw new Error('this is no row');
    if (said.cells.length > importColumnsMax) return tooManyColumns(said.line);
    rows.push(said);
    if (rows.length > importRowsMax + 1) return tooManyRows(said.line);
  }
  if (said !== rows.length) throw new Error('the end is missing');
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

function isRow(said: unknown): said is TableRow {
  const { line, cells, numbers = [] } = (said ?? {}) as Partial<Record<keyof TableRow, unknown>>;
  const isListOf = (list: unknown, type: 'string' | 'number') =>
    Array.isArray(list) && list.every(one => typeof one === type);
  return Number.isSafeInteger(line) && isListOf(cells, 'string') && isListOf(numbers, 'number');
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const begun = new GrowingBuffer();
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      begun.add(chunk.subarray(from, end));
      yield begun.take().toString();
      from = end + 1;
    }
    begun.add(chunk.subarray(from));
  }
}
