import { byteOrderMark, csvLine, harmless, rawCsvLine, textCell } from '../../runtime/csv.ts';
import { wallTime } from '../../runtime/wall-time.ts';
import type { ReportRow } from '../../store/index.ts';
import type { Column } from './columns.ts';

const chunkCharacters = 64 << 10;

/**
 * A report as CSV, in pieces of about 64 KiB: byte order mark, header, CRLF, no formula, numbers of
 * people as text.
 */
export async function* csvReport(
  rows: AsyncIterable<ReportRow>,
  { columns, timeZone }: { readonly columns: readonly Column[]; readonly timeZone: string },
): AsyncGenerator<string> {
  const times = wallTime(timeZone);
  let chunk = byteOrderMark + csvLine(columns.map(column => column.header));
  for await (const row of rows) {
    const cells = columns.map(column => {
      const cell = column.cell(row);
      if (cell === null) return '';
      return 'moment' in cell ? times.text(cell.moment) : textCell(harmless(cell.text));
    });
    chunk += rawCsvLine(cells);
    if (chunk.length < chunkCharacters) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
