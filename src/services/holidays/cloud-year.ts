import { z } from 'zod';
import { type CalendarDay, calendarDay } from './day.ts';
import { type HolidayYear, inOrder } from './table.ts';

const shape = z.object({
  year: z.number(),
  holidays: z
    .array(
      z.object({
        code: z.string().max(64),
        name: z.string().max(100),
        days: z
          .array(z.object({ day: z.string(), name: z.string().max(100), type: z.enum(['BREAK', 'WORK']) }))
          .max(366),
      }),
    )
    .max(100),
});

type CloudYear = { readonly ok: true; readonly value: HolidayYear } | { readonly ok: false; readonly reason: string };

/**
 * Reads the cloud's answer for a year, the `data` of SPEC 4.7 GET /api/1.0.0/holiday (SPEC 2.9).
 * Since SPEC does not show the form of `day`, `2026-02-15`, `2026/2/15` and `20260215` are read.
 * Refused as a whole: another year than was asked for, a day outside it, a day that is both BREAK
 * and WORK, any other shape. Keys that SPEC does not know are left out.
 */
export function readCloudYear(data: unknown, year: number): CloudYear {
  const parsed = shape.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(`${issue!.path.join('.') || 'data'}: ${issue!.message}`);
  }
  if (parsed.data.year !== year) return refused(`year: ${parsed.data.year}, asked for was ${year}`);
  const types = new Map<string, string>();
  const holidays: HolidayYear['holidays'][number][] = [];
  for (const { code, name, days } of parsed.data.holidays) {
    const read = new Map<string, { day: string; name: string; type: 'BREAK' | 'WORK' }>();
    for (const one of days) {
      const day = cloudDay(one.day)?.text;
      if (!day?.startsWith(`${String(year).padStart(4, '0')}-`))
        return refused(`day ${JSON.stringify(one.day.slice(0, 40))}: no day of ${year}`);
      if ((types.get(day) ?? one.type) !== one.type) return refused(`day ${day}: both BREAK and WORK`);
      types.set(day, one.type);
      if (!read.has(day)) read.set(day, { day, name: one.name, type: one.type });
    }
    holidays.push({ code, name, days: inOrder([...read.values()]) });
  }
  return { ok: true, value: { year, holidays } };
}

const refused = (reason: string): CloudYear => ({ ok: false, reason });

function cloudDay(text: string): CalendarDay | undefined {
  const match = /^(\d{4})(?:([-/])(\d{1,2})\2(\d{1,2})|(\d{2})(\d{2}))$/.exec(text);
  return match ? calendarDay(Number(match[1]), Number(match[3] ?? match[5]), Number(match[4] ?? match[6])) : undefined;
}
