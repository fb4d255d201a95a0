import { type ImportedList, type ListKind, readDepartments, readEmployees } from './organization.ts';
import { decodeCsv, readCsv } from './read-csv.ts';
import { isOldWorkbook, isZip, readXlsx } from './read-xlsx.ts';
import type { Table } from './table.ts';

/** Reads a list of departments or people from a CSV or XLSX file. Runs in the import thread. */
export async function readList(kind: ListKind, bytes: Uint8Array): Promise<ImportedList> {
  const table = await readTable(bytes);
  return kind === 'departments' ? readDepartments(table) : readEmployees(table);
}

async function readTable(bytes: Uint8Array): Promise<Table> {
  if (isZip(bytes)) return readXlsx(bytes);
  if (isOldWorkbook(bytes))
    return { ok: false, line: 1, reason: 'an old workbook (XLS), or one with a password: save it as XLSX without one' };
  return readCsv(decodeCsv(bytes));
}
