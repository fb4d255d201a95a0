import { listErrors } from '../../words/lists.ts';
import {
  importColumnsMax,
  importRowsMax,
  isBlank,
  refusedTable,
  type Table,
  type TableRow,
  tableOf,
  tooManyColumns,
  tooManyRows,
  withoutEnd,
} from './table.ts';

/** Excel's own line: which separator the file has. */
const separatorLine = /^"?sep=(.)"?(\r\n|\r|\n|$)/;

/**
 * Reads RFC 4180, with comma, semicolon or TAB, whichever the first line that has one of them has
 * most of, or the one of a line `sep=;`. Lines of blanks and separators are passed over.
 */
export function readCsv(written: string): Table {
  const whole = written.startsWith('\ufeff') ? written.slice(1) : written;
  const said = separatorLine.exec(whole);
  const text = said ? whole.slice(said[0].length) : whole;
  const separator = said?.[1] ?? separatorOf(text);
  const rows: TableRow[] = [];
  let cells: string[] = [];
  let line = said ? 2 : 1;
  let began = line;
  let at = 0;
  const endRow = () => {
    if (!cells.every(isBlank)) rows.push({ line: began, cells });
    cells = [];
    began = line;
  };
  while (at < text.length || cells.length > 0) {
    let cell: string;
    if (text[at] === '"') {
      const opened = line;
      const read = quotedCell(text, at + 1);
      if (!read) return refusedTable(opened, listErrors.say('quote_not_closed'));
      cell = read.cell;
      line += count(cell, '\n');
      at = read.end;
      if (at < text.length && ![separator, '\r', '\n'].includes(text[at]!))
        return refusedTable(line, listErrors.say('behind_quote'));
    } else {
      let end = at;
      while (end < text.length && text[end] !== separator && text[end] !== '\r' && text[end] !== '\n') end++;
      cell = text.slice(at, end);
      at = end;
    }
    cells.push(cell);
    if (text[at] === separator) {
      at++;
      if (at === text.length) cells.push('');
      else continue;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    if (at < text.length) {
      at++;
      line++;
    }
    if (cells.length > importColumnsMax && withoutEnd(cells).length > importColumnsMax) return tooManyColumns(began);
    endRow();
    if (rows.length > importRowsMax + 1) return tooManyRows(line);
  }
  return tableOf(rows);
}

function separatorOf(text: string): string {
  const first = text.search(/[,;\t]/);
  const begins = Math.max(text.lastIndexOf('\n', first), text.lastIndexOf('\r', first)) + 1;
  const line = first < 0 ? '' : text.slice(begins).split(/[\r\n]/, 1)[0]!;
  return [',', ';', '\t'].reduce((best, one) => (count(line, one) > count(line, best) ? one : best));
}

function quotedCell(text: string, from: number): { cell: string; end: number } | null {
  let cell = '';
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    at = quote + 2;
  }
}

const count = (text: string, one: string): number => text.split(one).length - 1;
