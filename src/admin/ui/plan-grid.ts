import { z } from '@hono/zod-openapi';
import { type AttendanceResults, plannedDays } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import { addDays, mondayOf } from '../../runtime/calendar-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Services } from '../../services/index.ts';
import type { PeopleReads, ReadPart, ScheduleReads } from '../../store/index.ts';
import { described } from '../../words/described.ts';
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
import { calendarDay } from './schedule-shapes.ts';

const daysMax = 31;

const plannedRow = person.extend({
  days: z
    .array(
      z.object({
        date: z.string(),
        kind: z
          .string()
          .describe(
            described(
              'workday, rest, legal_holiday, none: nothing is planned, or not_employed',
              'workday 工作日、rest 休息日、legal_holiday 法定节假日、none 没有排班、not_employed 不在职',
            ),
          ),
        shift: z.string().nullable().describe(described('The code of the shift; null: none', '班次的代码；null：没有')),
        own: overrideRow
          .nullable()
          .describe(described('What is said of this date for this person alone', '只为此人当天所作的安排')),
        leave: z.array(z.string()).describe(described('Kinds of approved leave on the date', '当天已批准的请假种类')),
      }),
    )
    .describe(described('Empty: the person has no external id', '空：此人没有外部编号')),
});
const gridReport = z.object({
  today: z.string().describe(described('Of the site', '站点的')),
  from: z.string(),
  days: z.array(calendarDay),
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
    summary: described('Who works which shift on which day: people down, days across', '排班表：每人每天上的班次'),
    query: z.object({
      from: dayText.optional().describe(described('Absent: Monday of this week', '缺省为本周星期一')),
      days: z.coerce.number<number>().int().min(1).max(daysMax).default(7),
      ...scopeQuery,
      ...pageQuery(50),
    }),
    returns: described('A page of people, by department', '一页人员，按部门排列'),
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
