import { readSpan } from '../../platform/shift-times.ts';
import { shiftLimits } from '../../platform/shifts.ts';
import type { SiteShift } from '../../platform/site-plans.ts';
import { listErrors } from '../../words/lists.ts';
import { dateIn } from './date-in.ts';
import type { Field } from './field.ts';
import { type Imported, type RowReason, readFields } from './read-fields.ts';
import type { Table } from './table.ts';

const minutes = (...names: string[]): Field => ({ names, needed: false, max: 4, kind: 'minutes' });
const time = (...names: string[]): Field => ({ names, needed: false, max: 20, kind: 'time' });

export const shiftFields = {
  code: { names: ['code', '代码', '班次编号', '班次代码'], needed: true, max: 32 },
  name: { names: ['name', '名称', '班次名称'], needed: true, max: 30 },
  start: time('start', '上班时间', '上班'),
  end: time('end', '下班时间', '下班'),
  start_2: time('start_2', '第二段上班'),
  end_2: time('end_2', '第二段下班'),
  breaks: { names: ['breaks', '休息时间', '休息'], needed: false, max: 200 },
  late_grace: minutes('late_grace', '允许迟到', '允许迟到（分钟）'),
  early_grace: minutes('early_grace', '允许早退', '允许早退（分钟）'),
  kind: { names: ['kind', '类型'], needed: false, max: 20 },
  flex_late: minutes('flex_late', '可晚到（分钟）'),
  flex_early: minutes('flex_early', '可早到（分钟）'),
  required_minutes: minutes('required_minutes', '每天工时（分钟）'),
  from: { names: ['from', '生效日期'], needed: false, max: 40, kind: 'date' },
} satisfies Record<string, Field>;

type Values = Record<keyof typeof shiftFields, string>;

/** A word of the column `kind`, in either language; undefined: none of these. */
const kindOf = (word: string): SiteShift['kind'] => kinds.get(word.toLowerCase());
const kinds: ReadonlyMap<string, NonNullable<SiteShift['kind']>> = new Map([
  ...(['fixed', '固定', '固定时间'] as const).map(word => [word, 'fixed'] as const),
  ...(['flexible', '弹性', '弹性时间'] as const).map(word => [word, 'flexible'] as const),
  ...(['free', '自由', '不限时间'] as const).map(word => [word, 'free'] as const),
]);

/** Breaks are parted by anything but what their times are made of. */
const breaksIn = (text: string): string[] =>
  text
    .replaceAll('\uff1a', ':')
    .split(/[,;\uff0c\uff1b\u3001\n]|(?<=:\d{2})\s+(?=\d)/)
    .map(one => one.trim())
    .filter(one => one !== '');

/**
 * The shifts of a site: a row is a version of one. What the file does not have is as it is where
 * the box knows the shift, and else the default.
 */
export function readShifts(table: Table): Imported<SiteShift> {
  return readFields(table, shiftFields, {
    key: ({ code, from }) => ({ name: 'code', text: `${code} ${from === '' ? '' : dateIn(from)}` }),
    make: shiftOf,
    check,
  });
}

function shiftOf(values: Values): SiteShift {
  const { code, name, start, end, start_2, end_2, breaks, kind, from } = values;
  const number = (column: keyof Values) => (values[column] === '' ? {} : { [column]: Number(values[column]) });
  const said = kind === '' ? (start === '' ? 'free' : undefined) : kindOf(kind);
  return {
    code,
    name,
    ...(from === '' ? {} : { from: dateIn(from)! }),
    ...(said ? { kind: said } : {}),
    ...(start === '' ? {} : { times: [`${start}-${end}`, ...(start_2 === '' ? [] : [`${start_2}-${end_2}`])] }),
    ...(breaks === '' ? {} : { breaks: breaksIn(breaks) }),
    ...number('late_grace'),
    ...number('early_grace'),
    ...number('flex_late'),
    ...number('flex_early'),
    ...number('required_minutes'),
  };
}

function* check(values: Values): Generator<RowReason<keyof Values>> {
  const { code, start, end, start_2, end_2, breaks, kind } = values;
  if (!/^[\p{L}\p{N}._-]+$/u.test(code)) yield { name: 'code', ...listErrors.say('bad_code') };
  if (kind !== '' && !kindOf(kind)) yield { name: 'kind', ...listErrors.say('no_such_kind') };
  if ((start === '') !== (end === ''))
    yield { name: start === '' ? 'start' : 'end', ...listErrors.say('start_and_end') };
  if ((start_2 === '') !== (end_2 === ''))
    yield { name: start_2 === '' ? 'start_2' : 'end_2', ...listErrors.say('start_and_end') };
  const spans = breaksIn(breaks);
  if (spans.some(one => readSpan(one) === null)) yield { name: 'breaks', ...listErrors.say('no_break') };
  if (spans.length > shiftLimits.breaksMax)
    yield { name: 'breaks', ...listErrors.say('too_many_breaks', { max: shiftLimits.breaksMax }) };
  const limits = { late_grace: 240, early_grace: 240, flex_late: 720, flex_early: 720, required_minutes: 1440 };
  for (const [name, max] of Object.entries(limits) as [keyof typeof limits, number][])
    if (Number(values[name]) > max) yield { name, ...listErrors.say('too_many_minutes', { max }) };
}
