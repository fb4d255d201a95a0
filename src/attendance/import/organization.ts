import { atMostCharacters, attendanceLimits as bounds } from '../../platform/attendance.ts';
import type { SiteData } from '../../store/index.ts';
import type { CsvRow, CsvTable } from './read-csv.ts';

export interface ImportProblem {
  readonly line: number;
  /** As the header of the file names it; empty where the whole row is meant. */
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

interface Imported<Item> {
  readonly items: readonly { readonly line: number; readonly item: Item }[];
  readonly problems: readonly ImportProblem[];
  /** Every ext_id of the file, of wrong rows too. */
  readonly extIds: ReadonlySet<string>;
}

interface Field {
  readonly names: readonly string[];
  readonly needed: boolean;
  readonly max: number;
}

type DepartmentItem = NonNullable<SiteData['departments']>[number];
type EmployeeItem = NonNullable<SiteData['employees']>[number];

const departmentFields = {
  ext_id: { names: ['ext_id', 'department_ext_id', '部门编号', '编号'], needed: true, max: bounds.extIdCharactersMax },
  name: { names: ['name', '部门名称', '名称'], needed: true, max: bounds.nameCharactersMax },
  p_ext_id: { names: ['p_ext_id', '上级部门编号', '上级部门'], needed: false, max: bounds.extIdCharactersMax },
} satisfies Record<string, Field>;

const employeeFields = {
  ext_id: {
    names: ['ext_id', 'employee_ext_id', '人员编号', '外部编号'],
    needed: true,
    max: bounds.extIdCharactersMax,
  },
  name: { names: ['name', '姓名'], needed: true, max: bounds.nameCharactersMax },
  mobile: { names: ['mobile', '手机号', '手机'], needed: false, max: bounds.mobileCharactersMax },
  employee_num: { names: ['employee_num', '工号'], needed: false, max: bounds.employeeNumCharactersMax },
  department_ext_id: { names: ['department_ext_id', '部门编号', '部门'], needed: true, max: bounds.extIdCharactersMax },
  title: { names: ['title', '职务', '职位'], needed: false, max: bounds.titleCharactersMax },
} satisfies Record<string, Field>;

/**
 * Columns have English or Chinese names and any order. Reports every wrong row, not only the first.
 */
export function readDepartments(table: CsvTable): Imported<DepartmentItem> {
  return read(table, departmentFields, ({ ext_id, name, p_ext_id }) => ({
    ext_id,
    name,
    ...(p_ext_id === '' ? {} : { p_ext_id }),
  }));
}

export function readEmployees(table: CsvTable): Imported<EmployeeItem> {
  return read(table, employeeFields, ({ ext_id, name, mobile, employee_num, department_ext_id, title }) => ({
    ext_id,
    name,
    ...(mobile === '' ? {} : { mobile }),
    ...(employee_num === '' ? {} : { employee_num }),
    department: { ext_id: department_ext_id, ...(title === '' ? {} : { title }) },
  }));
}

function read<Name extends string, Item>(
  table: CsvTable,
  fields: Readonly<Record<Name, Field>>,
  make: (values: Record<Name, string>) => Item,
): Imported<Item> {
  if (!table.ok)
    return {
      items: [],
      problems: [{ line: table.line, column: '', value: '', reason: table.reason }],
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
      problems.push({ line: header.line, column: name, value: '', reason: 'this column is missing' });
  if (problems.length > 0) return { items: [], problems, extIds: new Set() };

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
  return { items, problems, extIds: new Set(seen.keys()) };

  function problemsOf(row: CsvRow): ImportProblem[] {
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
      if (fields[name].needed && value === '') say('is empty');
      else if (!atMostCharacters(value, fields[name].max)) say(`at most ${fields[name].max} characters`);
    }
    const extId = cellOf(row, places.get('ext_id' as Name));
    const first = seen.get(extId);
    if (first !== undefined && extId !== '')
      wrong.push({
        line: row.line,
        column: columnOf('ext_id' as Name),
        value: extId,
        reason: `stands in line ${first} already`,
      });
    else seen.set(extId, row.line);
    return wrong;
  }
}

/** Without what our own exports put in front, so that a file that was exported can be imported. */
function cellOf(row: CsvRow, place: number | undefined): string {
  if (place === undefined) return '';
  return (row.cells[place] ?? '').trim().replace(/^'(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/, '');
}
