/** BREAK is a rest day, WORK a workday (SPEC 2.9). */
export type DayType = 'BREAK' | 'WORK';

/** A day that differs from the standard work week, or belongs to a holiday (SPEC 2.9). */
export interface HolidayDay {
  /** `YYYY-MM-DD`, in the year of the table. */
  readonly day: string;
  /** The day's own name: the holiday's for a rest day, `春节补班` for its make-up workday. */
  readonly name: string;
  readonly type: DayType;
}

/** A holiday with its rest days and its make-up workdays (SPEC 2.9). */
export interface Holiday {
  /** Lasting, the same each year: `spring-festival`. */
  readonly code: string;
  readonly name: string;
  /** In the order of the calendar, no day twice. */
  readonly days: readonly HolidayDay[];
}

export interface HolidayYear {
  readonly year: number;
  readonly holidays: readonly Holiday[];
}

/** Whole years by number. */
export type HolidayTable = ReadonlyMap<number, HolidayYear>;

/** The name of a day that has none of its own. */
export const dayName = (holiday: string, type: DayType): string => (type === 'BREAK' ? holiday : `${holiday}补班`);

/** Days in the order of the calendar. */
export const inOrder = (days: readonly HolidayDay[]): HolidayDay[] =>
  [...days].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
