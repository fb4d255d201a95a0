import { readList } from '../../src/attendance/import/read-list.ts';
import { workbookText } from '../../src/attendance/import/workbook-text.ts';
import type { ImportChoices, ListKind } from '../../src/attendance/index.ts';

/** The lines of a workbook, without the program that reads it for a box and takes long to start. */
async function* readHere(archive: Buffer, sheet: string | null): AsyncGenerator<Buffer, void> {
  for await (const lines of workbookText(archive, sheet)) yield Buffer.from(lines);
}

/** Reads a list as an import does, in this process alone. */
export const listRead = (kind: ListKind, bytes: Uint8Array, choices: ImportChoices = {}) =>
  readList(kind, bytes, choices, readHere);
