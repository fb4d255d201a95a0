import { z } from '@hono/zod-openapi';
import {
  type DayResult,
  type Minutes,
  monthDates,
  type PersonResults,
  type PunchUse,
  type ReportsThread,
  type SegmentResult,
} from '../attendance/index.ts';
import { monthFilters } from '../platform/day-figures.ts';
import type { Site } from '../platform/site.ts';
import { dayNumber } from '../runtime/calendar-date.ts';
import type { Clock } from '../runtime/clock.ts';
import { dayOf } from '../runtime/wall-time.ts';
import type { Directory, DirectoryStore } from '../store/index.ts';
import { described } from '../words/described.ts';
import { recordClock } from './clock.ts';
import { byCommand, operation, type Running, resource } from './operation.ts';
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
  scopeOf,
  scopeQuery,
} from './people-shapes.ts';
import { refused } from './problem.ts';
import { type DayMarkReport, personResults } from './result-shapes.ts';

const daysMax = 62;

const scheduleResultOperations = {
  results: operation({
    method: 'get',
    path: '/attendance/results',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'What people worked by their schedules: hours, late, early, missing, overtime, leave, of a month or some days',
      '按排班计算的某月或若干天的工时、迟到、早退、缺卡、加班和请假',
    ),
    query: z.object({
      month: monthText
        .optional()
        .describe(described('Absent, without from and to: this month', '缺省且没有 from 和 to 时为本月')),
      from: dayText.optional().describe(described('Inclusive', '含当天')),
      to: dayText.optional().describe(described(`Inclusive; at most ${daysMax} days`, `含当天；最多 ${daysMax} 天`)),
      ...scopeQuery,
      person: extIdText.optional().describe(described('An external id', '外部编号')),
      with: z
        .enum(['sums', 'marks', 'days', 'punches'])
        .default('days')
        .describe(
          described(
            'sums leaves the days out, marks has the state of each, days its segments, punches also its check-ins',
            'sums 不含各天，marks 为每天的状态，days 含每天的时段，punches 另含每天的打卡',
          ),
        ),
      show: z
        .string()
        .transform(text => text.split(','))
        .pipe(z.array(z.enum(monthFilters)))
        .optional()
        .describe(
          described(
            `Only people with such a day: one or several of ${monthFilters.join(', ')}`,
            '只列出有此类日期的人员，一种或几种，以逗号分隔',
          ),
        ),
      ...pageQuery(50),
    }),
    returns: described('A page of people, by department', '一页人员，按部门排列'),
    answer: z.object({
      from: z.string(),
      to: z.string(),
      time_zone: z.string(),
      rows: z.array(personResults),
      cursor: cursorText,
    }),
    failures: { 404: described('Nobody has this external id', '没有人使用此外部编号') },
  }),
};

export interface ResultParts {
  readonly reports: Pick<ReportsThread, 'people'>;
  readonly store: DirectoryStore;
  readonly clock: Clock;
  readonly site: Pick<Site, 'name' | 'timezone'>;
}

/** Of a running box: the holidays come from its services. */
export const scheduleResultsAdmin = ({
  reports,
  store: { directory },
  clock,
  site,
}: ResultParts): Running<typeof scheduleResultOperations> => ({
  async results({ person: extId, with: detail, show, cursor, limit, ...query }, call = byCommand) {
    const span = spanOf(query, dayOf(clock.now(), site.timezone).day);
    const found: PersonResults[] = [];
    const after = personPlaceOf(cursor);
    const wanted = { ...span, ...scopeOf(query), extId, byDepartment: extId === undefined, detail, show };
    for await (const one of reports.people({ ...wanted, after, limit, signal: call.signal })) found.push(one);
    if (extId !== undefined && show === undefined && found.length === 0)
      throw refused(404, 'unknown', 'nobody has this id');
    const rows = found.map(one => ({
      ...personFacts(one.person, site.name, call.caller.role),
      closed: one.closed?.revision ?? null,
      sums: sumsReport(one.sums),
      days: detail === 'marks' ? [] : one.days.map(each => dayReport(each, directory)),
      marks: detail === 'marks' ? one.days.map(markReport) : [],
    }));
    // People with a closed month who have left the scope follow the last page.
    const listed = found.map(one => one.person).filter(({ place }) => place.id > 0);
    const people = listed.filter(({ place }, index) => place.id !== listed[index - 1]?.place.id);
    return {
      ...span,
      time_zone: site.timezone,
      rows,
      cursor: extId === undefined ? personCursor(people, limit) : null,
    };
  },
});

function spanOf(
  { month, from, to }: { month?: string | undefined; from?: string | undefined; to?: string | undefined },
  today: string,
): { from: string; to: string } {
  if (from === undefined && to === undefined) return monthDates(month ?? today.slice(0, 7));
  if (month !== undefined || from === undefined || to === undefined)
    throw refused(400, 'bad_span', 'write month=2026-11, or both from and to');
  const days = dayNumber(to) - dayNumber(from) + 1;
  if (days < 1) throw refused(400, 'bad_span', `to ${to} lies before from ${from}`);
  if (days > daysMax) throw refused(400, 'bad_span', `${days} days: ask for at most ${daysMax} at once`);
  return { from, to };
}

const minutesReport = ({ overtimeWorkday, overtimeRest, overtimeHoliday, ...minutes }: Minutes) => ({
  ...minutes,
  overtime_workday: overtimeWorkday,
  overtime_rest: overtimeRest,
  overtime_holiday: overtimeHoliday,
});

const endReport = (found: SegmentResult['in']) =>
  found && { at: found.at, punch_id: found.punchId, source: found.source };

const segmentReport = (one: SegmentResult, directory: Directory) => ({
  shift: one.shift,
  planned_on: one.plannedOn,
  planned_off: one.plannedOff,
  in: endReport(one.in),
  out: endReport(one.out),
  state: one.state,
  minutes: minutesReport(one.minutes),
  flags: one.flags,
  waits_for: one.waitsFor && { ...deviceWords(directory, one.waitsFor.deviceNo), since: one.waitsFor.since },
});

export const dayReport = (one: DayResult, directory: Directory) => ({
  date: one.date,
  kind: one.kind,
  state: one.state,
  shift: one.shift,
  segments: one.segments.map(each => segmentReport(each, directory)),
  minutes: minutesReport(one.minutes),
  flags: one.flags,
  punches: one.punches.map(each => punchReport(each, directory)),
});

/** Of a day, what a list of many people shows. */
function markReport({ date, kind, state, segments, minutes, flags }: DayResult): DayMarkReport {
  const { planned: _planned, worked: _worked, break: _break, ...counted } = minutesReport(minutes);
  const more = Object.entries(counted).filter(([, of]) => of > 0);
  return {
    ...{ date, kind, state },
    ...(segments.length > 1 && { segments: segments.map(each => ({ state: each.state })) }),
    ...(more.length > 0 && { minutes: Object.fromEntries(more) }),
    ...(flags.length > 0 && { flags }),
  };
}

const punchReport = ({ punch: made, isSecondTime, ...use }: PunchUse, directory: Directory) => ({
  punch_id: made.id,
  correction_id: made.correctionId,
  at: made.at,
  counted: use.counted,
  segment: use.segment,
  role: use.role,
  reason: use.reason,
  minutes: use.minutes,
  is_second_time: isSecondTime,
  ...deviceWords(directory, made.deviceNo),
  type: made.checkType,
  source: made.source,
  received_at: made.receivedAt,
  ...recordClock(made),
});

const sumsReport = ({ days, counts, minutes }: PersonResults['sums']) => ({
  days: {
    planned: days.planned,
    worked: days.worked,
    absent: days.absent,
    leave: days.leave,
    not_known: days.notKnown,
  },
  counts: {
    late: counts.late,
    early: counts.early,
    missing_in: counts.missingIn,
    missing_out: counts.missingOut,
    unplaced: counts.unplaced,
    corrected: counts.corrected,
  },
  minutes: minutesReport(minutes),
});

export const scheduleResultsResource = resource(scheduleResultOperations, scheduleResultsAdmin);
