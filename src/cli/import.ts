import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  csvBytesMax,
  decodeCsv,
  type ImportProblem,
  readCsv,
  readDepartments,
  readEmployees,
} from '../attendance/index.ts';
import type { SiteFile, SiteProblem } from '../config/index.ts';
import { type Call, CommandFailed, flag, RowsRefused, type Run } from './command.ts';
import { findBox } from './find-box.ts';

/** `import departments|employees FILE [--dry-run]`: all of a file or nothing of it; every row that is wrong is said. */
export const importRows: Run = async call => {
  const [what, file] = call.arguments as ['departments' | 'employees', string];
  const dryRun = flag(call, 'dry-run');
  const table = readCsv(decodeCsv(readImport(call, file)));
  const read = what === 'departments' ? readDepartments(table) : readEmployees(table);
  await using box = await findBox(call);
  if ((await box.attendance()).authority === 'cloud')
    throw new CommandFailed(
      'the organization is the cloud’s (upstream.attendance): import it there, and the box fetches it',
    );
  const site = { [what]: read.items.map(({ item }) => item) } as SiteFile;
  const wrong = read.problems.length > 0;
  const outcome = await box.apply({ site, prune: false, dryRun: dryRun || wrong });
  const against = outcome.ok ? [] : outcome.problems.map(problem => inFile(problem, read.items));
  // What stands in a wrong row is not missing as well.
  const missing = against.filter(({ value }) => !(wrong && read.extIds.has(value)));
  refuse(
    file,
    [...read.problems, ...missing].toSorted((one, other) => one.line - other.line),
  );
  const changes = outcome.ok ? outcome.changes : [];
  const count = (action: string) => changes.filter(change => change.action === action).length;
  const same = read.items.length - changes.length;
  if (flag(call, 'json'))
    return call.print(`${JSON.stringify({ dry_run: dryRun, rows: read.items.length, changes })}\n`);
  for (const { action, key, fields } of changes)
    await call.print(`${action === 'add' ? '+' : '~'} ${key}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}\n`);
  const verb = dryRun ? 'would be ' : '';
  await call.print(
    `${read.items.length} rows: ${count('add')} ${verb}added, ${count('change')} ${verb}changed, ${same} as they were\n`,
  );
};

function readImport(call: Call, file: string): Uint8Array {
  const path = file === '-' ? 0 : resolve(call.cwd, file);
  try {
    if (typeof path === 'string' && statSync(path).size > csvBytesMax)
      throw new CommandFailed(`${file}: larger than ${csvBytesMax >> 20} MiB: split it`);
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

/** What the box has against an item, at its line of the file. */
function inFile(
  { path, reason }: SiteProblem,
  items: readonly { readonly line: number; readonly item: object }[],
): ImportProblem {
  const [, index, ...rest] = path;
  const found = items[Number(index)];
  const value = rest.reduce<unknown>(
    (inner, step) => (inner as Record<string, unknown> | undefined)?.[step],
    found?.item,
  );
  return {
    line: found?.line ?? 1,
    column: rest.join('_'),
    value: typeof value === 'string' ? value : '',
    reason,
  };
}
