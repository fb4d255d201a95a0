import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { localTimes } from '../../attendance/index.ts';
import { boundsOf, dayOf, monthBoundsOf } from '../../runtime/day-bounds.ts';
import type { AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import type { UiParts } from './parts.ts';
import {
  answers,
  dayText,
  deviceWords,
  extIdText,
  monthText,
  type PersonFacts,
  pageQuery,
  personCursor,
  personFacts,
  personPlaceOf,
  type SourceFacts,
  scopeOf,
  scopeQuery,
  sourceFacts,
  timePlaceOf,
} from './people-shapes.ts';

export interface DayReport {
  readonly day: string;
  /** Of the site. */
  readonly today: string;
  /** `unpublished`: the type is only that of the standard work week. */
  readonly calendar: { readonly type: 'WORK' | 'BREAK'; readonly name: string; readonly source: string } | null;
  readonly people: number;
  readonly here: number;
  /** Check-ins of the day that name nobody whom the organization knows. */
  readonly unknown: number;
}

export interface DayPerson extends PersonFacts {
  readonly first: SourceFacts | null;
  readonly last: SourceFacts | null;
  readonly count: number;
}

export interface MonthReport {
  readonly month: string;
  readonly this_month: string;
  readonly days: readonly { readonly day: string; readonly break: boolean; readonly name: string }[];
}

export interface MonthPerson extends PersonFacts {
  /** How many check-ins on each day, from the first. */
  readonly days: readonly number[];
}

export interface PersonPunch {
  readonly id: number;
  readonly at: number;
  readonly device_id: string;
  readonly device: string;
  readonly terminal_id: string;
  readonly type: string;
  readonly received_at: number;
  readonly clock_skew_s: number | null;
  /** `kept here`: the box has no cloud. */
  readonly state: 'waiting' | 'confirmed' | 'parked' | 'kept here';
  readonly confirmed_at: number | null;
}

const monthPunchesMax = 2000;

const dayRoute = createRoute({
  method: 'get',
  path: '/attendance/day',
  summary: 'How many people of the site or a department have checked in on a day',
  request: { query: z.object({ day: dayText.optional(), ...scopeQuery }) },
  responses: answers('The counts'),
});
const dayPeopleRoute = createRoute({
  method: 'get',
  path: '/attendance/day/people',
  summary: 'Who has checked in on a day, with the first and the last time, or who has not; by department',
  request: {
    query: z.object({
      day: dayText.optional(),
      which: z.enum(['here', 'missing']).default('here'),
      ...scopeQuery,
      ...pageQuery(100),
    }),
  },
  responses: answers('The page'),
});
const monthRoute = createRoute({
  method: 'get',
  path: '/attendance/month',
  summary: 'The days of a month of the site, with those on which nobody works',
  request: { query: z.object({ month: monthText.optional() }) },
  responses: answers('The days'),
});
const monthPeopleRoute = createRoute({
  method: 'get',
  path: '/attendance/month/people',
  summary: 'How often each person has checked in on each day of a month',
  request: { query: z.object({ month: monthText.optional(), ...scopeQuery, ...pageQuery(50) }) },
  responses: answers('The page'),
});
const punchesRoute = createRoute({
  method: 'get',
  path: '/people/{ext_id}/checkins',
  summary: 'The check-ins of a person in a month, oldest first, and where each is on its way to the cloud',
  request: {
    params: z.object({ ext_id: extIdText }),
    query: z.object({ month: monthText.optional(), ...pageQuery(200) }),
  },
  responses: answers('The page'),
});

/** Who was here: by day, by month, by person. */
export function dayUiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  const { store, clock, config, services } = parts;
  const { timezone: timeZone, name: siteName } = config.site;
  const today = () => dayOf(clock.now(), timeZone).day;
  const monthOf = (asked: string | undefined) => {
    const month = asked ?? today().slice(0, 7);
    return { month, ...monthBoundsOf(month, timeZone)! };
  };

  app.openapi(dayRoute, async context => {
    const { day = today(), ...query } = context.req.valid('query');
    const [counts, [found]] = await Promise.all([
      store.read.dayCounts({ ...boundsOf(day, timeZone), ...scopeOf(query) }),
      services.days([day]),
    ]);
    const calendar = found ? { type: found.type, name: found.name, source: found.source } : null;
    return context.json({ day, today: today(), calendar, ...counts } satisfies DayReport, 200);
  });

  app.openapi(dayPeopleRoute, async context => {
    const { day = today(), which, cursor, limit, ...query } = context.req.valid('query');
    const rows = await store.read.dayPeople({
      ...boundsOf(day, timeZone),
      ...scopeOf(query),
      here: which === 'here',
      after: personPlaceOf(cursor),
      limit,
    });
    const told = rows.map(
      (row): DayPerson => ({
        ...personFacts(row, siteName, context.get('caller').role),
        first: sourceFacts(store.directory, row.first),
        last: sourceFacts(store.directory, row.last),
        count: row.count,
      }),
    );
    return context.json({ rows: told, cursor: personCursor(rows, limit) }, 200);
  });

  app.openapi(monthRoute, async context => {
    const { month } = monthOf(context.req.valid('query').month);
    const days = await services.days(daysOf(month));
    return context.json(
      {
        month,
        this_month: today().slice(0, 7),
        days: days.map(({ day, type, name }) => ({ day, break: type === 'BREAK', name })),
      } satisfies MonthReport,
      200,
    );
  });

  app.openapi(monthPeopleRoute, async context => {
    const { month: asked, cursor, limit, ...query } = context.req.valid('query');
    const { month, from, to } = monthOf(asked);
    const people = await store.read.people({ ...scopeOf(query), after: personPlaceOf(cursor), limit });
    const ids = people.map(({ place }) => place.id);
    const times = await store.read.checkTimes({ ids, from, to, limit: monthPunchesMax });
    const dayNo = dayNumbers(month, timeZone);
    const length = daysOf(month).length;
    const rows = people.map((row): MonthPerson => {
      const days = Array.from({ length }, () => 0);
      for (const at of times.get(row.place.id) ?? []) days[Math.min(length - 1, Math.max(0, dayNo(at)))]!++;
      return { ...personFacts(row, siteName, context.get('caller').role), days };
    });
    return context.json({ rows, cursor: personCursor(people, limit) }, 200);
  });

  app.openapi(punchesRoute, async context => {
    const { ext_id: extId } = context.req.valid('param');
    const { month, cursor, limit } = context.req.valid('query');
    if (!(await store.read.person(extId))) return problem(context, 404, 'unknown', 'nobody has this id') as never;
    const { from, to } = monthOf(month);
    const found = await store.read.punches({ extId, from, to, after: timePlaceOf(cursor), limit });
    const rows = found.map((row): PersonPunch => {
      const device = deviceWords(store.directory, row.deviceNo);
      return {
        id: row.id,
        at: row.at,
        ...device,
        terminal_id: row.terminalId ?? device.device_id.slice(device.device_id.indexOf('_') + 1),
        type: row.checkType,
        received_at: row.receivedAt,
        clock_skew_s: row.clockSkewSeconds,
        state: config.upstream ? row.state : 'kept here',
        confirmed_at: row.confirmedAt,
      };
    });
    const last = found.at(-1);
    return context.json({ rows, cursor: last && found.length === limit ? `${last.at}-${last.id}` : null }, 200);
  });
}

function daysOf(month: string): string[] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

/** The day of the month, from 0, on which a moment lies at the site. */
function dayNumbers(month: string, timeZone: string): (at: number) => number {
  const { offsetSeconds } = localTimes(timeZone);
  const first = Date.parse(`${month}-01T00:00:00Z`) / 86_400_000;
  return at => Math.floor((at + offsetSeconds(at)) / 86_400) - first;
}
