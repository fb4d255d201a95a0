import { z } from '@hono/zod-openapi';
import { type PersonOnDay, type ReportsThread, statusNames } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf, wallTime } from '../../runtime/wall-time.ts';
import type { Directory, DirectoryStore } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import {
  cursorText,
  dayText,
  deviceWords,
  extIdText,
  pageQuery,
  person,
  personFacts,
  scopeOf,
  scopeQuery,
  source,
  sourceFacts,
} from '../people-shapes.ts';

const counts = z.record(z.enum(statusNames), z.number());
const statusWords = described(
  'absent: a shift has begun without the person; missing: a check-in at its start or end is missing; expected: the shift has not begun; off: a rest day or holiday; none: no schedule',
  'absent：班次已开始而未打卡；missing：上班或下班缺卡；expected：班次尚未开始；off：休息日或节假日；none：没有排班',
);

const punch = source.extend({ added: z.boolean().describe(described('By a correction', '由考勤调整补卡')) });

const personOfDay = person.extend({
  status: z.enum(statusNames).describe(statusWords),
  shift: z.string().nullable().describe(described('Its code; null: no shift', '班次代码；null：没有班次')),
  planned_on: z
    .number()
    .nullable()
    .describe(
      described('Seconds since 1970; null: a free shift, or none', '自 1970 年起的秒数；null：自由班次或没有班次'),
    ),
  planned_off: z.number().nullable(),
  first: punch.nullable().describe(described('Without a shift those of the day', '没有班次时为当天的打卡')),
  last: punch.nullable(),
  late: z.number().describe(described('Minutes', '分钟')),
  early: z.number().describe(described('Minutes', '分钟')),
  missing: z
    .array(z.string())
    .describe(
      described(
        'Planned times that passed without a check-in, as POST /attendance/corrections takes them',
        '已过而没有打卡的排班时间，格式与 POST /attendance/corrections 相同',
      ),
    ),
});

const dayStatus = z.object({
  day: z.string(),
  planned: z.boolean().describe(described('Whether anybody of the scope has a schedule', '范围内是否有人有排班')),
  counts: counts.describe(described('People who match all filters but `status`', '符合除 `status` 以外各项条件的人数')),
  shifts: z
    .array(z.object({ code: z.string(), name: z.string(), counts }))
    .describe(described('Of everybody in the scope', '范围内所有人的')),
  departments: z.array(z.object({ ext_id: z.string(), name: z.string(), counts })),
  terminals: z
    .array(z.object({ device_id: z.string(), device: z.string(), people: z.number() }))
    .describe(
      described(
        'Those that the people who miss a check-in have used in the days around, with how many of them; most first',
        '缺卡人员在前后几天用过的终端及人数，人数多的在前',
      ),
    ),
  total: z.number().describe(described('People who match all filters', '符合全部条件的人数')),
  rows: z.array(personOfDay).describe(described('By status, shift, department', '按状态、班次、部门排列')),
  cursor: cursorText,
});
export type DayStatusReport = Report<typeof dayStatus>;
export type PersonOfDay = Report<typeof personOfDay>;

export const dayStatusOperations = {
  status: operation({
    method: 'get',
    path: '/attendance/day/status',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'A day by the schedules: who is absent, late, present, expected later, on leave or off',
      '按排班的考勤日报：缺勤、迟到、在岗、待上班、请假或休息的人员',
    ),
    query: z.object({
      day: dayText.optional(),
      ...scopeQuery,
      status: z
        .string()
        .transform(text => text.split(','))
        .pipe(z.array(z.enum(statusNames)))
        .optional()
        .describe(
          described(`One or several, such as absent,late: ${statusNames.join(', ')}`, '一种或几种，以逗号分隔'),
        ),
      shift: z.string().max(64).optional().describe(described('Its code', '班次代码')),
      terminal: extIdText
        .optional()
        .describe(
          described('A device id: people who used it in the days around', '设备编号：前后几天用过该终端的人员'),
        ),
      ...pageQuery(100),
    }),
    returns: described('The counts and the page', '人数和一页人员'),
    answer: dayStatus,
  }),
};

/** Day by the schedules, from the results that months have. */
export function dayStatuses({
  store,
  clock,
  config,
  reports,
}: {
  readonly store: DirectoryStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly config: Pick<Config, 'site'>;
  readonly reports: Pick<ReportsThread, 'day'>;
}): Running<typeof dayStatusOperations> {
  const { site } = config;
  const { directory } = store;
  return {
    async status({ day: asked, status, shift, terminal, cursor, limit, ...query }, call = byCommand) {
      const day = asked ?? dayOf(clock.now(), site.timezone).day;
      const [list = null, from = 0] = cursor?.split('-').map(Number) ?? [];
      const used =
        terminal === undefined
          ? undefined
          : ([...directory.devices()].find(one => one.deviceId === terminal)?.deviceNo ?? null);
      const found = await reports.day(
        { day, ...scopeOf(query), list, asked: { status, shift, terminal: used, from, limit } },
        call.signal,
      );
      const { total, rows, counts } = found;
      return {
        ...{ day, planned: found.isPlanned, counts },
        shifts: found.shifts.map(one => ({
          code: one.code,
          name: found.shiftNames.get(one.code) || one.code,
          counts: one.counts,
        })),
        departments: found.departments.map(({ extId, name, ...of }) => ({
          ...{ ext_id: extId, name: name || site.name, counts: of.counts },
        })),
        terminals: found.terminals.map(({ deviceNo, people }) => ({ ...deviceWords(directory, deviceNo), people })),
        total,
        rows: rows.map(one => ({
          ...personFacts(one.person, site.name, call.caller.role),
          ...{ status: one.status, shift: one.shift, late: one.lateMinutes, early: one.earlyMinutes },
          ...{ planned_on: one.plannedOn, planned_off: one.plannedOff },
          first: punchFacts(directory, one.first),
          last: punchFacts(directory, one.last),
          missing: one.missingAt.map(at => writtenTime(at, site.timezone)),
        })),
        cursor: from + rows.length < total ? `${found.list}-${from + rows.length}` : null,
      };
    },
  };
}

const punchFacts = (directory: Directory, made: PersonOnDay['first']) =>
  made && { ...sourceFacts(directory, made)!, added: made.isAdded };

/** `2026-11-16T18:00:00`, with its offset where the clocks show it twice. */
const writtenTime = (at: number, timeZone: string): string => {
  const [date, time, offset = ''] = wallTime(timeZone).text(at).split(' ');
  return `${date}T${time}${offset}`;
};
