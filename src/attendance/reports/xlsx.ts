import { wallTime } from '../../runtime/wall-time.ts';
import type { ReportRow } from '../../store/index.ts';
import type { Column } from './columns.ts';
import { longWorkbook, type WorkbookCell } from './workbook.ts';

/**
 * A report as an Excel workbook, made row by row: what is in memory does not grow with it. Numbers
 * of people are text cells, moments are dates of the site's time zone. A sheet that is full (1 048
 * 576 rows) goes on in another.
 */
export function xlsxReport(
  pages: AsyncIterable<readonly ReportRow[]>,
  {
    columns,
    timeZone,
    title,
  }: { readonly columns: readonly Column[]; readonly timeZone: string; readonly title: string },
): AsyncGenerator<Uint8Array> {
  const times = wallTime(timeZone);
  async function* cells(): AsyncGenerator<WorkbookCell[]> {
    for await (const rows of pages)
      for (const row of rows)
        yield columns.map(column => {
          const cell = column.cell(row);
          if (typeof cell === 'number') return times.cell(cell);
          return typeof cell === 'string' ? cell || null : cell.day;
        });
  }
  return longWorkbook({ name: sheetName(title), columns, rows: cells });
}

/** Excel allows 31 characters and not these. */
const sheetName = (title: string): string => [...title.replace(/[[\]:*?/\\]/g, ' ')].slice(0, 28).join('') || 'Sheet';
