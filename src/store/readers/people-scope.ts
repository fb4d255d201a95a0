import { and, eq, sql as expression, inArray, not, or, type SQL } from 'drizzle-orm';
import type { PeopleScope, StoodIn } from '../port/people.ts';
import type { PersonOfReport } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { department, employee, employment } from '../schema/people.ts';
import { type Params, query } from '../schema/query.ts';
import { departmentsBelow, orEmpty, publicId } from './columns.ts';

/**
 * Form of a search text that is compared with the keys of names (search-keys.ts): `Zhang Wei` is
 * `zhangwei`. Empty if the text is no pinyin, so that only names, numbers and ids are searched.
 */
function pinyinText(text: string): string {
  const letters = text
    .toLowerCase()
    .replaceAll('\u00fc', 'v')
    .normalize('NFD')
    .replace(/[\u0300-\u036f\s'\u2019-]/g, '');
  return /^[a-z]+$/.test(letters) ? letters : '';
}

/** The filters of a scope: each combination is a query of its own. */
export type Filters = {
  readonly byDepartment: boolean;
  readonly byPlace: boolean;
  readonly byText: boolean;
  readonly byPinyin: boolean;
  readonly byMobile: boolean;
  readonly employed: 'now' | 'no more' | '';
};

export interface StoodInValues {
  /** JSON of ids of departments. */
  readonly departmentIds: string;
  readonly stoodFrom: string;
  readonly stoodTo: string;
}

export interface ScopeValues extends StoodInValues {
  readonly departmentExtId: string;
  readonly text: string;
  /** With the blank that parts the keys. */
  readonly pinyin: string;
  /** JSON of the ids of people whose mobile number has the text. */
  readonly mobiles: string;
  readonly today: string;
}

export const filtersOf = ({ departmentExtId, stoodIn, text, employed }: PeopleScope): Filters => ({
  byDepartment: departmentExtId !== undefined,
  byPlace: stoodIn !== undefined,
  byText: text !== undefined && text !== '',
  byPinyin: pinyinText(text ?? '') !== '',
  byMobile: false,
  employed: employed?.which ?? '',
});

export const stoodInValues = (stoodIn: StoodIn | undefined): StoodInValues => ({
  departmentIds: JSON.stringify(stoodIn?.departmentIds ?? []),
  stoodFrom: stoodIn?.from ?? '',
  stoodTo: stoodIn?.to ?? '',
});

export const scopeValues = ({ departmentExtId, stoodIn, text, employed }: PeopleScope): ScopeValues => ({
  departmentExtId: departmentExtId ?? '',
  ...stoodInValues(stoodIn),
  text: text?.toLowerCase() ?? '',
  pinyin: ` ${pinyinText(text ?? '')}`,
  mobiles: '[]',
  today: employed?.today ?? '',
});

export function inScope(
  { byDepartment, byPlace, byText, byPinyin, byMobile, employed }: Filters,
  value: Params<ScopeValues>,
): SQL | undefined {
  const contains = (column: SQL) => expression`instr(lower(${column}), ${value.text}) > 0`;
  const hasLeft = expression`EXISTS (SELECT 1 FROM ${employment}
    WHERE ${employment.extId} = ${employee.extId} AND ${employment.toDate} < ${value.today})`;
  return and(
    employed === '' ? undefined : employed === 'now' ? not(hasLeft) : hasLeft,
    byDepartment ? inArray(employee.departmentId, departmentsBelow(value.departmentExtId)) : undefined,
    byPlace ? stoodIn(expression, placeValues(value)) : undefined,
    byText
      ? or(
          contains(expression`${employee.name}`),
          contains(expression`${employee.employeeNum}`),
          contains(orEmpty(employee.extId)),
          byPinyin ? expression`instr(${employee.searchKeys}, ${value.pinyin}) > 0` : undefined,
          byMobile
            ? expression`${employee.id} IN (SELECT CAST(value AS INTEGER) FROM json_each(${value.mobiles}))`
            : undefined,
        )
      : undefined,
  );
}

export const placeValues = ({ departmentIds, stoodFrom, stoodTo }: Params<StoodInValues>) => ({
  departments: expression`(SELECT CAST(value AS INTEGER) FROM json_each(${departmentIds}))`,
  from: expression`${stoodFrom}`,
  to: expression`${stoodTo}`,
});

/**
 * The rows of `employee` that stood in departments on any date of a span; in SQL of drizzle, or as
 * text. Whoever never moved counts as having always stood there.
 */
export const stoodIn = <Made, Value>(
  sql: (text: TemplateStringsArray, ...values: Value[]) => Made,
  { departments, from, to }: { readonly departments: Value; readonly from: Value; readonly to: Value },
): Made => sql`((employee.department_id IN ${departments} AND (employee.department_since IS NULL
      OR employee.department_since <= ${to}
      OR NOT EXISTS (SELECT 1 FROM former_place f WHERE f.kind = 'person' AND f.subject_id = employee.id)))
    OR EXISTS (SELECT 1 FROM former_place f WHERE f.kind = 'person' AND f.subject_id = employee.id
      AND f.until >= ${from} AND f.department_id IN ${departments}
      AND NOT EXISTS (SELECT 1 FROM former_place e WHERE e.kind = 'person' AND e.subject_id = f.subject_id
        AND e.until >= ${to} AND e.until < f.until)))`;

export const nobody: PersonOfReport = {
  ...{ userId: '', extId: '', employeeNum: '' },
  ...{ name: '', department: '', stands: null },
};

/**
 * The people whom rows of a report name, again and again: each is read once, and kept in `known`.
 */
export function peopleNamed({ orm }: Pick<Connection, 'orm'>) {
  const people = query((value: Params<{ readonly ids: string }>) =>
    orm
      .select({
        id: employee.id,
        userId: publicId(employee),
        extId: orEmpty(employee.extId),
        name: employee.name,
        employeeNum: employee.employeeNum,
        department: orEmpty(department.name),
        departmentId: employee.departmentId,
      })
      .from(employee)
      .leftJoin(department, eq(department.id, employee.departmentId))
      .where(expression`${employee.id} IN (SELECT CAST(value AS INTEGER) FROM json_each(${value.ids}))`),
  );
  return (rows: readonly (number | null)[], known: Map<number, PersonOfReport> = new Map()) => {
    const unread = [...new Set(rows)].filter(id => id !== null && !known.has(id));
    if (unread.length > 0)
      for (const { id, departmentId, ...named } of people.all({ ids: JSON.stringify(unread) }))
        known.set(id, { ...named, stands: departmentId === null ? null : { id, department: departmentId } });
    return (id: number | null): PersonOfReport => (id === null ? nobody : (known.get(id) ?? nobody));
  };
}
