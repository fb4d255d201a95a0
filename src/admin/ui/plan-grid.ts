import { z } from '@hono/zod-openapi';
import { type AttendanceResults, plannedDays } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import { addDays, mondayOf } from '../../runtime/calendar-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Services } from '../../services/index.ts';
import type { PeopleReads, ReadPart, ScheduleReads } from '../../store/index.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import {
  cursorText,
  dayText,
  pageQuery,
  person,
  personCursor,
  personFacts,
  personPlaceOf,
  scopeOf,
  scopeQuery,
} from '../people-shapes.ts';
import { overrideFacts, overrideRow } from './plan-shapes.ts';

const daysMax = 31;

const plannedRow = person.extend({
  days: z
    .array(
      z.object({
        date: z.string(),
        kind: z.string().describe('workday, rest, legal_holiday, none: nothing is planned, or not_employed'),
        shift: z.string().nullable().describe('The code of the shift; null: none'),
        own: overrideRow.nullable().describe('What is said of this date for this person alone'),
        leave: z.array(z.string()).describe('Kinds of approved leave on the date'),
      }),
    )
    .describe('Empty: the person has no external id'),
});
const gridReport = z.object({
  today: z.string().describe('Of the site'),
  from: z.string(),
  days: z.array(
    z.object({
      date: z.string(),
      break: z.boolean().describe('Nobody works by the national calendar, or it is a weekend'),
      holiday: z.string().describe('Of the national calendar; empty: none'),
    }),
  ),
  shifts: z.array(z.object({ code: z.string(), name: z.string() })),
  rows: z.array(plannedRow),
  cursor: cursorText,
});
export type PlanGrid = Report<typeof gridReport>;

export const planGridOperations = {
  grid: operation({
    method: 'get',
    path: '/schedules/grid',
    role: 'viewer',
    summary: 'Who works which shift on which day: people down, days across',
    query: z.object({
      from: dayText.optional().describe('Absent: Monday of this week'),
      days: z.coerce.number<number>().int().min(1).max(daysMax).default(7),
      ...scopeQuery,
      ...pageQuery(50),
    }),
    returns: 'A page of people, by department',
    answer: gridReport,
  }),
};

/** The plan, resolved for each person and day. */
export const planGrid = ({
  store,
  results,
  services,
  clock,
  config,
}: {
  readonly store: ReadPart<PeopleReads & ScheduleReads>;
  readonly results: Pick<AttendanceResults, 'calendar'>;
  readonly services: Pick<Services, 'days'>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
}): Running<typeof planGridOperations> => ({
  async grid({ from: first, days, cursor, limit, ...query } = { days: 7, limit: 50 }, call = byCommand) {
    const today = dayOf(clock.now(), config.site.timezone).day;
    const from = first ?? mondayOf(today);
    const dates = Array.from({ length: days }, (_, index) => addDays(from, index));
    const to = dates.at(-1)!;
    const [national, calendar, shifts] = await Promise.all([
      services.days(dates),
      results.calendar(from, to),
      store.read.shifts(),
    ]);
    const found = await plannedDays(store.read, calendar, {
      ...{ from, to, after: personPlaceOf(cursor), limit },
      ...scopeOf(query),
    });
    return {
      today,
      from,
      days: national.map(({ day: date, type, name }) => ({ date, break: type === 'BREAK', holiday: name })),
      shifts: [...new Map(shifts.map(({ code, name }) => [code, name]))].map(([code, name]) => ({ code, name })),
      rows: found.map(one => ({
        ...personFacts(one.person, config.site.name, call.caller.role),
        days: one.days.map(({ date, kind, shift, own, leave }) => ({
          ...{ date, kind, shift: shift?.code ?? null, leave: [...leave] },
          own: own && { ...overrideFacts(own), name: one.person.name },
        })),
      })),
      cursor: personCursor(
        found.map(one => one.person),
        limit,
      ),
    };
  },
});
