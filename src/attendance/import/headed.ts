import { dateOfHeader, isDayHeader } from './month-grid.ts';
import { bareName, columnName, isBlank, type Sheet, type TableRow, withoutEnd } from './table.ts';

/** Rows in which the header is looked for: titles stand above it. */
const headerRowsMax = 10;
/** Of a second row of headers, so that a row of numbers is none. */
const daysMin = 3;

interface Headed {
  readonly table: Sheet;
  /** `2026-11`, where a title above the header says one. */
  readonly titleMonth: string | null;
}

/**
 * A table with the row as its header that names columns, as lists of offices have it: under a
 * title, with the days of a month in a second row, and with a row of weekdays below them. `names`:
 * of the columns that the list may have. A table without such a row stays as it is.
 */
export function headed(table: Sheet, names: ReadonlySet<string>, hasDays: boolean, month: string | null): Headed {
  const rows = [table.header, ...table.rows];
  const isKnown = (cell: string) => names.has(columnName(cell)) || names.has(bareName(cell));
  const isDay = (cell: string) => hasDays && (dateOfHeader(cell, month) !== null || isDayHeader(cell));
  const count = (row: TableRow | undefined, is: (cell: string) => boolean) => row?.cells.filter(is).length ?? 0;
  const place = rows
    .slice(0, headerRowsMax)
    .findIndex(row => count(row, isKnown) + Math.min(1, count(row, isDay)) >= 2 && count(row, isKnown) > 0);
  if (place < 0) return { table: withoutTitles(table), titleMonth: null };
  const [header, next, ...rest] = rows.slice(place) as [TableRow, ...TableRow[]];
  const isSecond =
    next !== undefined &&
    count(header, isDay) === 0 &&
    count(next, isDay) >= daysMin &&
    count(next, cell => !isBlank(cell) && !isDay(cell)) === 0;
  const cells = isSecond ? together(header.cells, next.cells) : header.cells;
  const below = isSecond || next === undefined ? rest : [next, ...rest];
  const persons = [...cells.keys()].filter(at => isKnown(cells[at]!));
  return {
    table: {
      ...table,
      header: { ...header, cells: withoutEnd(cells) },
      rows: hasDays && below[0] && isOfWeekdays(below[0], persons) ? below.slice(1) : below,
    },
    titleMonth: monthIn(rows.slice(0, place)),
  };
}

/** A first row of one cell is a title where the row below it has more. */
function withoutTitles(table: Sheet): Sheet {
  const rows = [table.header, ...table.rows];
  const filled = ({ cells }: TableRow) => cells.filter(cell => !isBlank(cell)).length;
  const place = rows.slice(0, headerRowsMax).findIndex(row => filled(row) > 1);
  if (place <= 0) return table;
  const header = rows[place]!;
  return { ...table, header: { ...header, cells: withoutEnd(header.cells) }, rows: rows.slice(place + 1) };
}

const together = (above: readonly string[], below: readonly string[]): string[] =>
  Array.from({ length: Math.max(above.length, below.length) }, (_, at) =>
    isBlank(below[at] ?? '') ? (above[at] ?? '') : below[at]!,
  );

const weekday =
  /^(\u5468|\u661f\u671f|\u793c\u62dc)?[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u65e5\u5929]$|^(mo|tu|we|th|fr|sa|su)[a-z]*\.?$|^[mtwfs]$/i;

const isOfWeekdays = ({ cells }: TableRow, persons: readonly number[]): boolean =>
  persons.every(at => isBlank(cells[at] ?? '') || /^(\u661f\u671f|\u5468|\u65e5\u671f)$/.test(cells[at]!.trim())) &&
  cells.every((cell, at) => persons.includes(at) || isBlank(cell) || weekday.test(cell.trim()));

function monthIn(titles: readonly TableRow[]): string | null {
  for (const cell of titles.flatMap(({ cells }) => cells)) {
    const found = /(20\d\d)\s*[-/.\u5e74]\s*(1[0-2]|0?[1-9])(?!\d)/.exec(cell);
    if (found) return `${found[1]}-${found[2]!.padStart(2, '0')}`;
  }
  return null;
}
