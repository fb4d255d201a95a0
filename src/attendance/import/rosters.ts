import { shiftLimits } from '../../platform/shifts.ts';
import type { SiteDay, SiteSchedule, SiteWho } from '../../platform/site-plans.ts';
import { listErrors } from '../../words/lists.ts';
import { dateIn } from './date-in.ts';
import { dayItem, isRest } from './day-item.ts';
import type { Field } from './field.ts';
import { isMonthGrid, namesBy, personColumns, readMonthGrid } from './month-grid.ts';
import { type Imported, type RowReason, readFields } from './read-fields.ts';
import { columnName, type Table } from './table.ts';

export const rosterFields = {
  person: {
    names: personColumns,
    needed: false,
    max: 64,
    kind: 'digits',
  },
  name: { names: ['name', '姓名'], needed: false, max: 100 },
  department: {
    names: ['department', 'department_ext_id', '部门', '部门编号'],
    needed: false,
    max: 64,
    kind: 'digits',
  },
  shift: { names: ['shift', '班次'], needed: true, max: 4000 },
  days: { names: ['days', '工作日'], needed: false, max: 60 },
  date: { names: ['date', '日期'], needed: false, max: 40, kind: 'date' },
  from: { names: ['from', '开始日期'], needed: false, max: 40, kind: 'date' },
  to: { names: ['to', '结束日期'], needed: false, max: 40, kind: 'date' },
  reason: { names: ['reason', '备注', '原因'], needed: false, max: 100 },
} satisfies Record<string, Field>;

type Values = Record<keyof typeof rosterFields, string>;
type RosterItem = SiteSchedule | SiteDay;

/**
 * Rosters: a row plans a person or a department, for one date or from a date on; or the rows are
 * people and the columns are days. `month`, `2026-11`: of columns that name a day alone.
 */
export function readRosters(table: Table, month: string | null): Imported<RosterItem> {
  if (table.ok && isMonthGrid(table, month)) return readMonthGrid(table, month);
  const read = readFields<keyof Values, RosterItem>(table, rosterFields, {
    key: values => {
      const { person, department, date, from } = values;
      const day = date === '' ? `from ${dateIn(from)}` : dateIn(date);
      return {
        name: date === '' ? 'from' : 'date',
        text: `${person === '' ? `d ${department}` : `p ${person}`} ${day}`,
      };
    },
    make: itemOf,
    check,
  });
  const header = table.ok ? table.header.cells : [];
  const by = namesBy(header.find(one => personColumns.includes(columnName(one))) ?? '');
  return {
    ...read,
    // A roster names people, and adds none.
    extIds: new Set(),
    items: read.items.map(one => ({
      ...one,
      by,
      section: 'date' in one.item ? ('calendar' as const) : ('schedules' as const),
    })),
  };
}

function itemOf({ person, department, shift, days, date, from, to, reason }: Values): RosterItem {
  const who: SiteWho = person === '' ? { department } : { person };
  const words = wordsIn(shift);
  if (date !== '') return dayItem(dateIn(date)!, who, words[0]!, reason);
  const span = { who, from: dateIn(from)!, ...(to === '' ? {} : { to: dateIn(to)! }) };
  if (words.length > 1) return { ...span, [words.length === 7 ? 'week' : 'cycle']: words };
  const worked = days === '' ? [1, 2, 3, 4, 5] : weekdaysIn(days)!;
  const [word] = words;
  return { ...span, week: Array.from({ length: 7 }, (_, index) => (worked.includes(index + 1) ? word! : 'off')) };
}

function* check({ person, department, shift, days, date, from, to }: Values): Generator<RowReason<keyof Values>> {
  if (person === '' && department === '') yield { name: 'person', ...listErrors.say('nobody_named') };
  if (person !== '' && department !== '') yield { name: 'department', ...listErrors.say('both_named') };
  if ((date === '') === (from === '')) yield { name: 'date', ...listErrors.say('date_or_from') };
  const words = wordsIn(shift);
  if (date !== '' && words.length > 1) yield { name: 'shift', ...listErrors.say('one_shift_a_date') };
  if (words.length > shiftLimits.cycleMax)
    yield { name: 'shift', ...listErrors.say('cycle_too_long', { max: shiftLimits.cycleMax }) };
  if (days !== '' && (date !== '' || words.length > 1)) yield { name: 'days', ...listErrors.say('days_of_one_shift') };
  if (days !== '' && weekdaysIn(days) === null) yield { name: 'days', ...listErrors.say('no_weekdays') };
  if (to !== '' && from === '') yield { name: 'to', ...listErrors.say('end_without_from') };
  if (to !== '' && from !== '' && dateIn(to)! < dateIn(from)!) yield { name: 'to', ...listErrors.say('ends_early') };
}

const wordsIn = (text: string): string[] =>
  text
    .split(/[\s,;\uff0c\uff1b\u3001]+/)
    .filter(one => one !== '')
    .map(one => (isRest(one) ? 'off' : one));

const weekdayWords = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const chineseDays = '一二三四五六日';

const weekdayIn = (word: string): number => {
  const plain = word
    .toLowerCase()
    .replace(/^(\u5468|\u661f\u671f|\u793c\u62dc)/, '')
    .replace('天', '日');
  if (/^[1-7]$/.test(plain)) return Number(plain);
  if (chineseDays.includes(plain) && plain.length === 1) return chineseDays.indexOf(plain) + 1;
  return weekdayWords.findIndex(one => plain.startsWith(one)) + 1;
};

/** `1-5`, `1,3,5`, `mon-fri`, `周一至周五`: Monday is 1. Null: no days. */
function weekdaysIn(text: string): number[] | null {
  const days = new Set<number>();
  for (const part of text.split(/[\s,;\uff0c\uff1b\u3001]+/).filter(one => one !== '')) {
    const [first = 0, last = first] = part.split(/[-~\u2013\uff5e\u81f3\u5230]/).map(weekdayIn);
    if (first === 0 || last < first) return null;
    for (let day = first; day <= last; day++) days.add(day);
  }
  return days.size === 0 ? null : [...days];
}
