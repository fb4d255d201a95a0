import { isDayOff } from '../../platform/shifts.ts';
import type { SiteDay, SiteWho } from '../../platform/site-plans.ts';

/** Whether a word of a list means a day off. */
export const isRest = (word: string): boolean => isDayOff(word) || word === '休息';

/** Work of a person or department on one date. */
export const dayItem = (date: string, who: SiteWho, word: string, reason = ''): SiteDay => ({
  date,
  who,
  what: isRest(word) ? 'rest' : { shift: word },
  ...(reason === '' ? {} : { reason }),
});
