import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BoxAdmin, importOrganization } from '../admin/index.ts';
import type { BoxClient } from '../admin-client/index.ts';
import {
  columnChoiceIn,
  columnChoicePattern,
  type FileReading,
  type ImportProblem,
  importBytesMax,
} from '../attendance/index.ts';
import type { CsvEncoding } from '../platform/csv-encodings.ts';
import { appliedAt } from './apply.ts';
import { type Call, CommandFailed, flag, RowsRefused, type Run, textOption } from './command.ts';
import { configInForce } from './config-of.ts';
import { findBox } from './find-box.ts';
import { onOneLine } from './printable.ts';

/**
 * `import departments|employees FILE [--dry-run]`: imports the whole file, or nothing and reports
 * every wrong row.
 */
export const importRows: Run = async call => {
  const [what, file] = call.arguments as ['departments' | 'employees', string];
  const dryRun = flag(call, 'dry-run');
  const columns = textOption(call, 'columns');
  if (columns !== undefined && !columnChoicePattern.test(columns))
    throw new CommandFailed('--columns: write fields and columns, such as employee_num=1,name=3');
  const bytes = readImport(call, file);
  await using box = await findBox(call);
  if ((await box.get('/attendance')).authority === 'cloud')
    throw new CommandFailed(
      'the organization is the cloud’s (upstream.attendance): import it there, and the box fetches it',
    );
  const {
    rows,
    problems,
    warnings,
    changes: all,
    departments,
    file: read,
  } = await importOrganization(organizationOf(box), what, bytes, dryRun, {
    columns: columns === undefined ? undefined : columnChoiceIn(columns),
    encoding: textOption(call, 'encoding') as CsvEncoding | undefined,
    sheet: textOption(call, 'sheet'),
    locale: configInForce(call).locale,
  });
  refuse(file, problems);
  const changes = all.filter(({ section }) => section === what);
  const count = (action: string) => changes.filter(change => change.action === action).length;
  const same = rows - changes.length;
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ dry_run: dryRun, rows, departments, changes })}\n`);
  for (const line of [...howRead(read), ...remarks(file, warnings)]) await call.print(`${onOneLine(line)}\n`);
  for (const path of departments) await call.print(`${onOneLine(`+ department ${path}`)}\n`);
  for (const { action, key, fields } of changes)
    await call.print(`${action === 'add' ? '+' : '~'} ${key}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}\n`);
  const verb = dryRun ? 'would be ' : '';
  await call.print(
    `${rows} rows: ${count('add')} ${verb}added, ${count('change')} ${verb}changed, ${same} as they were\n`,
  );
};

const organizationOf = (box: Pick<BoxClient, 'get' | 'post'>): Pick<BoxAdmin, 'apply' | 'site'> => ({
  apply: input => appliedAt(box, input),
  site: () => box.get('/site'),
});

/** The encoding of a file that is not UTF-8, and which of several sheets was read. */
function howRead({ encoding, sheet, sheets, columns }: FileReading): string[] {
  const unread = columns.filter(({ field }) => field === null).map(({ title }) => title);
  return [
    ...(encoding && encoding.name !== 'utf-8'
      ? [
          `encoding: ${encoding.name}${encoding.isCertain ? '' : ', a guess: if names are wrong, write --encoding'}: ${encoding.samples.join(', ')}`,
        ]
      : []),
    ...(sheets.length > 1 ? [`sheet: ${sheet}, of ${sheets.join(', ')}: another one with --sheet`] : []),
    ...(unread.length > 0 ? [`columns not read: ${unread.join(', ')}: choose others with --columns`] : []),
  ];
}

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

const remarks = (file: string, all: readonly ImportProblem[]): string[] =>
  all.map(({ line, column, value, reason }) => {
    const what = column === '' ? '' : ` ${column}${value === '' ? '' : ` ${JSON.stringify(value)}`}:`;
    return `${file}:${line}${what} ${reason}`;
  });

function refuse(file: string, problems: readonly ImportProblem[]): void {
  if (problems.length === 0) return;
  const lines = remarks(file, problems.slice(0, problemsShown));
  const more = problems.length - lines.length;
  throw new RowsRefused(
    [
      ...lines,
      ...(more > 0 ? [`and ${more} more`] : []),
      'nothing was imported: correct the file and import it again',
    ].join('\n'),
  );
}
