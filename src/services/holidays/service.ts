import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { RememberedStore } from '../../store/index.ts';
import type { ServiceCall } from '../api.ts';
import type { CloudServices } from '../cloud.ts';
import { badRequest } from '../refusal.ts';
import { type DayAnswer, type HolidayAnswer, HolidayCalendar } from './calendar.ts';
import { readCloudYear } from './cloud-year.ts';
import { NoSuchDay } from './day.ts';
import type { HolidayTable, HolidayYear } from './table.ts';

const path = '/api/1.0.0/holiday';
const refreshedEveryMs = 24 * 3600_000;
const firstAnswerMs = 4000;

interface HolidayServiceOptions {
  readonly store: RememberedStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly cloud: CloudServices | null;
  readonly own: HolidayTable | undefined;
  /** The year and the day of a moment, where the site is. */
  readonly today: () => string;
}

/**
 * GET holiday and holiday/day (SPEC 2.9, 4.7). The cloud's years are fetched in the background; a
 * response waits for them only if no other source knows the year.
 */
export class HolidayService {
  readonly #options: HolidayServiceOptions;
  readonly #calendar: HolidayCalendar;
  readonly #cloudYears = new Map<number, HolidayYear>();
  readonly #askedAt = new Map<number, number>();
  readonly #closing = new AbortController();

  constructor(options: HolidayServiceOptions) {
    this.#options = options;
    this.#calendar = new HolidayCalendar({ own: options.own, upstream: year => this.#cloudYears.get(year) });
  }

  /**
   * Whether a year is the site's own, the cloud's or built in is said by the header
   * `X-Holiday-Source`.
   */
  async year(call: ServiceCall): Promise<object> {
    const text = call.req.query('year');
    const year = text === undefined || text === '' ? this.#options.today().slice(0, 4) : text;
    if (!/^\d{1,4}$/.test(year)) throw badRequest(`year "${year.slice(0, 20)}": write a year such as 2026`);
    return this.#answered(call, `year "${year}"`, () => this.answer(Number(year)));
  }

  /** The same for the box's own pages. */
  async answer(year: number): Promise<HolidayAnswer> {
    await this.#know(year);
    return this.#calendar.year(year);
  }

  async day(call: ServiceCall): Promise<object> {
    const text = call.req.query('date');
    const date = text === undefined || text === '' ? this.#options.today() : text;
    return this.#answered(call, `date "${date.slice(0, 20)}"`, async () => {
      if (/^\d{4}-/.test(date)) await this.#know(Number(date.slice(0, 4)));
      return this.#calendar.day(date);
    });
  }

  /** Kinds of days `YYYY-MM-DD`, for people at the box. Texts that are no days are left out. */
  async days(days: readonly string[]): Promise<DayAnswer[]> {
    for (const year of new Set(days.map(day => Number(day.slice(0, 4))))) await this.#know(year);
    return days.flatMap(day => {
      try {
        return [this.#calendar.day(day)];
      } catch (error) {
        if (error instanceof NoSuchDay) return [];
        throw error;
      }
    });
  }

  close(): void {
    this.#closing.abort();
  }

  async #answered(call: ServiceCall, asked: string, find: () => Promise<HolidayAnswer | DayAnswer>): Promise<object> {
    try {
      const { source, ...data } = await find();
      call.header('X-Holiday-Source', source);
      return data;
    } catch (error) {
      if (error instanceof NoSuchDay) throw badRequest(`${asked}: ${error.message}`);
      throw error;
    }
  }

  /**
   * The cloud's year is read from the store once; the cloud is asked once a day, in the background.
   */
  async #know(year: number): Promise<void> {
    const { store, cloud, clock } = this.#options;
    if (!cloud || year < 2000 || year > 2100) return;
    if (!this.#askedAt.has(year)) {
      this.#askedAt.set(year, Number.NEGATIVE_INFINITY);
      const kept = await store.read.remembered('holidays', String(year));
      const read = kept && readCloudYear(JSON.parse(kept.value), year);
      if (read?.ok) this.#cloudYears.set(year, read.value);
    }
    if (clock.monotonic() - this.#askedAt.get(year)! < refreshedEveryMs) return;
    this.#askedAt.set(year, clock.monotonic());
    const refreshed = this.#refresh(cloud, year);
    // Only the cloud can know the year: worth a short wait.
    if (this.#calendar.year(year).source === 'unpublished')
      await Promise.race([refreshed, clock.sleep(firstAnswerMs, this.#closing.signal).catch(() => {})]);
  }

  async #refresh(cloud: CloudServices, year: number): Promise<void> {
    const { store, clock, log } = this.#options;
    try {
      const data = await cloud.call(`${path}?year=${year}`, { signal: this.#closing.signal });
      const read = readCloudYear(data, year);
      if (!read.ok) throw new Error(read.reason);
      this.#cloudYears.set(year, read.value);
      await store.write.remember({
        service: 'holidays',
        key: String(year),
        value: JSON.stringify(data),
        at: clock.now(),
      });
    } catch (error) {
      log.debug({ year, error: String(error) }, 'holidays_not_fetched');
      // Tried again after a quarter of an hour, at the next request.
      this.#askedAt.set(year, clock.monotonic() - refreshedEveryMs + 15 * 60_000);
    }
  }
}
