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
import { listErrors } from '../../words/lists.ts';
import type { Reason } from '../../words/sentences.ts';
import { ownArchive } from './own-archive.ts';
import { DamagedWorkbook, NoSuchSheet, type SheetFacts, sheetArgument } from './sheets.ts';
import {
  type ImportProblem,
  importColumnsMax,
  importRowsMax,
  notRead,
  type ReadTable,
  refusedTable,
  type Table,
  type TableRow,
  tableOf,
  tooManyColumns,
  tooManyRows,
  withoutEnd,
} from './table.ts';

/** Of all parts of a workbook together. 100,000 rows of eight columns are about 50 MB. */
const unpackedBytesMax = 128 << 20;

const refusedFor = (why: Reason): ReadTable => refused(refusedTable(1, why));
const refused = (table: Table): ReadTable => ({ table, file: notRead, warnings: [] });
const damaged = refusedFor(listErrors.say('workbook_damaged'));
const tooMuch = refusedFor(listErrors.say('needs_too_much'));
const noSheet = refusedFor(listErrors.say('no_such_sheet'));
const failed = refusedFor(listErrors.say('reader_failed'));

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
 * The lines of a workbook (`workbookText`), in any pieces. Throws `NoSuchSheet`, `DamagedWorkbook`
 * and `BoundReached`.
 */
export type WorkbookSource = (archive: Buffer, sheet: string | null) => AsyncIterable<Buffer>;

/** The lines that a program says; its exit status says why it has none (`workbook-reader.ts`). */
export const byProgram = (reader: BoundedProgram): WorkbookSource =>
  async function* (archive, sheet) {
    const chosen = sheet === null ? [] : [`${sheetArgument}${Buffer.from(sheet).toString('base64url')}`];
    try {
      yield* runBounded({ ...reader, command: [...reader.command, ...chosen] }, archive);
    } catch (error) {
      if (!(error instanceof ProgramFailed)) throw error;
      if (error.status === 4) throw new NoSuchSheet();
      if (error.status === 3) throw new DamagedWorkbook();
      throw error.status === 1 ? new BoundReached('memory') : error;
    }
  };

/**
 * Reads the first visible sheet of a workbook, or the one of this name. Cells of formulas have the
 * value that the program which wrote the file computed. A date is written `2026-11-20` and a time
 * of day `09:00`, whatever its format; numbers are marked, since leading zeros of them are lost;
 * rows and columns that are hidden are read, and named in a warning. The library that reads
 * workbooks is young and reads what people bring: it runs as a process of its own, and all that
 * comes back from it is text.
 */
export async function readXlsx(
  bytes: Uint8Array,
  sheet: string | null = null,
  read: WorkbookSource = byProgram(workbookReader()),
): Promise<ReadTable> {
  let archive: Buffer | null;
  try {
    archive = await ownArchive(bytes, unpackedBytesMax);
  } catch {
    return damaged;
  }
  if (archive === null) return refusedFor(listErrors.say('unpacks_too_large', { mib: unpackedBytesMax >> 20 }));
  try {
    return await tableFrom(linesOf(read(archive, sheet)));
  } catch (error) {
    if (error instanceof NoSuchSheet) return noSheet;
    if (error instanceof DamagedWorkbook) return damaged;
    return error instanceof BoundReached ? tooMuch : failed;
  }
}

/** Throws where a line is none that the reader of workbooks writes, or the last one is missing. */
async function tableFrom(lines: AsyncIterable<string>): Promise<ReadTable> {
  const rows: TableRow[] = [];
  let facts: SheetFacts = { sheet: '', sheets: [], hiddenRows: '', hiddenColumns: '' };
  let said: unknown = null;
  for await (const line of lines) {
    said = JSON.parse(line);
    if (typeof said === 'number') break;
    if (isFacts(said)) {
      facts = said;
      continue;
    }
    if (!isRow(said)) throw new Error('this is no row');
    if (said.cells.length > importColumnsMax) return refused(tooManyColumns(said.line));
    rows.push(said);
    if (rows.length > importRowsMax + 1) return refused(tooManyRows(said.line));
  }
  if (said !== rows.length) throw new Error('the end is missing');
  const table = tableOf(rows.map(row => ({ ...row, cells: withoutEnd(row.cells) })));
  const { sheet, sheets } = facts;
  return {
    table: table.ok ? { ...table, isWorkbook: true } : table,
    file: { ...notRead, sheet, sheets },
    warnings: hiddenWarnings(facts, rows[0]?.line ?? 1),
  };
}

function hiddenWarnings({ hiddenRows, hiddenColumns }: SheetFacts, firstLine: number): ImportProblem[] {
  const said = (what: 'rows' | 'columns', line: number, value: string): ImportProblem[] => {
    return value === '' ? [] : [{ line, column: '', value, ...listErrors.say('hidden', { what }) }];
  };
  return [...said('columns', firstLine, hiddenColumns), ...said('rows', Number.parseInt(hiddenRows, 10), hiddenRows)];
}

const isListOf = (list: unknown, type: 'string' | 'number'): boolean =>
  Array.isArray(list) && list.every(one => typeof one === type);

const isFacts = (said: unknown): said is SheetFacts => {
  const { sheet, sheets, hiddenRows, hiddenColumns } = (said ?? {}) as Partial<Record<keyof SheetFacts, unknown>>;
  return isListOf([sheet, hiddenRows, hiddenColumns], 'string') && isListOf(sheets, 'string');
};

function isRow(said: unknown): said is TableRow {
  const { line, cells, numbers = [], converted = [] } = (said ?? {}) as Partial<Record<keyof TableRow, unknown>>;
  return Number.isSafeInteger(line) && isListOf(cells, 'string') && isListOf([numbers, converted].flat(), 'number');
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
