import { listErrors } from '../../words/lists.ts';
import type { GivenReason, Reason } from '../../words/sentences.ts';

/** One row of a list, with its number in the file. */
export interface TableRow {
  /** The line of a CSV file that it begins on, or the row of a sheet. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The columns whose cells the sheet holds as numbers: leading zeros of these are lost. */
  readonly numbers?: readonly number[];
  /** Those whose cells it holds as dates, times or truth values: `3-4` was made a day of these. */
  readonly converted?: readonly number[];
}

/** The content of a CSV file, or of one sheet of a workbook. */
export type Table =
  | {
      readonly ok: true;
      readonly header: TableRow;
      readonly rows: readonly TableRow[];
      /** A sheet has no cells at the end of a row that are empty. */
      readonly isWorkbook?: boolean;
    }
  | ({ readonly ok: false; readonly line: number } & Reason);
export type Sheet = Extract<Table, { readonly ok: true }>;

export interface ImportProblem extends GivenReason {
  readonly line: number;
  /** As the header of the file names it; empty where the whole row is meant. */
  readonly column: string;
  readonly value: string;
}

/** A column of a file, and the field that was read from it. */
export interface FileColumn {
  /** As the header names it; may be empty. */
  readonly title: string;
  /** The field that it holds; null if it is not read. */
  readonly field: string | null;
  /** Its first cells, to know it by. */
  readonly samples: readonly string[];
}

/** How a file was read: what whoever brings it can choose otherwise. */
export interface FileReading {
  /** Encoding; null if the file is not CSV. */
  readonly encoding: {
    readonly name: string;
    /** Not: a guess, which somebody has to look at. */
    readonly isCertain: boolean;
    /** Some cells beyond ASCII, names first. */
    readonly samples: readonly string[];
  } | null;
  /** The sheet of a workbook; null: no workbook. */
  readonly sheet: string | null;
  /** Its visible sheets. */
  readonly sheets: readonly string[];
  /** Empty for a list whose columns cannot be chosen. */
  readonly columns: readonly FileColumn[];
}
export const notRead: FileReading = { encoding: null, sheet: null, sheets: [], columns: [] };

/** A table as its reader found it. */
export interface ReadTable {
  readonly table: Table;
  readonly file: FileReading;
  /** About the file, not about a list. */
  readonly warnings: readonly ImportProblem[];
}

/** Of a file, in bytes. */
export const importBytesMax = 10 << 20;
/** Without the header. */
export const importRowsMax = 100_000;
export const importColumnsMax = 64;

export const refusedTable = (line: number, why: Reason): Table => ({ ok: false, line, ...why });
export const tooManyRows = (line: number): Table =>
  refusedTable(line, listErrors.say('too_many_rows', { max: importRowsMax }));
export const tooManyColumns = (line: number): Table =>
  refusedTable(line, listErrors.say('too_many_columns', { max: importColumnsMax }));

/** No text: nothing, blanks, or characters of no width. */
export const isBlank = (cell: string): boolean => /^[\s\u200b-\u200d\u2060\ufeff]*$/.test(cell);

/** Cells without the blank ones at the end. */
export function withoutEnd(cells: readonly string[]): readonly string[] {
  const length = cells.findLastIndex(cell => !isBlank(cell)) + 1;
  return length === cells.length ? cells : cells.slice(0, length);
}

/** The first row names the columns. Rows of blank cells are passed over. */
export function tableOf(rows: readonly TableRow[]): Table {
  const [header, ...rest] = rows.filter(row => !row.cells.every(isBlank));
  return header
    ? { ok: true, header: { ...header, cells: withoutEnd(header.cells) }, rows: rest }
    : refusedTable(1, listErrors.say('file_is_empty'));
}

/** The name of a column to be compared: `工 号` is `工号`, `Name ` is `name`. */
export const columnName = (written: string): string =>
  written
    .trim()
    .toLowerCase()
    .replace(/(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])/g, '');

/** Letters and digits alone: `Employee No. (required)` is `employeeno`, `*工 号` is `工号`. */
export const bareName = (written: string): string =>
  written
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[([\u3010][^()[\]\u3010\u3011]*[)\]\u3011]/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
