import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { importOrganization } from '../admin/index.ts';
import { type ImportProblem, importBytesMax } from '../attendance/index.ts';
import { type Call, CommandFailed, flag, RowsRefused, type Run } from './command.ts';
import { findBox } from './find-box.ts';

/**
 * `import departments|employees FILE [--dry-run]`: imports the whole file, or nothing and reports
 * every wrong row.
 */
export const importRows: Run = async call => {
  const [what, file] = call.arguments as ['departments' | 'employees', string];
  const dryRun = flag(call, 'dry-run');
  const bytes = readImport(call, file);
  await using box = await findBox(call);
  if ((await box.attendance.report()).authority === 'cloud')
    throw new CommandFailed(
      'the organization is the cloud’s (upstream.attendance): import it there, and the box fetches it',
    );
  const { rows, problems, changes } = await importOrganization(box, what, bytes, dryRun);
  refuse(file, problems);
  const count = (action: string) => changes.filter(change => change.action === action).length;
  const same = rows - changes.length;
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ dry_run: dryRun, rows, changes })}\n`);
  for (const { action, key, fields } of changes)
    await call.print(`${action === 'add' ? '+' : '~'} ${key}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}\n`);
  const verb = dryRun ? 'would be ' : '';
  await call.print(
    `${rows} rows: ${count('add')} ${verb}added, ${count('change')} ${verb}changed, ${same} as they were\n`,
  );
};

function readImport(call: Call, file: string): Uint8Array {
  const path = file === '-' ? 0 : resolve(call.cwd, file);
  try {
    if (typeof path === 'string' && statSync(path).size > importBytesMax)
      throw new CommandFailed(`${file}: larger than ${importBytesMax >> 20} MiB: split it`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${file}: cannot be read: ${(error as Error).message}`);
  }
}

const problemsShown = 100;

function refuse(file: string, problems: readonly ImportProblem[]): void {
  if (problems.length === 0) return;
  const lines = problems.slice(0, problemsShown).map(({ line, column, value, reason }) => {
    const what = column === '' ? '' : ` ${column}${value === '' ? '' : ` ${JSON.stringify(value)}`}:`;
    return `${file}:${line}${what} ${reason}`;
  });
  const more = problems.length - lines.length;
  throw new RowsRefused(
    [
      ...lines,
      ...(more > 0 ? [`and ${more} more`] : []),
      'nothing was imported: correct the file and import it again',
    ].join('\n'),
  );
}
