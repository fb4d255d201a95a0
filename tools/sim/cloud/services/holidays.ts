import { wrong } from './refused.ts';

interface Day {
  readonly day: string;
  readonly name: string;
  readonly type: 'BREAK' | 'WORK';
}

/** Month, first day, number of days off, and the make-up workday. */
const yearly = [
  { code: 'NEW_YEAR', name: '元旦', from: '01-01', days: 1, work: null },
  { code: 'LABOUR_DAY', name: '劳动节', from: '05-01', days: 3, work: '04-26' },
  { code: 'NATIONAL_DAY', name: '国庆节', from: '10-01', days: 7, work: '10-10' },
] as const;

/** The same holidays every year, computed from the year alone (SPEC 2.9, 4.7). */
export function holidayYear(asked: string | null, today: string): object {
  const year = asked ? asked : today.slice(0, 4);
  if (!/^\d{4}$/.test(year)) throw wrong('year: write a year such as 2026');
  return {
    year: Number(year),
    holidays: yearly.map(one => ({ code: one.code, name: one.name, days: daysOf(one, year) })),
  };
}

export function holidayDay(asked: string | null, today: string): object {
  const day = asked ? asked : today;
  const date = new Date(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day))
    throw wrong('date: write YYYY-MM-DD');
  for (const one of yearly) for (const listed of daysOf(one, day.slice(0, 4))) if (listed.day === day) return listed;
  const weekday = date.getUTCDay();
  return { day, name: '', type: weekday >= 1 && weekday <= 5 ? 'WORK' : 'BREAK' };
}

function daysOf({ name, from, days, work }: (typeof yearly)[number], year: string): Day[] {
  const first = Date.parse(`${year}-${from}T00:00:00Z`);
  const off = Array.from({ length: days }, (_, index) => ({
    day: new Date(first + index * 86_400_000).toISOString().slice(0, 10),
    name,
    type: 'BREAK' as const,
  }));
  const made = work === null ? [] : [{ day: `${year}-${work}`, name: `${name}调休`, type: 'WORK' as const }];
  return [...off, ...made].sort((one, other) => one.day.localeCompare(other.day));
}
