import type { Language } from '../../platform/clock-text.ts';
import type { CsvSeparator } from '../../runtime/csv.ts';
import type { ReportRow } from '../../store/index.ts';
import { columnsOf } from './columns.ts';
import { csvReport } from './csv.ts';
import { xlsxReport } from './xlsx.ts';

const titles = {
  'zh-CN': { checkins: '打卡记录', access: '门禁记录' },
  en: { checkins: 'Check-ins', access: 'Access records' },
} as const;

export interface RecordsFile {
  readonly what: 'checkins' | 'access';
  /** Of CSV; null: a workbook. */
  readonly separator: CsvSeparator | null;
  readonly language: Language;
  readonly timeZone: string;
}

/** Records for people, made as their pages are read. */
export function recordsFile(
  pages: AsyncIterable<readonly ReportRow[]>,
  { what, separator, language, timeZone }: RecordsFile,
): AsyncIterable<string | Uint8Array> {
  const columns = columnsOf(what, language);
  return separator === null
    ? xlsxReport(pages, { columns, timeZone, title: titles[language][what] })
    : csvReport(pages, { columns, timeZone, separator });
}
