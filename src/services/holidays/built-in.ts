import years from './built-in.generated.json' with { type: 'json' };
import { dayName, type HolidayYear, inOrder } from './table.ts';

/** Rest days and make-up workdays as MM-DD. */
type BuiltInHoliday = readonly [code: string, name: string, breaks: string, works: string];

const builtInYears = years as unknown as Readonly<Record<string, readonly BuiltInHoliday[]>>;

/**
 * The year that came with the program, 2019 to 2026 (`scripts/holidays.ts`); undefined for any
 * other.
 */
export function builtInYear(year: number): HolidayYear | undefined {
  const made = Object.hasOwn(builtInYears, year) ? builtInYears[year] : undefined;
  if (!made) return undefined;
  const days = (list: string, name: string, type: 'BREAK' | 'WORK') =>
    list === '' ? [] : list.split(' ').map(day => ({ day: `${year}-${day}`, name: dayName(name, type), type }));
  return {
    year,
    holidays: made.map(([code, name, breaks, works]) => ({
      code,
      name,
      days: inOrder([...days(breaks, name, 'BREAK'), ...days(works, name, 'WORK')]),
    })),
  };
}
