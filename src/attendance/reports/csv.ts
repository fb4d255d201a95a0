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
  pages: AsyncIterable<readonly ReportRow[]>,
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
  for await (const rows of pages)
    for (const row of rows) {
      let line = '';
      for (const { cell } of columns) {
        const found = cell(row);
        if (found === '') line += separator;
        else if (typeof found === 'string') line += cellOf(found) + separator;
        else line += (typeof found === 'number' ? times.text(found) : found.day) + separator;
      }
      chunk += `${line.slice(0, -1)}\r\n`;
      if (chunk.length < chunkCharacters) continue;
      yield chunk;
      chunk = '';
    }
  yield chunk;
}
