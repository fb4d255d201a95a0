import type { ImportedList, ListKind } from './lists.ts';
import { readDepartments, readEmployees } from './organization.ts';
import { decodeCsv, readCsv } from './read-csv.ts';
import { isOldWorkbook, isZip, readXlsx } from './read-xlsx.ts';
import { readRosters } from './rosters.ts';
import { readShifts } from './shifts.ts';
import type { Table } from './table.ts';

/** Reads a list from a CSV or XLSX file. Runs in the import thread. `month`: see `readRosters`. */
export async function readList(kind: ListKind, bytes: Uint8Array, month: string | null): Promise<ImportedList> {
  const table = await readTable(bytes);
  switch (kind) {
    case 'departments':
      return readDepartments(table);
    case 'employees':
      return readEmployees(table);
    case 'shifts':
      return readShifts(table);
    case 'rosters':
      return readRosters(table, month);
  }
}

async function readTable(bytes: Uint8Array): Promise<Table> {
  if (isZip(bytes)) return readXlsx(bytes);
  if (isOldWorkbook(bytes))
    return { ok: false, line: 1, reason: 'an old workbook (XLS), or one with a password: save it as XLSX without one' };
  return readCsv(decodeCsv(bytes));
}
