import { z } from '@hono/zod-openapi';
import { isDay } from '../../runtime/calendar-date.ts';
import { described } from '../../words/described.ts';
import { refused } from '../problem.ts';

export const dayQuery = z
  .string()
  .optional()
  .describe(described('Such as 2026-11-20; today if it is left out', '例如 2026-11-20；缺省为今天'));

export const noSuchDay = { 422: described('There is no such day, or it has not come', '没有此日期，或尚未到来') };

/** The day that was asked for; throws unless it has begun. */
export function begunDay(asked: string | undefined, today: string): string {
  if (asked !== undefined && (!isDay(asked) || asked > today))
    throw refused(422, 'day', 'day: write a day such as 2026-11-20 that has begun');
  return asked ?? today;
}
