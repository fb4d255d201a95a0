import {
  type FileReading,
  type ImportChoices,
  type ImportedItem,
  type ImportProblem,
  type ListKind,
  readListInThread,
} from '../attendance/index.ts';
import type { SiteFile, SiteProblem } from '../config/index.ts';
import type { SiteChange } from '../store/index.ts';
import { listErrors } from '../words/lists.ts';
import { type ListWithDepartments, resolvedPeople } from './import-people.ts';
import type { BoxAdmin } from './port.ts';

interface ImportOutcome {
  /** Rows of the file that could be read. */
  readonly rows: number;
  /** Of them, those that nothing is wrong with. */
  readonly fine: number;
  /** By line. With any of them nothing was done. */
  readonly problems: readonly ImportProblem[];
  /** Possible mistakes, which do not prevent the import. */
  readonly warnings: readonly ImportProblem[];
  /** Changes made, or to be made with `dryRun`; with problems, those of the other rows. */
  readonly changes: readonly SiteChange[];
  /** Departments made for people, or to be made, by path. */
  readonly departments: readonly string[];
  /** How the file was read. */
  readonly file: FileReading;
  /** The rows that nothing is wrong with. */
  readonly items: readonly ImportedItem[];
}

/** How often the rest is looked at again, where rows are refused. */
const looksMax = 5;

/**
 * Imports departments or employees from a CSV or XLSX file: all of it or nothing. The cloud must
 * not be their authority.
 */
export async function importOrganization(
  admin: Pick<BoxAdmin, 'apply' | 'site'>,
  what: 'departments' | 'employees',
  bytes: Uint8Array,
  dryRun: boolean,
  choices: ImportChoices = {},
): Promise<ImportOutcome> {
  const read = await readListInThread(what, bytes, choices);
  const list = what === 'employees' ? resolvedPeople(read, await admin.site({ withSecrets: false })) : read;
  return importList(admin, what, list, dryRun);
}

/** The same with a file that was read. An encoding that is a guess is good for a dry run alone. */
export async function importList(
  admin: Pick<BoxAdmin, 'apply'>,
  what: ListKind,
  read: ListWithDepartments,
  dryRun: boolean,
): Promise<ImportOutcome> {
  const problems = [...read.problems, ...(dryRun ? [] : guessed(read.file))];
  let items = read.items;
  let changes: readonly SiteChange[] = [];
  // A fault of one row must not hide those of another: refused rows are left out, and the rest is
  // checked again.
  for (let look = 0; look < looksMax; look++) {
    const bySection = Map.groupBy<string, ImportedItem>(items, ({ section }) => section ?? what);
    if (read.departments?.length) bySection.set('departments', [...read.departments]);
    const site = Object.fromEntries(
      [...bySection].map(([section, of]) => [section, of.map(({ item }) => item)]),
    ) as SiteFile;
    const wrong = problems.length > 0;
    const outcome = await admin.apply({ site, prune: false, dryRun: dryRun || wrong });
    if (outcome.ok) {
      changes = outcome.changes;
      break;
    }
    const against = outcome.problems.map(problem => inFile(problem, bySection));
    // Entries of a wrong row are not reported as missing, too.
    problems.push(...against.filter(({ value }) => !(wrong && read.extIds.has(value))));
    const refused = new Set(against.map(({ line }) => line));
    const rest = items.filter(({ line }) => !refused.has(line));
    if (rest.length === items.length) break;
    items = rest;
  }
  return {
    rows: read.items.length,
    fine: items.length,
    problems: problems.toSorted((one, other) => one.line - other.line),
    warnings: read.warnings,
    file: read.file,
    changes,
    departments: read.departments?.map(({ path }) => path) ?? [],
    items,
  };
}

function guessed({ encoding }: FileReading): ImportProblem[] {
  if (!encoding || encoding.isCertain) return [];
  const value = encoding.samples.join(', ');
  return [{ line: 1, column: '', value, ...listErrors.say('encoding_is_guess', { encoding: encoding.name }) }];
}

/** Objection of the box to an item, at its line of the file. */
function inFile({ path, ...why }: SiteProblem, bySection: ReadonlyMap<string, readonly ImportedItem[]>): ImportProblem {
  const [section, index, ...rest] = path;
  const found = bySection.get(String(section))?.[Number(index)];
  const value = rest.reduce<unknown>(
    (inner, step) => (inner as Record<string, unknown> | undefined)?.[step],
    found?.item,
  );
  return {
    line: found?.line ?? 1,
    column: found?.cell ?? columnOf(rest),
    value: typeof value === 'string' ? value : '',
    ...why,
  };
}

/** Paths of the site file that a list has as a column of another name. */
const columnNames: Readonly<Record<string, string>> = {
  who_person: 'person',
  who_department: 'department',
  what_shift: 'shift',
  week: 'shift',
  cycle: 'shift',
  times: 'start',
};

/** `department` and `ext_id` of the site file are the column department_ext_id. */
function columnOf(path: SiteProblem['path']): string {
  const name = path.filter(step => typeof step === 'string').join('_');
  return columnNames[name] ?? name;
}
