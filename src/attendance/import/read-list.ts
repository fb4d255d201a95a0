import type { CsvEncoding } from '../../platform/csv-encodings.ts';
import { listErrors } from '../../words/lists.ts';
import type { Reason } from '../../words/sentences.ts';
import type { ColumnChoice } from './columns.ts';
import { decodeText } from './decode-text.ts';
import { isZip, otherKind } from './file-kinds.ts';
import { headed } from './headed.ts';
import { columnsKnown, type ImportedList, type ListItem, type ListKind } from './lists.ts';
import { readDepartments, readEmployees } from './organization.ts';
import { readCsv } from './read-csv.ts';
import type { Imported } from './read-fields.ts';
import { readXlsx, type WorkbookSource } from './read-xlsx.ts';
import { readRosters } from './rosters.ts';
import { readShifts } from './shifts.ts';
import { samplesOf, spoiledCells } from './spoiled-cells.ts';
import { type ImportProblem, notRead, type ReadTable, refusedTable, type Table } from './table.ts';

/** Choices of whoever brings a file. */
export interface ImportChoices {
  /** `2026-11`: of columns that name a day alone. */
  readonly month?: string | undefined;
  /** Absent: as `decodeText` finds it. */
  readonly encoding?: CsvEncoding | undefined;
  /** The sheet of a workbook; absent: the first visible one. */
  readonly sheet?: string | undefined;
  /** Of departments and employees: what the columns are. */
  readonly columns?: ColumnChoice | undefined;
  /** The language of the site. */
  readonly locale?: string | undefined;
}

/** Reads a list from a CSV or XLSX file. Runs in the import thread. */
export async function readList(
  kind: ListKind,
  bytes: Uint8Array,
  choices: ImportChoices = {},
  workbooks?: WorkbookSource,
): Promise<ImportedList> {
  const read = await readTable(kind, bytes, choices, workbooks);
  const found = read.table.ok
    ? headed(read.table, columnsKnown(kind), kind === 'rosters', choices.month ?? null)
    : { table: read.table, titleMonth: null };
  const { table, titleMonth } = found;
  const month = choices.month ?? titleMonth;
  const list = listOf(kind, table, month, choices.columns);
  const isRead = (at: number) => !list.columns || typeof list.columns[at]?.field === 'string';
  const spoiled = table.ok ? spoiledCells(table, isRead) : [];
  const lines = new Set(spoiled.map(({ line }) => line));
  return {
    ...list,
    items: list.items.filter(({ line }) => !lines.has(line)),
    problems: [...spoiled, ...list.problems],
    warnings: [...read.warnings, ...otherMonth(titleMonth, month), ...list.warnings],
    file: {
      ...read.file,
      encoding: read.file.encoding && { ...read.file.encoding, samples: table.ok ? samplesOf(table) : [] },
      columns: list.columns ?? [],
    },
  };
}

function listOf(kind: ListKind, table: Table, month: string | null, columns?: ColumnChoice): Imported<ListItem> {
  switch (kind) {
    case 'departments':
      return readDepartments(table, columns);
    case 'employees':
      return readEmployees(table, columns);
    case 'shifts':
      return readShifts(table);
    case 'rosters':
      return readRosters(table, month);
  }
}

function otherMonth(said: string | null, month: string | null): ImportProblem[] {
  if (said === null || said === month) return [];
  return [{ line: 1, column: '', value: said, ...listErrors.say('other_month', { title: said, chosen: month! }) }];
}

async function readTable(
  kind: ListKind,
  bytes: Uint8Array,
  choices: ImportChoices,
  workbooks?: WorkbookSource,
): Promise<ReadTable> {
  const refused = (why: Reason): ReadTable => ({ table: refusedTable(1, why), file: notRead, warnings: [] });
  const other = otherKind(bytes);
  if (other !== null) return refused(other);
  if (isZip(bytes)) return readXlsx(bytes, choices.sheet ?? null, workbooks);
  const { encoding = null, locale = 'en' } = choices;
  const decoded = decodeText(bytes, { encoding, locale, columns: columnsKnown(kind) });
  if (!decoded.ok) return refused(decoded.why);
  const { encoding: name, isCertain } = decoded;
  return {
    table: readCsv(decoded.text),
    file: { ...notRead, encoding: { name, isCertain, samples: [] } },
    warnings: [],
  };
}
