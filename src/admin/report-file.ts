import { z } from '@hono/zod-openapi';
import { recordsFile, reportLanguage } from '../attendance/index.ts';
import { csvSeparators, separatorIn } from '../runtime/csv.ts';
import type { ReportRow } from '../store/index.ts';
import { described } from '../words/described.ts';
import type { BoxAdmin, RowFilter } from './port.ts';

export const reportTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** The character between the cells of a CSV file. */
export const separatorChoice = z
  .enum(['comma', 'semicolon', 'tab'])
  .optional()
  .describe(
    described(
      'Of CSV; else the one that spreadsheets expect in the language of the site',
      'CSV 的分隔符；缺省为站点语言的表格软件所用的分隔符',
    ),
  );
export type SeparatorChoice = z.output<typeof separatorChoice>;
export const separatorOf = (choice: SeparatorChoice, locale: string) =>
  choice === undefined ? separatorIn(locale) : csvSeparators[choice];

interface ReportFile {
  /** Made as they are read. */
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** How many rows were written so far. */
  rows(): number;
}

/**
 * A report for people, the same from a command and from a page: columns and clock of the site, rows
 * as they come out of the store.
 */
export function reportFile(
  admin: Pick<BoxAdmin, 'rows'>,
  {
    what,
    format,
    filter,
    locale,
    timeZone,
    separator,
  }: {
    readonly what: 'checkins' | 'access';
    readonly format: keyof typeof reportTypes;
    readonly filter: RowFilter;
    readonly locale: string;
    readonly timeZone: string;
    readonly separator?: SeparatorChoice;
  },
): ReportFile {
  let count = 0;
  async function* pages() {
    for await (const row of admin.rows(what === 'checkins' ? 'checkin-report' : 'access-report', filter)) {
      count++;
      // `recordPages` made it; `rows` types what any export has in common.
      yield [row as unknown as ReportRow];
    }
  }
  const chunks = recordsFile(pages(), {
    ...{ what, timeZone, language: reportLanguage(locale) },
    separator: format === 'csv' ? separatorOf(separator, locale) : null,
  });
  return { chunks, rows: () => count };
}
