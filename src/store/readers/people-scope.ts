import { and, sql as expression, inArray, not, or, type SQL } from 'drizzle-orm';
import type { PeopleScope } from '../port/people.ts';
import { employee, employment, formerPlace } from '../schema/index.ts';
import type { Params } from '../schema/query.ts';
import { departmentsBelow, orEmpty } from './columns.ts';
import { pinyinText } from './search-text.ts';

/** The filters of a scope: each combination is a query of its own. */
export type Filters = {
  readonly byDepartment: boolean;
  readonly byPlace: boolean;
  readonly byText: boolean;
  readonly byPinyin: boolean;
  readonly byMobile: boolean;
  readonly employed: 'now' | 'no more' | '';
};

export interface ScopeValues {
  readonly departmentExtId: string;
  /** JSON of ids of departments. */
  readonly departmentIds: string;
  readonly stoodFrom: string;
  readonly stoodTo: string;
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

export const scopeValues = ({ departmentExtId, stoodIn, text, employed }: PeopleScope): ScopeValues => ({
  departmentExtId: departmentExtId ?? '',
  departmentIds: JSON.stringify(stoodIn?.departmentIds ?? []),
  stoodFrom: stoodIn?.from ?? '',
  stoodTo: stoodIn?.to ?? '',
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
    byPlace ? stoodIn(value) : undefined,
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

/** Whoever never moved counts as having always stood there. */
const stoodIn = (value: Params<ScopeValues>): SQL => {
  const departments = expression`(SELECT CAST(value AS INTEGER) FROM json_each(${value.departmentIds}))`;
  const moved = expression`${employee.departmentSince} > ${value.stoodTo} AND EXISTS (SELECT 1 FROM ${formerPlace}
    WHERE ${formerPlace.kind} = 'person' AND ${formerPlace.subjectId} = ${employee.id})`;
  return expression`((${employee.departmentId} IN ${departments} AND (${employee.departmentSince} IS NULL OR NOT (${moved})))
    OR ${employee.id} IN (SELECT ${formerPlace.subjectId} FROM ${formerPlace} WHERE ${formerPlace.kind} = 'person'
      AND ${formerPlace.until} >= ${value.stoodFrom} AND ${formerPlace.departmentId} IN ${departments}))`;
};
