import { z } from 'zod';
import { pattern, text } from './kinds.ts';

/** The keys of `site` that can also be chosen on the page Settings, and what they take. */
export const siteValues = {
  name: text('a name', 100),
  timezone: text('a time zone such as Asia/Shanghai').refine(isTimeZone, {
    error: 'no time zone that is known here: write one such as Asia/Shanghai or Europe/Berlin',
  }),
  locale: pattern(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'a language such as zh-CN or en'),
} as const;

/** Chosen values, as the admin API takes them. */
export const siteChoiceSchema = z.strictObject(siteValues).partial();

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
