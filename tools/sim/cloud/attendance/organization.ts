import { Refused } from './refused.ts';

export interface SimDepartment {
  readonly ext_id: string;
  readonly name: string;
  /** The root when absent. */
  readonly p_ext_id?: string | undefined;
}

export interface SimEmployee {
  readonly ext_id: string;
  readonly name: string;
  readonly mobile?: string | undefined;
  readonly employee_num?: string | undefined;
  readonly department: { readonly ext_id: string; readonly title?: string | undefined };
}

interface Department {
  readonly id: string;
  /** Empty: it has none. */
  extId: string;
  name: string;
  /** The department above; the root has none. */
  parent: Department | null;
}

export interface Employee {
  readonly id: string;
  extId: string;
  name: string;
  mobile: string;
  employeeNum: string;
  department: Department;
  title: string;
}

/** Ids that no box would use, so that a test notices when the two kinds of ids are confused. */
const firstDepartmentId = 700_001;
const firstEmployeeId = 9_000_001;

/** Departments and employees as SPEC 2.14 and 4.8 have them; both oldest first. */
export class SimOrganization {
  readonly departments: Department[] = [];
  readonly #employees = new Map<string, Employee>();
  readonly #byExtId = new Map<string, Employee>();
  #nextDepartmentId = firstDepartmentId;
  #nextEmployeeId = firstEmployeeId;

  constructor(name: string, departments: readonly SimDepartment[], employees: readonly SimEmployee[]) {
    this.departments.push({ id: String(this.#nextDepartmentId++), extId: '0', name, parent: null });
    for (const { ext_id, name: own, p_ext_id } of departments) this.putDepartment(ext_id, own, p_ext_id);
    for (const { ext_id, name: own, mobile = '', employee_num = '', department } of employees)
      this.putEmployee({ extId: ext_id, name: own, mobile, employeeNum: employee_num, department });
  }

  employees(): Employee[] {
    return [...this.#employees.values()];
  }

  employee(id: string): Employee | undefined {
    return this.#employees.get(id);
  }

  employeeByExtId(extId: string): Employee | undefined {
    return this.#byExtId.get(extId);
  }

  /** The first employee with this number. */
  employeeByNumber(number: string): Employee | undefined {
    for (const one of this.#employees.values()) if (one.employeeNum === number) return one;
    return undefined;
  }

  departmentByExtId(extId: string): Department | undefined {
    return this.departments.find(one => one.extId === extId);
  }

  get root(): Department {
    return this.departments[0]!;
  }

  nameRoot(extId: string): Department {
    this.#giveDepartment(this.root, extId);
    return this.root;
  }

  putDepartment(extId: string, name: string, parentExtId: string | undefined): Department {
    const known = this.departmentByExtId(extId);
    const parent = parentExtId ? this.departmentByExtId(parentExtId) : this.root;
    if (known === this.root) {
      if (parentExtId && parent !== this.root) throw new Refused('bad_body', 'p_ext_id: the root stands under nothing');
      known.name = name;
      return known;
    }
    if (!parent) throw new Refused('unknown_id', 'p_ext_id: no department has this external id');
    if (known) {
      for (let above: Department | null = parent; above; above = above.parent)
        if (above === known) throw new Refused('bad_body', 'p_ext_id: a department cannot stand under itself');
      Object.assign(known, { name, parent });
      return known;
    }
    const made = { id: String(this.#nextDepartmentId++), extId, name, parent };
    this.departments.push(made);
    return made;
  }

  giveDepartmentExtId(id: string, extId: string): void {
    const found = this.departments.find(one => one.id === id);
    if (!found) throw new Refused('unknown_id', 'id: no department has this id');
    this.#giveDepartment(found, extId);
  }

  #giveDepartment(department: Department, extId: string): void {
    const owner = this.departmentByExtId(extId);
    if (owner && owner !== department) throw new Refused('ext_id_in_use', 'another department has this external id');
    department.extId = extId;
  }

  /** Deletes those below it too; none of them may have employees (SPEC 4.8). */
  deleteDepartment(extId: string): void {
    const found = this.departmentByExtId(extId);
    if (!found) return;
    if (found === this.root) throw new Refused('bad_body', 'department_ext_id: the root stays');
    const gone = new Set([found]);
    for (let size = 0; size !== gone.size; ) {
      size = gone.size;
      for (const one of this.departments) if (one.parent && gone.has(one.parent)) gone.add(one);
    }
    for (const one of this.#employees.values())
      if (gone.has(one.department))
        throw new Refused('department_has_employees', 'it or a department below it still has employees');
    for (const one of gone) this.departments.splice(this.departments.indexOf(one), 1);
  }

  /** Creates or updates; what is absent stays. */
  putEmployee(change: {
    readonly extId: string;
    readonly name?: string | undefined;
    readonly mobile?: string | undefined;
    readonly employeeNum?: string | undefined;
    readonly department?: { readonly ext_id: string; readonly title?: string | undefined } | undefined;
  }): Employee {
    const { extId, department: asked } = change;
    const department = asked && this.departmentByExtId(asked.ext_id);
    if (asked && !department)
      throw new Refused('unknown_id', 'department_infos[0].ext_id: no department has this external id');
    const known = this.#byExtId.get(extId);
    if (known) {
      known.name = change.name ?? known.name;
      known.mobile = change.mobile ?? known.mobile;
      known.employeeNum = change.employeeNum ?? known.employeeNum;
      known.department = department ?? known.department;
      known.title = asked?.title ?? known.title;
      return known;
    }
    const { name, mobile, employeeNum } = change;
    const missing = Object.entries({ name, mobile, employee_num: employeeNum, department_infos: department }).find(
      ([, value]) => value === undefined,
    );
    if (missing) throw new Refused('bad_body', `${missing[0]}: is missing: this employee is new`);
    const id = String(this.#nextEmployeeId++);
    const made: Employee = {
      id,
      extId,
      name: name!,
      mobile: mobile!,
      employeeNum: employeeNum!,
      department: department!,
      title: asked?.title ?? '',
    };
    this.#employees.set(id, made);
    this.#byExtId.set(extId, made);
    return made;
  }

  giveEmployeeExtId(id: string, extId: string): void {
    const found = this.#employees.get(id);
    if (!found) throw new Refused('unknown_id', 'id: no employee has this id');
    const owner = this.#byExtId.get(extId);
    if (owner && owner !== found) throw new Refused('ext_id_in_use', 'another employee has this external id');
    this.#byExtId.delete(found.extId);
    found.extId = extId;
    this.#byExtId.set(extId, found);
  }

  /** Returns the deleted employee. */
  deleteEmployee(extId: string): Employee | undefined {
    const found = this.#byExtId.get(extId);
    if (!found) return undefined;
    this.#byExtId.delete(extId);
    this.#employees.delete(found.id);
    return found;
  }
}
