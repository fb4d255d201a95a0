import type { ImportedItem, ImportedList, ImportProblem, ListedEmployee } from '../attendance/index.ts';
import type { SiteData } from '../store/index.ts';
import { listErrors } from '../words/lists.ts';
import { DepartmentNames } from './department-names.ts';

type Employee = NonNullable<SiteData['employees']>[number];

/** A list with the departments that are made for it. */
export interface ListWithDepartments extends ImportedList {
  readonly departments?: readonly (ImportedItem & { readonly path: string })[];
}

/** External ids by number; null: several people have it. */
export function idsByNumber(employees: readonly Employee[]): Map<string, string | null> {
  const numbers = new Map<string, string | null>();
  for (const { employee_num: number = '', ext_id } of employees)
    if (number !== '') numbers.set(number, numbers.has(number) ? null : ext_id);
  return numbers;
}

const withoutZeros = (number: string): string => number.replace(/^0+(?=\d)/, '');

/**
 * A list of people with ids, where the file has numbers, and departments by id, where it has names.
 * Somebody new without an id has the number as the id.
 */
export function resolvedPeople(
  list: ImportedList,
  { departments = [], employees = [] }: SiteData,
): ListWithDepartments {
  const names = new DepartmentNames(departments);
  const people = new Map(employees.map(one => [one.ext_id, one]));
  const numbers = idsByNumber(employees);
  const shortNumbers = idsByNumber(
    employees.map(one => ({ ...one, employee_num: withoutZeros(one.employee_num ?? '') })),
  );
  const problems: ImportProblem[] = [];
  const warnings: ImportProblem[] = [];
  const lines = new Map<string, number>();
  const madeAt: number[] = [];
  const hasTitles = list.columns?.some(({ field }) => field === 'title') ?? true;
  const titleOf = (field: string) => list.columns?.find(one => one.field === field)?.title || field;
  const items = list.items.flatMap(one => {
    const listed = one.item as ListedEmployee;
    const wrong = (field: string, value: string, why: ReturnType<typeof listErrors.say>) => {
      problems.push({ line: one.line, column: titleOf(field), value, ...why });
      return [];
    };
    const number = listed.employee_num ?? '';
    const found = listed.ext_id ?? idOf(number);
    if (found === null) return wrong('employee_num', number, listErrors.say('several_have_number'));
    const known = people.get(found);
    const knownNumber = known?.employee_num ?? '';
    const isById = listed.ext_id === undefined && found === number && knownNumber !== '' && knownNumber !== number;
    if (known && isById)
      return wrong('employee_num', number, listErrors.say('number_is_an_id', { who: known.name, number: knownNumber }));
    const first = lines.get(found);
    if (first !== undefined) return wrong('employee_num', number, listErrors.say('row_twice', { line: first }));
    lines.set(found, one.line);
    const { called = '', ext_id: departmentId = '' } = listed.department;
    const title = hasTitles ? listed.department.title : known?.department.title;
    const department = placeOf(called, departmentId, known);
    if (!department.ok) return wrong('department', called, department.why);
    while (madeAt.length < names.madeCount) madeAt.push(one.line);
    const isShort = listed.ext_id === undefined && knownNumber !== number && known !== undefined && knownNumber !== '';
    if (isShort)
      warnings.push({
        ...{ line: one.line, column: titleOf('employee_num'), value: number },
        ...listErrors.say('zeros_missing', { before: knownNumber }),
      });
    const item = {
      ...listed,
      ext_id: found,
      ...(isShort && { employee_num: knownNumber }),
      department: { ext_id: department.extId, ...(title === undefined ? {} : { title }) },
    };
    return [{ ...one, item }];
  });
  return {
    ...list,
    items,
    problems: [...list.problems, ...problems],
    warnings: [...list.warnings, ...warnings],
    departments: names.made.map(({ item, path }, at) => ({ line: madeAt[at]!, item, path })),
  };

  /** The id of a number, whose leading zeros a sheet may have taken; null if several have it. */
  function idOf(number: string): string | null {
    const exact = numbers.get(number);
    if (exact !== undefined || people.has(number)) return exact === undefined ? number : exact;
    return shortNumbers.get(withoutZeros(number)) ?? number;
  }

  function placeOf(called: string, extId: string, known: Employee | undefined) {
    if (called === '' && extId === '') return { ok: true as const, extId: known?.department.ext_id ?? names.topId };
    // An id alone is one that the box knows, or wrong.
    return called === '' ? { ok: true as const, extId } : names.find(called, extId);
  }
}
