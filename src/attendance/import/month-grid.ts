import { foldedNumber } from '../../platform/folded-number.ts';
import type { SiteDay } from '../../platform/site-plans.ts';
import { isDay } from '../../runtime/calendar-date.ts';
import { listErrors } from '../../words/lists.ts';
import type { Reason } from '../../words/sentences.ts';
import { dateIn } from './date-in.ts';
import { dayItem } from './day-item.ts';
import { cellOf, type Imported, type ImportedItem, lostZeros } from './read-fields.ts';
import { columnName, type ImportProblem, type Sheet } from './table.ts';

/**
 * The roster of a month as it is kept in most offices: a row for each person, a column for each
 * day.
 */

/** Columns that name a person by number. */
const numberNames: ReadonlySet<string> = new Set(['employee_num', '工号']);
/** Columns that name a person: by external id, but for those above. */
export const personColumns = ['person', 'ext_id', 'employee_num', '工号', '外部编号', '人员编号'];
const personNames: ReadonlySet<string> = new Set(personColumns);

/** How a column names people. A header that means either is that of an external id. */
export const namesBy = (header: string): 'number' | 'id' => (numberNames.has(columnName(header)) ? 'number' : 'id');
const nameNames: ReadonlySet<string> = new Set(['name', '姓名']);
/** One that the list by rows has. */
const rowNames: ReadonlySet<string> = new Set(['shift', '班次', 'from', '开始日期', 'date', '日期']);

export function monthGridColumns(month: string): { en: string; zh: string }[] {
  const days = Array.from({ length: 31 }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`).filter(isDay);
  return [{ en: 'person', zh: '人员编号' }, { en: 'name', zh: '姓名' }, ...days.map(day => ({ en: day, zh: day }))];
}

/**
 * The date that a header names: `2026-11-20`, and with a month `20`, `20日`, `11-20`, `11/20` or
 * `11月20日` as well. Null: none.
 */
export function dateOfHeader(written: string, month: string | null): string | null {
  const whole = dateIn(written);
  if (whole !== null || month === null) return whole;
  const text = written.trim();
  const found =
    /^(?<month>\d{1,2})\s*[-/.\u6708]\s*(?<day>\d{1,2})(?!\d)/.exec(text) ?? /^(?<day>\d{1,2})(?!\d)/.exec(text);
  if (!found) return null;
  const { month: named, day } = found.groups as { month?: string; day: string };
  const year = Number(month.slice(0, 4));
  const date = `${year}-${(named ?? month.slice(5)).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(date) ? date : null;
}

export const isDayHeader = (written: string): boolean => /^\d{1,2}(?!\d)/.test(written.trim());

/** Whether the columns are days. */
export function isMonthGrid({ header }: Sheet, month: string | null): boolean {
  if (header.cells.some(one => rowNames.has(columnName(one)))) return false;
  return header.cells.some(one => dateOfHeader(one, month) !== null || isDayHeader(one));
}

/**
 * An empty cell leaves the day as it is. Columns that are no day and no person are passed over,
 * with a warning.
 */
export function readMonthGrid(table: Sheet, month: string | null): Imported<SiteDay> {
  const { header, rows } = table;
  const problems: ImportProblem[] = [];
  const warnings: ImportProblem[] = [];
  const days: { readonly place: number; readonly date: string; readonly column: string }[] = [];
  let person = -1;
  let name: number | undefined;
  for (const [place, column] of header.cells.entries()) {
    const say = (list: ImportProblem[], why: Reason) => list.push({ line: header.line, column, value: '', ...why });
    const plain = columnName(column);
    const date = dateOfHeader(column, month);
    if (date !== null) {
      if (days.some(one => one.date === date)) say(problems, listErrors.say('column_twice', { column: date }));
      else days.push({ place, date, column });
    } else if (personNames.has(plain) && person < 0) person = place;
    else if (isDayHeader(column))
      say(problems, month === null ? listErrors.say('day_without_month') : listErrors.say('no_such_day'));
    else if (nameNames.has(plain) && name === undefined) name = place;
    else if (plain !== '') say(warnings, listErrors.say('column_not_read'));
  }
  if (person < 0)
    problems.push({
      ...{ line: header.line, column: 'person', value: '' },
      ...listErrors.say('column_missing'),
    });
  if (problems.length > 0) return { items: [], problems, warnings, extIds: new Set() };

  const by = namesBy(header.cells[person]!);
  warnings.push(...lostZeros(rows, person, header.cells[person]!));
  const items: ImportedItem<SiteDay>[] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    const who = foldedNumber(cellOf(row, person));
    const first = seen.get(who);
    const say = (column: string, value: string, why: Reason) =>
      problems.push({ line: row.line, column, value, ...why });
    const cells = days.map(day => ({ ...day, word: cellOf(row, day.place) })).filter(({ word }) => word !== '');
    if (cells.length === 0) continue;
    if (who === '') say(header.cells[person]!, '', listErrors.say('cell_is_empty'));
    else if (first !== undefined) say(header.cells[person]!, who, listErrors.say('row_twice', { line: first }));
    else {
      seen.set(who, row.line);
      for (const { date, column, word } of cells)
        items.push({
          ...{ line: row.line, section: 'calendar', cell: column, name: cellOf(row, name), by },
          item: dayItem(date, { person: who }, word),
        });
    }
  }
  return { items, problems, warnings, extIds: new Set() };
}
