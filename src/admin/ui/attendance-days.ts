import { z } from '@hono/zod-openapi';
import { absenceOn } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf, monthBoundsOf, wallTime } from '../../runtime/wall-time.ts';
import type { Services } from '../../services/index.ts';
import type { DirectoryStore, PeopleReads, ReadPart } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { boxOfDevices, devicesChosen } from '../box-of-devices.ts';
import { recordClock } from '../clock.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import {
  cursorText,
  dayText,
  deviceWords,
  extIdText,
  monthText,
  pageQuery,
  personCursor,
  personFacts,
  personPlaceOf,
  scopeQuery,
  sourceFacts,
  timePlaceOf,
} from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { dayPerson, dayReport, monthPerson, monthReport, personPunch } from './day-shapes.ts';
import { peopleOfMonth } from './month-people.ts';
import { peopleThen } from './people-then.ts';

export type DayReport = Report<typeof dayReport>;
export type DayPerson = Report<typeof dayPerson>;
export type MonthReport = Report<typeof monthReport>;
export type PersonPunch = Report<typeof personPunch>;

export const dayOperations = {
  day: operation({
    method: 'get',
    path: '/attendance/day',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'How many people of the site or a department have checked in on a day',
      '某天全站点或一个部门的打卡人数',
    ),
    query: z.object({ day: dayText.optional(), ...scopeQuery, box: boxOfDevices.optional() }),
    returns: described('The counts', '数量'),
    answer: dayReport,
  }),
  dayPeople: operation({
    method: 'get',
    path: '/attendance/day/people',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'Who has checked in on a day, with the first and the last time, or who has not; by department',
      '某天已打卡的人员及首末次时间，或未打卡的人员，按部门排列',
    ),
    query: z.object({
      day: dayText.optional(),
      which: z.enum(['here', 'missing']).default('here'),
      ...scopeQuery,
      box: boxOfDevices.optional(),
      ...pageQuery(100),
    }),
    returns: described('The page', '一页'),
    answer: z.object({ rows: z.array(dayPerson), cursor: cursorText }),
  }),
  month: operation({
    method: 'get',
    path: '/attendance/month',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'The days of a month of the site, with those on which nobody works',
      '站点某月的日期及其中的休息日',
    ),
    query: z.object({ month: monthText.optional() }),
    returns: described('The days', '日期'),
    answer: monthReport,
  }),
  monthPeople: operation({
    method: 'get',
    path: '/attendance/month/people',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'How often each person has checked in on each day of a month; of one site those alone who did, and a page may be short',
      '某月每人每天的打卡次数；查询一个站点时仅列出在该站点打过卡的人，一页可能不满',
    ),
    query: z.object({
      month: monthText.optional(),
      ...scopeQuery,
      box: boxOfDevices.optional(),
      ...pageQuery(50),
    }),
    returns: described('The page', '一页'),
    answer: z.object({ rows: z.array(monthPerson), cursor: cursorText }),
  }),
  punches: operation({
    method: 'get',
    path: '/people/{ext_id}/checkins',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'The check-ins of a person in a month or on some days, oldest first, and where each is on its way to the cloud',
      '一名人员某月或若干天的打卡，最早的在前，以及每条的上传状态',
    ),
    params: z.object({ ext_id: extIdText }),
    query: z.object({
      month: monthText.optional(),
      from: dayText.optional().describe(described('First day, in place of a month', '第一天，代替月份')),
      to: dayText.optional().describe(described('Last day; absent: the first', '最后一天；缺省与第一天相同')),
      ...pageQuery(200),
    }),
    returns: described('The page', '一页'),
    answer: z.object({ rows: z.array(personPunch), cursor: cursorText }),
    failures: { 404: described('Nobody has this id', '没有人使用此编号') },
  }),
};

/** Presence by day, by month, by person. */
export function days({
  store,
  clock,
  config,
  services,
}: {
  readonly store: ReadPart<PeopleReads> & DirectoryStore;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site' | 'upstream'>;
  readonly services: Pick<Services, 'days'>;
}): Running<typeof dayOperations> {
  const { site } = config;
  const today = () => dayOf(clock.now(), site.timezone).day;
  const monthOf = (asked: string | undefined) => {
    const month = asked ?? today().slice(0, 7);
    return { month, ...monthBoundsOf(month, site.timezone)! };
  };

  return {
    async day({ day = today(), box, ...query } = {}) {
      const { scope } = await peopleThen(store.read, query, day, day);
      const [counts, [found]] = await Promise.all([
        store.read.dayCounts({
          ...wallTime(site.timezone).dayBounds(day),
          ...scope,
          ...devicesChosen(store.directory, box),
          cameByThen: day < today(),
        }),
        services.days([day]),
      ]);
      const calendar = found ? { type: found.type, name: found.name, source: found.source } : null;
      const absence = box === undefined ? absenceOn(day, today(), calendar) : 'none';
      return { day, today: today(), calendar, absence, ...counts };
    },

    async dayPeople({ day = today(), which, box, cursor, limit, ...query }, call = byCommand) {
      const { scope, placesOf } = await peopleThen(store.read, query, day, day);
      const found = await store.read.dayPeople({
        ...wallTime(site.timezone).dayBounds(day),
        ...scope,
        ...devicesChosen(store.directory, box),
        here: which === 'here',
        cameByThen: day < today(),
        after: personPlaceOf(cursor),
        limit,
      });
      const places = await placesOf(found);
      const rows = found.map(row => ({
        ...personFacts({ ...row, ...places(row)[0]! }, site.name, call.caller.role),
        first: sourceFacts(store.directory, row.first),
        last: sourceFacts(store.directory, row.last),
        count: row.count,
      }));
      return { rows, cursor: personCursor(found, limit) };
    },

    async month({ month: asked } = {}) {
      const { month } = monthOf(asked);
      const found = await services.days(daysOf(month));
      return {
        month,
        this_month: today().slice(0, 7),
        days: found.map(({ day, type, name }) => ({ day, break: type === 'BREAK', name })),
      };
    },

    async monthPeople({ month: asked, box, cursor, limit, ...query }, call = byCommand) {
      const { month, from, to } = monthOf(asked);
      const { scope, placesOf } = await peopleThen(store.read, query, `${month}-01`, daysOf(month).at(-1)!);
      const {
        people,
        times,
        cursor: next,
      } = await peopleOfMonth(store.read, {
        span: { from, to },
        scope,
        ...devicesChosen(store.directory, box),
        after: personPlaceOf(cursor),
        limit,
      });
      const { dateOf } = wallTime(site.timezone);
      const dates = daysOf(month);
      const places = await placesOf(people);
      const rows = people.flatMap(row => {
        const stood = places(row);
        const last = stood.at(-1);
        if (!last) return [];
        const isHere = (date: string) => stood.some(one => one.from <= date && date <= one.to);
        const counts = new Map(dates.filter(isHere).map(date => [date, 0]));
        for (const date of (times.get(row.place.id) ?? []).map(dateOf))
          if (counts.has(date)) counts.set(date, counts.get(date)! + 1);
        const days = dates.map(date => counts.get(date) ?? 0);
        return { ...personFacts({ ...row, ...last }, site.name, call.caller.role), days };
      });
      return { rows, cursor: next };
    },

    async punches({ ext_id: extId, month, from: first, to: last = first, cursor, limit }) {
      if (!(await store.read.person(extId))) throw refused(404, 'unknown', 'nobody has this id');
      const { dayBounds } = wallTime(site.timezone);
      const { from, to } =
        first === undefined ? monthOf(month) : { from: dayBounds(first).from, to: dayBounds(last ?? first).to };
      const found = await store.read.punches({ extId, from, to, after: timePlaceOf(cursor), limit });
      const rows = found.map((row): PersonPunch => {
        const device = deviceWords(store.directory, row.deviceNo);
        return {
          id: row.shownId,
          at: row.at,
          ...device,
          device: device.device || row.placeInCloud,
          terminal_id: row.terminalId ?? device.device_id.slice(device.device_id.indexOf('_') + 1),
          type: row.checkType,
          received_at: row.receivedAt,
          ...recordClock(row),
          state: config.upstream && row.source !== 'added' ? row.state : 'kept here',
          confirmed_at: row.confirmedAt,
          source: row.source,
          set_aside: row.mark?.setAside ?? false,
          work_date: row.mark?.workDate ?? null,
          reason: row.mark?.reason ?? '',
          correction: row.mark?.correctionId ?? null,
        };
      });
      const end = found.at(-1);
      return { rows, cursor: end && found.length === limit ? `${end.at}-${end.id}` : null };
    },
  };
}

function daysOf(month: string): string[] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}
