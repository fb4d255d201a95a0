import { decodeCsv, type ImportProblem, readCsv, readDepartments, readEmployees } from '../attendance/index.ts';
import type { SiteFile, SiteProblem } from '../config/index.ts';
import type { SiteChange } from '../store/index.ts';
import type { BoxAdmin } from './port.ts';

interface ImportOutcome {
  /** Rows of the file that could be read. */
  readonly rows: number;
  /** By line. With any of them nothing was done. */
  readonly problems: readonly ImportProblem[];
  /** What was done, or with `dryRun` would be. */
  readonly changes: readonly SiteChange[];
}

/**
 * Takes departments or employees out of a CSV file: all of it or nothing. The cloud must not be
 * their authority.
 */
export async function importOrganization(
  admin: Pick<BoxAdmin, 'apply'>,
  what: 'departments' | 'employees',
  bytes: Uint8Array,
  dryRun: boolean,
): Promise<ImportOutcome> {
  const table = readCsv(decodeCsv(bytes));
  const read = what === 'departments' ? readDepartments(table) : readEmployees(table);
  const site = { [what]: read.items.map(({ item }) => item) } as SiteFile;
  const wrong = read.problems.length > 0;
  const outcome = await admin.apply({ site, prune: false, dryRun: dryRun || wrong });
  const against = outcome.ok ? [] : outcome.problems.map(problem => inFile(problem, read.items));
  // What stands in a wrong row is not missing as well.
  const missing = against.filter(({ value }) => !(wrong && read.extIds.has(value)));
  const problems = [...read.problems, ...missing].toSorted((one, other) => one.line - other.line);
  return { rows: read.items.length, problems, changes: outcome.ok ? outcome.changes : [] };
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
