import { streamXlsxRows } from 'hucre/xlsx';
import {
  columnLetters,
  DamagedWorkbook,
  hiddenIn,
  NoSuchSheet,
  rangesOf,
  renameParts,
  type SheetFacts,
  workbookFacts,
} from './sheets.ts';
import { isBlank, type TableRow } from './table.ts';

const charactersAtOnce = 1 << 16;

/**
 * The lines of a workbook's sheet by its name, or of the first visible one: a line of JSON for each
 * row that is not empty, what `SheetFacts` has, and the number of rows. Yields some of them at
 * once, each with its end. Throws `NoSuchSheet`, `DamagedWorkbook`, or that memory does not
 * suffice.
 */
export async function* workbookText(archive: Buffer, chosen: string | null): AsyncGenerator<string, void> {
  try {
    yield* sheetText(archive, chosen);
  } catch (error) {
    if (error instanceof NoSuchSheet || /alloc/i.test(String(error))) throw error;
    throw new DamagedWorkbook(String(error));
  }
}

async function* sheetText(archive: Buffer, chosen: string | null): AsyncGenerator<string, void> {
  await renameParts(archive);
  const { sheets, is1904 } = await workbookFacts(archive);
  const visible = sheets.filter(({ isVisible }) => isVisible);
  const sheet = chosen === null ? (visible[0] ?? sheets[0]) : visible.find(({ name }) => name === chosen);
  if (!sheet) throw new NoSuchSheet();
  const hidden = await hiddenIn(archive, sheet.part);
  const rowsWithCells: number[] = [];
  const columnsWithCells = new Set<number>();
  let rows = 0;
  let text = '';
  // Days of both systems come as days since 1900: `textOf` tells them apart.
  for await (const { index, values } of streamXlsxRows(archive, { sheet: sheet.name, dateSystem: '1900' })) {
    const row = rowOf(index + 1, values, is1904);
    if (row.cells.every(isBlank)) continue;
    if (hidden.rows.has(row.line)) rowsWithCells.push(row.line);
    for (const [place, cell] of hidden.columns.size > 0 ? row.cells.entries() : [])
      if (hidden.columns.has(place + 1) && !isBlank(cell)) columnsWithCells.add(place + 1);
    rows++;
    text += `${JSON.stringify(row)}\n`;
    if (text.length < charactersAtOnce) continue;
    yield text;
    text = '';
  }
  const facts: SheetFacts = {
    ...{ sheet: sheet.name, sheets: visible.map(({ name }) => name) },
    hiddenRows: rangesOf(rowsWithCells),
    hiddenColumns: rangesOf(
      [...columnsWithCells].sort((one, other) => one - other),
      columnLetters,
    ),
  };
  yield `${text}${JSON.stringify(facts)}\n${rows}\n`;
}

function rowOf(line: number, values: readonly unknown[], is1904: boolean): TableRow {
  const cells: string[] = [];
  const numbers: number[] = [];
  const converted: number[] = [];
  for (const [place, value] of values.entries()) {
    if (typeof value === 'number') numbers.push(place);
    if (value instanceof Date || typeof value === 'boolean') converted.push(place);
    cells.push(textOf(value, is1904));
  }
  const length = cells.findLastIndex(cell => !isBlank(cell)) + 1;
  return {
    ...{ line, cells: cells.slice(0, length) },
    ...(numbers.length > 0 && { numbers }),
    ...(converted.length > 0 && { converted }),
  };
}

function textOf(value: unknown, is1904: boolean): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : dateText(value, is1904);
  if (typeof value === 'boolean') return String(value).toUpperCase();
  return timeOfDay.exec(String(value))?.[1] ?? String(value);
}

/** As ISO 8601 in the strict variant of the format, whose days are told by the library. */
const timeOfDay = /^(?:1899-12-3[01]|1904-01-01)?T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z?$/;
const dayMs = 86_400_000;
/** A time of day alone, or a duration of less than this: nobody worked in 1900 or 1904. */
const durationDaysMax = 3;
/** A time is a part of a day, which no number holds exactly. */
const half = 500;

/** `since1900`: as if days counted from 1900, whose 29 February is one of them. */
function dateText(since1900: Date, is1904: boolean): string {
  const since = since1900.getTime() - Date.UTC(1899, 11, 31);
  const days = since / dayMs >= 60 ? since / dayMs + 1 : since / dayMs;
  if (days >= 0 && days < durationDaysMax) {
    const minutes = Math.floor((days * dayMs + half) / 60_000);
    return [Math.floor(minutes / 60), minutes % 60].map(one => String(one).padStart(2, '0')).join(':');
  }
  const date = is1904 ? new Date(Date.UTC(1904, 0, 1) + days * dayMs) : since1900;
  return date.toISOString().slice(0, 10);
}
