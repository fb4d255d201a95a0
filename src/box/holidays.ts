import type { CalendarKind } from '../attendance/index.ts';
import type { Site } from '../platform/site.ts';
import { isLegalHoliday, type Services } from '../services/index.ts';

/** Where the national calendar holds. A site elsewhere has its own table, or none. */
const chinese = new Set(['Asia/Shanghai', 'Asia/Chongqing', 'Asia/Harbin', 'Asia/Urumqi', 'Asia/Kashgar', 'PRC']);

/**
 * Holidays of the holiday service, for schedules: of the days off that its table lists only some
 * are legal holidays in China; elsewhere all days off of the site's own table are. Dates of an
 * ordinary week are left to the plans.
 */
export const holidaysOf =
  (services: Pick<Services, 'days'>, site: Pick<Site, 'timezone'>) =>
  async (dates: readonly string[]): Promise<Map<string, CalendarKind>> => {
    const isInChina = chinese.has(site.timezone);
    const found = await services.days(dates);
    const kinds = new Map<string, CalendarKind>();
    for (const { day, name, type, source } of found) {
      if (name === '' || (source !== 'site' && !isInChina)) continue;
      kinds.set(day, type === 'WORK' ? 'makeup' : isInChina && !isLegalHoliday(day) ? 'rest' : 'legal_holiday');
    }
    return kinds;
  };
