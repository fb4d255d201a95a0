import { readFileSync, writeSync } from 'node:fs';
import { DamagedWorkbook, NoSuchSheet, sheetArgument } from './sheets.ts';
import { workbookText } from './workbook-text.ts';

/**
 * The entry of the process that reads one workbook and ends (`read-xlsx.ts` says why it is one): an
 * archive on standard input, and the name of a sheet as argument, or none: the first visible one.
 * The lines of the workbook on standard output. Exit status: 4 where there is no such sheet, 3
 * where the workbook cannot be read, 1 where the memory does not suffice.
 */
const standardInput = 0;
const standardOutput = 1;

async function readWorkbook(): Promise<void> {
  const argument = process.argv.find(one => one.startsWith(sheetArgument));
  const chosen = argument && Buffer.from(argument.slice(sheetArgument.length), 'base64url').toString();
  for await (const text of workbookText(readFileSync(standardInput), chosen ?? null)) write(text);
}

/** Waits until it is read: rows do not gather here. */
function write(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(standardOutput, bytes, at);
}

readWorkbook().catch((error: unknown) => {
  process.exitCode = error instanceof NoSuchSheet ? 4 : error instanceof DamagedWorkbook ? 3 : 1;
});
