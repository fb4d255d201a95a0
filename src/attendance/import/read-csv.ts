import {
  importColumnsMax,
  importRowsMax,
  type Table,
  type TableRow,
  tableOf,
  tooManyColumns,
  tooManyRows,
} from './table.ts';

/** UTF-8, or GB 18030, which Excel in China writes by default. */
export function decodeCsv(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/**
 * Reads RFC 4180, with comma, semicolon or TAB, whichever the header has most of; empty lines are
 * passed over.
 */
export function readCsv(written: string): Table {
  const text = written.startsWith('\ufeff') ? written.slice(1) : written;
  const firstLine = text.slice(0, text.search(/\r|\n|$/));
  const separator = [',', ';', '\t'].reduce((best, one) =>
    count(firstLine, one) > count(firstLine, best) ? one : best,
  );
  const rows: TableRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let began = 1;
  let at = 0;
  const endRow = () => {
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: began, cells });
    cells = [];
    began = line;
  };
  while (at < text.length || cells.length > 0) {
    let cell: string;
    if (text[at] === '"') {
      const opened = line;
      const read = quotedCell(text, at + 1);
      if (!read) return { ok: false, line: opened, reason: 'a quoted cell has no end: add the closing "' };
      cell = read.cell;
      line += count(cell, '\n');
      at = read.end;
      if (at < text.length && ![separator, '\r', '\n'].includes(text[at]!))
        return { ok: false, line, reason: 'something stands behind the closing " of a cell' };
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
    if (cells.length > importColumnsMax) return tooManyColumns(began);
    endRow();
    if (rows.length > importRowsMax + 1) return tooManyRows(line);
  }
  return tableOf(rows);
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
