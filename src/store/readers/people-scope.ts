import { and, sql as expression, inArray, not, type SQL } from 'drizzle-orm';
import type { PeopleScope } from '../port/people.ts';
import { employee, employment } from '../schema/index.ts';
import type { Params } from '../schema/query.ts';
import { departmentsBelow, orEmpty } from './columns.ts';

/** The filters of a scope: each combination is a query of its own. */
export type Filters = {
  readonly byDepartment: boolean;
  readonly byText: boolean;
  readonly employed: 'now' | 'no more' | '';
};

export interface ScopeValues {
  readonly departmentExtId: string;
  readonly text: string;
  readonly today: string;
}

export const filtersOf = ({ departmentExtId, text, employed }: PeopleScope): Filters => ({
  byDepartment: departmentExtId !== undefined,
  byText: text !== undefined && text !== '',
  employed: employed?.which ?? '',
});

export const scopeValues = ({ departmentExtId, text, employed }: PeopleScope): ScopeValues => ({
  departmentExtId: departmentExtId ?? '',
  text: text?.toLowerCase() ?? '',
  today: employed?.today ?? '',
});

export function inScope({ byDepartment, byText, employed }: Filters, value: Params<ScopeValues>): SQL | undefined {
  const contains = (column: SQL) => expression`instr(lower(${column}), ${value.text}) > 0`;
  const hasLeft = expression`EXISTS (SELECT 1 FROM ${employment}
    WHERE ${employment.extId} = ${employee.extId} AND ${employment.toDate} < ${value.today})`;
  return and(
    employed === '' ? undefined : employed === 'now' ? not(hasLeft) : hasLeft,
    byDepartment ? inArray(employee.departmentId, departmentsBelow(value.departmentExtId)) : undefined,
    byText
      ? expression`(${contains(expression`${employee.name}`)} OR ${contains(expression`${employee.employeeNum}`)} OR ${contains(orEmpty(employee.extId))})`
      : undefined,
  );
}
