import { atMostCharacters, attendanceLimits as bounds } from '../../platform/attendance.ts';
import type { SiteData } from '../../store/index.ts';
import { dateIn } from './date-in.ts';
import type { Table, TableRow } from './table.ts';

export interface ImportProblem {
  readonly line: number;
  /** As the header of the file names it; empty where the whole row is meant. */
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

export type ListKind = 'departments' | 'employees';

interface Imported<Item> {
  readonly items: readonly { readonly line: number; readonly item: Item }[];
  /** Rows that cannot be imported. */
  readonly problems: readonly ImportProblem[];
  /** What may be a mistake, and is imported all the same. */
  readonly warnings: readonly ImportProblem[];
  /** Every ext_id of the file, of wrong rows too. */
  readonly extIds: ReadonlySet<string>;
}

interface Field {
  /** The English name first, and the Chinese one of the templates last. */
  readonly names: readonly string[];
  readonly needed: boolean;
  readonly max: number;
  readonly kind?: 'date' | 'digits' | 'mobile';
}

type DepartmentItem = NonNullable<SiteData['departments']>[number];
type EmployeeItem = NonNullable<SiteData['employees']>[number];
export type ImportedList = Imported<DepartmentItem | EmployeeItem>;

const departmentFields = {
  ext_id: {
    names: ['ext_id', 'department_ext_id', '编号', '部门编号'],
    needed: true,
    max: bounds.extIdCharactersMax,
    kind: 'digits',
  },
  name: { names: ['name', '名称', '部门名称'], needed: true, max: bounds.nameCharactersMax },
  p_ext_id: { names: ['p_ext_id', '上级部门', '上级部门编号'], needed: false, max: bounds.extIdCharactersMax },
} satisfies Record<string, Field>;

const employeeFields = {
  ext_id: {
    names: ['ext_id', 'employee_ext_id', '外部编号', '人员编号'],
    needed: true,
    max: bounds.extIdCharactersMax,
    kind: 'digits',
  },
  name: { names: ['name', '姓名'], needed: true, max: bounds.nameCharactersMax },
  department_ext_id: { names: ['department_ext_id', '部门', '部门编号'], needed: true, max: bounds.extIdCharactersMax },
  employee_num: {
    names: ['employee_num', '工号'],
    needed: false,
    max: bounds.employeeNumCharactersMax,
    kind: 'digits',
  },
  mobile: { names: ['mobile', '手机', '手机号'], needed: false, max: bounds.mobileCharactersMax, kind: 'mobile' },
  title: { names: ['title', '职位', '职务'], needed: false, max: bounds.titleCharactersMax },
  from: { names: ['from', '入职日期'], needed: false, max: 40, kind: 'date' },
  to: { names: ['to', '最后工作日'], needed: false, max: 40, kind: 'date' },
} satisfies Record<string, Field>;

/** The columns of a list in the order of its template, with the two names that they go by. */
export const columnsOfList = (kind: ListKind): readonly { en: string; zh: string }[] =>
  Object.values<Field>(kind === 'departments' ? departmentFields : employeeFields).map(({ names }) => ({
    en: names[0]!,
    zh: names.at(-1)!,
  }));

/**
 * Columns have English or Chinese names and any order. Reports every wrong row, not only the first.
 */
export function readDepartments(table: Table): Imported<DepartmentItem> {
  return read(table, departmentFields, ({ ext_id, name, p_ext_id }) => ({
    ext_id,
    name,
    ...(p_ext_id === '' ? {} : { p_ext_id }),
  }));
}

export function readEmployees(table: Table): Imported<EmployeeItem> {
  return read(table, employeeFields, ({ ext_id, name, mobile, employee_num, department_ext_id, title, from, to }) => ({
    ext_id,
    name,
    ...(from === '' ? {} : { from: dateIn(from)! }),
    ...(to === '' ? {} : { to: dateIn(to)! }),
    ...(mobile === '' ? {} : { mobile }),
    ...(employee_num === '' ? {} : { employee_num }),
    department: { ext_id: department_ext_id, ...(title === '' ? {} : { title }) },
  }));
}

function read<Name extends string, Item>(
  table: Table,
  fields: Readonly<Record<Name, Field>>,
  make: (values: Record<Name, string>) => Item,
): Imported<Item> {
  if (!table.ok)
    return {
      items: [],
      problems: [{ line: table.line, column: '', value: '', reason: table.reason }],
      warnings: [],
      extIds: new Set(),
    };
  const names = Object.keys(fields) as Name[];
  const { header, rows } = table;
  const places = new Map<Name, number>();
  const problems: ImportProblem[] = [];
  for (const [place, written] of header.cells.entries()) {
    const name = names.find(one => fields[one].names.includes(written.trim().toLowerCase()) && !places.has(one));
    if (name === undefined)
      problems.push({
        line: header.line,
        column: written,
        value: '',
        reason: `unknown column: the columns are ${names.map(one => fields[one].names.slice(0, 1).concat(fields[one].names.at(-1)!).join(' or ')).join(', ')}`,
      });
    else places.set(name, place);
  }
  for (const name of names)
    if (fields[name].needed && !places.has(name))
      problems.push({
        line: header.line,
        column: name,
        value: '',
        reason: 'this column is missing: add it, or begin with the template',
      });
  if (problems.length > 0) return { items: [], problems, warnings: [], extIds: new Set() };

  const items: { line: number; item: Item }[] = [];
  const seen = new Map<string, number>();
  const columnOf = (name: Name) => header.cells[places.get(name)!] ?? name;
  for (const row of rows) {
    const found = problemsOf(row);
    problems.push(...found);
    if (found.length > 0) continue;
    const values = Object.fromEntries(names.map(name => [name, cellOf(row, places.get(name))])) as Record<Name, string>;
    items.push({ line: row.line, item: make(values) });
  }
  return { items, problems, warnings: [...lostZeros()], extIds: new Set(seen.keys()) };

  /** One for each column of digits that the sheet holds as numbers. */
  function* lostZeros(): Generator<ImportProblem> {
    for (const [name, place] of places) {
      if ((fields[name] as Field).kind !== 'digits') continue;
      const held = rows.filter(({ numbers }) => numbers?.includes(place));
      const first = held[0];
      if (first)
        yield {
          line: first.line,
          column: columnOf(name),
          value: first.cells[place] ?? '',
          reason: `${held.length} cells of this column are numbers, which have no leading zeros: if yours have, format the column as text and write them again`,
        };
    }
  }

  function problemsOf(row: TableRow): ImportProblem[] {
    if (row.cells.length !== header.cells.length)
      return [
        {
          line: row.line,
          column: '',
          value: '',
          reason: `${row.cells.length} cells, but the header has ${header.cells.length}: is a comma missing, or a quote?`,
        },
      ];
    const wrong: ImportProblem[] = [];
    for (const [name, place] of places) {
      const value = cellOf(row, place);
      const say = (reason: string) => wrong.push({ line: row.line, column: columnOf(name), value, reason });
      const wrongly = valueProblem(fields[name], value);
      if (wrongly !== null) say(wrongly);
    }
    const extId = cellOf(row, places.get('ext_id' as Name));
    const first = seen.get(extId);
    if (first !== undefined && extId !== '')
      wrong.push({
        line: row.line,
        column: columnOf('ext_id' as Name),
        value: extId,
        reason: `stands in line ${first} already: keep one of the two`,
      });
    else seen.set(extId, row.line);
    return wrong;
  }
}

const formulaError = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/;

/** What is wrong with one value and what to do about it; null: nothing. */
function valueProblem({ needed, max, kind }: Field, value: string): string | null {
  if (value === '') return needed ? 'is empty: fill it in' : null;
  if (formulaError.test(value)) return 'a formula has no value here: write the value itself';
  if (!atMostCharacters(value, max)) return `at most ${max} characters: shorten it`;
  if (kind === 'date' && dateIn(value) === null) return 'no date: write it as 2026-11-20';
  if (kind === 'mobile' && value.includes('*'))
    return 'the number is masked: write the whole number, or leave the cell empty';
  return null;
}

/** Without what our own exports put in front, so that a file that was exported can be imported. */
function cellOf(row: TableRow, place: number | undefined): string {
  if (place === undefined) return '';
  return (row.cells[place] ?? '').trim().replace(/^'(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/, '');
}
