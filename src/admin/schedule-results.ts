import { z } from '@hono/zod-openapi';
import {
  type AttendanceResults,
  type DayResult,
  flagNames,
  type Minutes,
  type PersonResults,
  type PunchUse,
  punchRoles,
  type SegmentResult,
  unplacedReasons,
} from '../attendance/index.ts';
import type { Site } from '../platform/site.ts';
import { addDays, dayNumber } from '../runtime/calendar-date.ts';
import type { Clock } from '../runtime/clock.ts';
import { dayOf } from '../runtime/day-bounds.ts';
import type { Directory, DirectoryStore } from '../store/index.ts';
import { clockShape, lateShape, recordClock } from './clock.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';
import {
  cursorText,
  dayText,
  deviceWords,
  extIdText,
  monthText,
  pageQuery,
  person,
  personCursor,
  personFacts,
  personPlaceOf,
  scopeOf,
  scopeQuery,
} from './ui/people-shapes.ts';

const wholeMinutes = z.int().min(0);
const minutesShape = z
  .object({
    planned: wholeMinutes,
    worked: wholeMinutes.describe('In shifts, within their times; never more than planned'),
    break: wholeMinutes.describe('Unpaid breaks that were taken off'),
    late: wholeMinutes,
    early: wholeMinutes,
    leave: wholeMinutes,
    overtime_workday: wholeMinutes,
    overtime_rest: wholeMinutes,
    overtime_holiday: wholeMinutes.describe('Also what was worked in a shift that is planned on a legal holiday'),
  })
  .describe('Whole minutes. None of them is counted twice');

const flags = z.array(
  z.object({ flag: z.enum(flagNames), minutes: z.number().nullable().describe('Of back_from_break_late and late_on') }),
);

const end = z.object({
  at: z.number().describe('Seconds since 1970'),
  punch_id: z.number().nullable().describe('Null: the planned time counts'),
  source: z.enum(['device', 'added', 'imported', 'planned']),
});

const segmentStates = [
  'to_come',
  'running',
  'not_known_yet',
  'ok',
  'missing_in',
  'missing_out',
  'absent',
  'leave',
  'not_worked',
] as const;

const segment = z.object({
  shift: z.string(),
  planned_on: z.number().nullable().describe('After leave and flexible hours; null: a free shift'),
  planned_off: z.number().nullable(),
  in: end.nullable(),
  out: end.nullable(),
  state: z
    .enum(segmentStates)
    .describe('not_known_yet: terminals have not reported; not_worked: planned on a legal holiday, and no absence'),
  minutes: minutesShape,
  flags,
  waits_for: z
    .object({ device_id: z.string(), device: z.string(), since: z.number() })
    .nullable()
    .describe('Of not_known_yet: the terminal that is silent, and since when, in milliseconds'),
});

const punch = z.object({
  punch_id: z.number().describe('As callers of the attendance API see it'),
  correction_id: z.number().nullable(),
  at: z.number().describe('Seconds since 1970, as the terminal said'),
  counted: z.number().describe('The time that counts'),
  segment: z.number().nullable().describe('Index of the segment; null: of none'),
  role: z.enum(punchRoles),
  reason: z.enum(unplacedReasons).nullable(),
  minutes: z.number().nullable().describe('To the window'),
  is_second_time: z.boolean().describe('The clocks showed this time before, and were then set back'),
  device_id: z.string(),
  device: z.string(),
  type: z.string(),
  source: z.enum(['device', 'added', 'imported']),
  received_at: z.number(),
  clock: clockShape,
  late_s: lateShape,
});

const day = z.object({
  date: z.string(),
  kind: z.enum(['workday', 'rest', 'legal_holiday', 'none', 'not_employed']).describe('none: nothing is planned'),
  state: z
    .enum([...segmentStates, 'off', 'extra', 'none', 'not_employed'])
    .describe('That of the segment to look at first; off: a day off; extra: worked on a day off'),
  shift: z.string().nullable(),
  segments: z.array(segment),
  minutes: minutesShape,
  flags,
  punches: z.array(punch).describe('One that ends a segment and begins the next is listed for each'),
});

const sums = z.object({
  days: z.object({
    planned: z.number(),
    worked: z.number(),
    absent: z.number(),
    leave: z.number(),
    not_known: z.number(),
  }),
  counts: z.object({
    late: z.number(),
    early: z.number(),
    missing_in: z.number(),
    missing_out: z.number(),
    unplaced: z.number(),
    corrected: z.number(),
  }),
  minutes: minutesShape,
});

const personResults = person.extend({ sums, days: z.array(day) });
export type PersonResultsReport = Report<typeof personResults>;

const daysMax = 62;

export const scheduleResultOperations = {
  results: operation({
    method: 'get',
    path: '/attendance/results',
    role: 'viewer',
    summary:
      'What people worked by their schedules: hours, late, early, missing, overtime, leave, of a month or some days',
    query: z.object({
      month: monthText.optional().describe('Absent, without from and to: this month'),
      from: dayText.optional().describe('Inclusive'),
      to: dayText.optional().describe(`Inclusive; at most ${daysMax} days`),
      ...scopeQuery,
      person: extIdText.optional().describe('An external id'),
      with: z
        .enum(['sums', 'days', 'punches'])
        .default('days')
        .describe('sums leaves the days out, days the punches of each'),
      ...pageQuery(50),
    }),
    returns: 'A page of people, by department',
    answer: z.object({
      from: z.string(),
      to: z.string(),
      time_zone: z.string(),
      rows: z.array(personResults),
      cursor: cursorText,
    }),
    failures: { 404: 'Nobody has this external id' },
  }),
};

interface ResultParts {
  readonly results: Pick<AttendanceResults, 'of'>;
  readonly store: DirectoryStore;
  readonly clock: Clock;
  readonly site: Pick<Site, 'name' | 'timezone'>;
}

/** Of a running box: the holidays come from its services. */
export const scheduleResultsAdmin = ({
  results,
  store: { directory },
  clock,
  site,
}: ResultParts): Running<typeof scheduleResultOperations> => ({
  async results({ person: extId, with: detail, cursor, limit, ...query }, call = byCommand) {
    const span = spanOf(query, dayOf(clock.now(), site.timezone).day);
    const found: PersonResults[] = [];
    const after = personPlaceOf(cursor);
    for await (const one of results.of({ ...span, ...scopeOf(query), extId, after, limit, signal: call.signal }))
      found.push(one);
    if (extId !== undefined && found.length === 0) throw refused(404, 'unknown', 'nobody has this id');
    const rows = found.map(one => ({
      ...personFacts(one.person, site.name, call.caller.role),
      sums: sumsReport(one.sums),
      days: detail === 'sums' ? [] : one.days.map(each => dayReport(each, directory, detail === 'punches')),
    }));
    const people = found.map(one => one.person);
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
  if (from === undefined && to === undefined) return monthSpan(month ?? today.slice(0, 7));
  if (month !== undefined || from === undefined || to === undefined)
    throw refused(400, 'bad_span', 'write month=2026-11, or both from and to');
  const days = dayNumber(to) - dayNumber(from) + 1;
  if (days < 1) throw refused(400, 'bad_span', `to ${to} lies before from ${from}`);
  if (days > daysMax) throw refused(400, 'bad_span', `${days} days: ask for at most ${daysMax} at once`);
  return { from, to };
}

function monthSpan(month: string): { from: string; to: string } {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const next = number === 12 ? `${year + 1}-01-01` : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}-01`;
  return { from: `${month}-01`, to: addDays(next, -1) };
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

const dayReport = (one: DayResult, directory: Directory, withPunches: boolean) => ({
  date: one.date,
  kind: one.kind,
  state: one.state,
  shift: one.shift,
  segments: one.segments.map(each => segmentReport(each, directory)),
  minutes: minutesReport(one.minutes),
  flags: one.flags,
  punches: withPunches ? one.punches.map(each => punchReport(each, directory)) : [],
});

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
