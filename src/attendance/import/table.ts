/** One row of a list, with its number in the file. */
export interface TableRow {
  /** The line of a CSV file that it begins on, or the row of a sheet. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The columns whose cells the sheet holds as numbers: leading zeros of these are lost. */
  readonly numbers?: readonly number[];
}

/** What a CSV file or the first sheet of a workbook holds. */
export type Table =
  | { readonly ok: true; readonly header: TableRow; readonly rows: readonly TableRow[] }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** Of a file, in bytes. */
export const importBytesMax = 10 << 20;
/** Without the header. */
export const importRowsMax = 100_000;
export const importColumnsMax = 64;

export const tooManyRows = (line: number): Table => ({
  ok: false,
  line,
  reason: `more than ${importRowsMax} rows: split the file`,
});
export const tooManyColumns = (line: number): Table => ({
  ok: false,
  line,
  reason: `more than ${importColumnsMax} columns: remove those that the template does not have`,
});

/** The first row names the columns. */
export function tableOf(rows: readonly TableRow[]): Table {
  const [header, ...rest] = rows;
  return header
    ? { ok: true, header, rows: rest }
    : { ok: false, line: 1, reason: 'the file is empty: the first line names the columns' };
}
