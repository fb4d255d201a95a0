import { writeXlsxStream } from 'hucre/xlsx';
import type { Language } from '../../platform/clock-text.ts';
import { byteOrderMark, type CsvSeparator, csvLine } from '../../runtime/csv.ts';
import { columnsOfList, type ListKind } from './lists.ts';

/**
 * A file to fill in: the columns of a list with headers in one language. In the workbook the
 * cells are text, so that numbers keep their leading zeros. `month`: of rosters, with a column for
 * each day of it.
 */
export function listTemplate(
  kind: ListKind,
  format: 'csv' | 'xlsx',
  language: Language,
  { month, separator = ',' }: { readonly month?: string | undefined; readonly separator?: CsvSeparator } = {},
): string | ReadableStream<Uint8Array> {
  const headers = columnsOfList(kind, month).map(({ en, zh }) => (language === 'zh-CN' ? zh : en));
  if (format === 'csv') return byteOrderMark + csvLine(headers, separator);
  return writeXlsxStream(emptyRows(headers.length), {
    name: sheetNames[kind][language],
    columns: headers.map(header => ({ header, width: Math.max(14, header.length + 4), numFmt: '@' })),
    freezePane: { rows: 1 },
  });
}

const sheetNames: Readonly<Record<ListKind, Readonly<Record<Language, string>>>> = {
  departments: { en: 'Departments', 'zh-CN': '部门' },
  employees: { en: 'People', 'zh-CN': '人员' },
  shifts: { en: 'Shifts', 'zh-CN': '班次' },
  rosters: { en: 'Rosters', 'zh-CN': '排班' },
};

/** Rows of a template that keep typed values as text. */
const textRows = 1000;

async function* emptyRows(width: number): AsyncGenerator<string[]> {
  for (let row = 0; row < textRows; row++) yield Array<string>(width).fill('');
}
