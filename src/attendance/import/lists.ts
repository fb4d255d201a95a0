import type { SiteData } from '../../store/index.ts';
import type { Field } from './field.ts';
import { monthGridColumns } from './month-grid.ts';
import { departmentFields, employeeFields, type ListedEmployee } from './organization.ts';
import type { Imported } from './read-fields.ts';
import { rosterFields } from './rosters.ts';
import { shiftFields } from './shifts.ts';
import { columnName, type FileReading } from './table.ts';

/** The lists that can be imported. `rosters` are entries of schedules and of the calendar. */
export type ListKind = 'departments' | 'employees' | 'shifts' | 'rosters';

type ItemOf<Section extends keyof SiteData> = NonNullable<SiteData[Section]>[number];
export type ListItem =
  | ItemOf<'departments'>
  | ListedEmployee
  | ItemOf<'shifts'>
  | ItemOf<'schedules'>
  | ItemOf<'calendar'>;
export type ImportedList = Imported<ListItem> & { readonly file: FileReading };

const fieldsOf: Readonly<Record<ListKind, Readonly<Record<string, Field>>>> = {
  departments: departmentFields,
  employees: employeeFields,
  shifts: shiftFields,
  rosters: rosterFields,
};

/** Names that the columns of a list may have, as `columnName` writes them, and guesses. */
export const columnsKnown = (kind: ListKind): ReadonlySet<string> =>
  new Set(Object.values(fieldsOf[kind]).flatMap(({ names, guesses = [] }) => [...names.map(columnName), ...guesses]));

/**
 * The columns of a list in the order of its template, with the two names that they go by. `month`:
 * those of the rosters of a month, with a column for each day.
 */
export const columnsOfList = (kind: ListKind, month?: string): readonly { en: string; zh: string }[] =>
  kind === 'rosters' && month !== undefined
    ? monthGridColumns(month)
    : Object.values(fieldsOf[kind])
        .filter(({ isRare = false }) => !isRare)
        .map(({ names }) => ({ en: names[0]!, zh: names.at(-1)! }));
