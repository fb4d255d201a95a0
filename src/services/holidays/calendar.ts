import { builtInYear } from './built-in.ts';
import { isYear, NoSuchDay, readDay } from './day.ts';
import type { DayType, Holiday, HolidayTable, HolidayYear } from './table.ts';

/**
 * The source: the site's own table, the cloud, the table in the program; or none, since the State
 * Council publishes a year only in the autumn before it.
 */
type HolidaySource = 'site' | 'cloud' | 'built-in' | 'unpublished';

export interface HolidayAnswer {
  readonly year: number;
  readonly holidays: readonly Holiday[];
  readonly source: HolidaySource;
}

export interface DayAnswer {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Empty for a day that no holiday lists. */
  readonly name: string;
  readonly type: DayType;
  /** Of the day's year: with `unpublished` the type is only that of the standard work week. */
  readonly source: HolidaySource;
}

interface HolidayCalendarOptions {
  /**
   * The site's own years (`readHolidayTable`): each replaces the whole year, also one with no
   * holidays at all.
   */
  readonly own?: HolidayTable | undefined;
  /**
   * The cloud's year that the box holds (`readCloudYear`), asked at each answer; undefined while
   * there is none.
   */
  readonly upstream?: ((year: number) => HolidayYear | undefined) | undefined;
}

/**
 * Holidays and make-up workdays of China by year and by day (SPEC 2.9, 4.7): site before cloud
 * before built-in.
 */
export class HolidayCalendar {
  readonly #own: HolidayTable;
  readonly #upstream: (year: number) => HolidayYear | undefined;

  constructor({ own = new Map(), upstream = () => undefined }: HolidayCalendarOptions = {}) {
    this.#own = own;
    this.#upstream = upstream;
  }

  /**
   * The holidays of a year, 1 to 9999. A year that is not published has none, and its source says
   * so. Throws `NoSuchDay`.
   */
  year(year: number): HolidayAnswer {
    if (!isYear(year)) throw new NoSuchDay('no such year: write 1 to 9999');
    const own = this.#own.get(year);
    if (own) return { year, holidays: own.holidays, source: 'site' };
    const cloud = this.#upstream(year);
    // A cloud that knows no holiday of a year does not have the year.
    if (cloud && cloud.holidays.length > 0) return { year, holidays: cloud.holidays, source: 'cloud' };
    const builtIn = builtInYear(year);
    if (builtIn) return { year, holidays: builtIn.holidays, source: 'built-in' };
    return { year, holidays: [], source: 'unpublished' };
  }

  /**
   * Kind of a day `YYYY-MM-DD`. A day that no holiday lists has no name and follows the standard
   * work week: WORK from Monday to Friday. Throws `NoSuchDay` for a text that is no day.
   */
  day(date: string): DayAnswer {
    const { text, year, weekday } = readDay(date);
    const { holidays, source } = this.year(year);
    for (const holiday of holidays)
      for (const { day, name, type } of holiday.days) if (day === text) return { day, name, type, source };
    return { day: text, name: '', type: weekday >= 1 && weekday <= 5 ? 'WORK' : 'BREAK', source };
  }
}
