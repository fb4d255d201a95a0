import type { Connection } from '../schema/database.ts';
import { Departments } from '../writer/organization/departments.ts';
import { Employees } from '../writer/organization/employees.ts';
import { mobileOf } from '../writer/organization/mobile.ts';
import { Employments } from '../writer/schedules/employments.ts';
import type { Section } from './section.ts';

type Item = Record<string, unknown>;

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** Every store has the root; it is exported once somebody has named it. */
const rootIsNamed = (connection: Connection): boolean => {
  const { name, ext_id } = new Departments(connection).root();
  return name !== '' || ext_id !== '0';
};

export const departments: Section = {
  name: 'departments',
  secrets: [],
  defaults: {},
  key: item => text(item.ext_id),
  read(connection) {
    const named = rootIsNamed(connection);
    const rows = connection
      .sql(
        `SELECT d.ext_id, d.name, p.ext_id AS p_ext_id, d.parent_id IS NULL AS is_root
           FROM department d LEFT JOIN department p ON p.id = d.parent_id WHERE d.ext_id IS NOT NULL ORDER BY d.id`,
      )
      .all() as Item[];
    return rows
      .filter(row => named || row.is_root !== 1)
      .map(({ ext_id, name, p_ext_id }) => ({ ext_id, name, p_ext_id }));
  },
  /** Without the unnamed root: departments under it have no parent in the file. */
  forFile: items => {
    const listed = new Set(items.map(item => item.ext_id));
    return items.map(({ p_ext_id, ...item }) => (listed.has(p_ext_id) ? { ...item, p_ext_id } : item));
  },
  write(connection, item) {
    const tree = new Departments(connection);
    const extId = text(item.ext_id);
    const isRoot = tree.root().ext_id === extId;
    const parent = isRoot || text(item.p_ext_id) === '' ? null : text(item.p_ext_id);
    // The file may name a parent before it lists it, and may invert a branch: both are right after
    // the whole file was applied.
    if (parent !== null && !tree.byExtId(parent)) tree.put(parent, parent, null);
    const own = tree.byExtId(extId);
    const above = parent === null ? undefined : tree.byExtId(parent);
    if (own && above && above.id !== own.id && tree.within(own.id).has(above.id)) tree.put(parent!, above.name, null);
    const put = tree.put(extId, text(item.name), parent);
    if (!put.ok) throw new Error(`departments ${extId}: ${put.refusal.reason}`);
  },
  remove(connection, key) {
    const row = new Departments(connection).byExtId(key);
    if (!row) return;
    if (row.parent_id === null)
      connection.sql("UPDATE department SET name = '', ext_id = '0' WHERE id = ?").run(row.id);
    else connection.sql('DELETE FROM department WHERE id = ?').run(row.id);
  },
};

export const employees: Section = {
  name: 'employees',
  secrets: [],
  defaults: {},
  key: item => text(item.ext_id),
  read: ({ sql, seal }) =>
    // Hand-written SQL, with the names of the site file.
    (
      sql(
        `SELECT e.id, e.sealed_mobile, e.ext_id, e.name, e.mobile, e.employee_num, e.title, d.ext_id AS department,
             j.from_date AS "from", j.to_date AS "to" FROM employee e
           JOIN department d ON d.id = e.department_id LEFT JOIN employment j ON j.ext_id = e.ext_id WHERE e.ext_id IS NOT NULL ORDER BY e.id`,
      ).all() as (Item & { id: number; mobile: string; sealed_mobile: Uint8Array | null })[]
    ).map(({ department, title, id, sealed_mobile: sealedMobile, ...item }) => ({
      ...item,
      mobile: mobileOf(seal, { id, mobile: item.mobile, sealedMobile }),
      department: { ext_id: department, ...(title === '' ? {} : { title }) },
    })),
  write(connection, { department, ...item }) {
    const { ext_id, title } = (department ?? {}) as Item;
    const put = new Employees(connection).put({
      extId: text(item.ext_id),
      name: text(item.name),
      mobile: text(item.mobile),
      employeeNum: text(item.employee_num),
      department: { extId: text(ext_id), title: text(title) },
    });
    if (!put.ok) throw new Error(`employees ${text(item.ext_id)}: ${put.refusal.reason}`);
    new Employments(connection).write({
      extId: text(item.ext_id),
      from: text(item.from) || null,
      to: text(item.to) || null,
    });
  },
  /**
   * Leaving a person out of a file by mistake deletes no check-ins: they come back with the person.
   */
  remove(connection, key) {
    const people = new Employees(connection);
    const row = people.byExtId(key);
    if (row) people.forget(row);
  },
};
