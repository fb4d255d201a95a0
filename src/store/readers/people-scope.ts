import { and, sql as expression, inArray, not, or, type SQL } from 'drizzle-orm';
import type { PeopleScope } from '../port/people.ts';
import { employee, employment } from '../schema/index.ts';
import type { Params } from '../schema/query.ts';
import { departmentsBelow, orEmpty } from './columns.ts';
import { pinyinText } from './search-text.ts';

/** The filters of a scope: each combination is a query of its own. */
export type Filters = {
  readonly byDepartment: boolean;
  readonly byText: boolean;
  readonly byPinyin: boolean;
  readonly byMobile: boolean;
  readonly employed: 'now' | 'no more' | '';
};

export interface ScopeValues {
  readonly departmentExtId: string;
  readonly text: string;
  /** With the blank that parts the keys. */
  readonly pinyin: string;
  /** JSON of the ids of people whose mobile number has the text. */
  readonly mobiles: string;
  readonly today: string;
}

export const filtersOf = ({ departmentExtId, text, employed }: PeopleScope): Filters => ({
  byDepartment: departmentExtId !== undefined,
  byText: text !== undefined && text !== '',
  byPinyin: pinyinText(text ?? '') !== '',
  byMobile: false,
  employed: employed?.which ?? '',
});

export const scopeValues = ({ departmentExtId, text, employed }: PeopleScope): ScopeValues => ({
  departmentExtId: departmentExtId ?? '',
  text: text?.toLowerCase() ?? '',
  pinyin: ` ${pinyinText(text ?? '')}`,
  mobiles: '[]',
  today: employed?.today ?? '',
});

export function inScope(
  { byDepartment, byText, byPinyin, byMobile, employed }: Filters,
  value: Params<ScopeValues>,
): SQL | undefined {
  const contains = (column: SQL) => expression`instr(lower(${column}), ${value.text}) > 0`;
  const hasLeft = expression`EXISTS (SELECT 1 FROM ${employment}
    WHERE ${employment.extId} = ${employee.extId} AND ${employment.toDate} < ${value.today})`;
  return and(
    employed === '' ? undefined : employed === 'now' ? not(hasLeft) : hasLeft,
    byDepartment ? inArray(employee.departmentId, departmentsBelow(value.departmentExtId)) : undefined,
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
