import { byteOrderMark, type CsvSeparator, cellWriter, csvLine } from '../../runtime/csv.ts';
import { wallTime } from '../../runtime/wall-time.ts';
import type { ReportRow } from '../../store/index.ts';
import type { Column } from './columns.ts';

const chunkCharacters = 64 << 10;

/**
 * A report as CSV, in pieces of about 64 KiB: byte order mark, header, CRLF, no formula; texts that
 * a spreadsheet would convert are kept as text.
 */
export async function* csvReport(
  rows: AsyncIterable<ReportRow>,
  {
    columns,
    timeZone,
    separator,
  }: { readonly columns: readonly Column[]; readonly timeZone: string; readonly separator: CsvSeparator },
): AsyncGenerator<string> {
  const times = wallTime(timeZone);
  const cellOf = cellWriter();
  let chunk =
    byteOrderMark +
    csvLine(
      columns.map(column => column.header),
      separator,
    );
  for await (const row of rows) {
    const cells = columns.map(column => {
      const cell = column.cell(row);
      if (cell === null) return '';
      if ('moment' in cell) return times.text(cell.moment);
      return 'day' in cell ? cell.day : cellOf(cell.text);
    });
    chunk += `${cells.join(separator)}\r\n`;
    if (chunk.length < chunkCharacters) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
