import { z } from '@hono/zod-openapi';
import { flagNames, punchRoles, unplacedReasons } from '../attendance/index.ts';
import { described } from '../words/described.ts';
import { clockShape, lateShape } from './clock.ts';
import type { Report } from './operation.ts';
import { person } from './people-shapes.ts';

const wholeMinutes = z.int().min(0);

const minutesShape = z
  .object({
    planned: wholeMinutes,
    worked: wholeMinutes.describe(
      described('In shifts, within their times; never more than planned', '班次之内的工时；不超过计划'),
    ),
    break: wholeMinutes.describe(described('Unpaid breaks that were taken off', '已扣除的无薪休息')),
    late: wholeMinutes,
    early: wholeMinutes,
    leave: wholeMinutes,
    overtime_workday: wholeMinutes,
    overtime_rest: wholeMinutes,
    overtime_holiday: wholeMinutes.describe(
      described('Also what was worked in a shift that is planned on a legal holiday', '也包括法定节假日排班的工时'),
    ),
  })
  .describe(described('Whole minutes. None of them is counted twice', '整分钟。各项互不重复计算'));

const flags = z.array(
  z.object({
    flag: z.enum(flagNames),
    minutes: z
      .number()
      .nullable()
      .describe(described('Of back_from_break_late and late_on', '用于 back_from_break_late 和 late_on')),
  }),
);

const end = z.object({
  at: z.number().describe(described('Seconds since 1970', '自 1970 年起的秒数')),
  punch_id: z.number().nullable().describe(described('Null: the planned time counts', 'null：按排定的时间计算')),
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
  planned_on: z
    .number()
    .nullable()
    .describe(described('After leave and flexible hours; null: a free shift', '扣除请假和弹性之后；null：自由工时')),
  planned_off: z.number().nullable(),
  in: end.nullable(),
  out: end.nullable(),
  state: z
    .enum(segmentStates)
    .describe(
      described(
        'not_known_yet: terminals have not reported; not_worked: planned on a legal holiday, and no absence',
        'not_known_yet：终端尚未上报；not_worked：法定节假日排班而未出勤，不算缺勤',
      ),
    ),
  minutes: minutesShape,
  flags,
  waits_for: z
    .object({ device_id: z.string(), device: z.string(), since: z.number() })
    .nullable()
    .describe(
      described(
        'Of not_known_yet: the terminal that is silent, and since when, in milliseconds',
        'not_known_yet 时：没有消息的终端，以及从何时起，毫秒',
      ),
    ),
});

const punch = z.object({
  punch_id: z.number().describe(described('As callers of the attendance API see it', '与考勤接口调用方所见相同')),
  correction_id: z.number().nullable(),
  at: z.number().describe(described('Seconds since 1970, as the terminal said', '终端所报的时间，自 1970 年起的秒数')),
  counted: z.number().describe(described('The time that counts', '用于计算的时间')),
  segment: z
    .number()
    .nullable()
    .describe(described('Index of the segment; null: of none', '时段的序号；null：不属于任何时段')),
  role: z.enum(punchRoles),
  reason: z.enum(unplacedReasons).nullable(),
  minutes: z.number().nullable().describe(described('To the window', '对应时段的哪一端')),
  is_second_time: z
    .boolean()
    .describe(
      described('The clocks showed this time before, and were then set back', '时钟曾显示过这一时间，之后被调回'),
    ),
  device_id: z.string(),
  device: z.string(),
  type: z.string(),
  source: z.enum(['device', 'added', 'imported']),
  received_at: z.number(),
  clock: clockShape,
  late_s: lateShape,
});

export const resultDay = z.object({
  date: z.string(),
  kind: z
    .enum(['workday', 'rest', 'legal_holiday', 'none', 'not_employed'])
    .describe(described('none: nothing is planned', 'none：没有排班')),
  state: z
    .enum([...segmentStates, 'off', 'extra', 'none', 'not_employed'])
    .describe(
      described(
        'That of the segment to look at first; off: a day off; extra: worked on a day off',
        '首先要看的时段的状态；off：休息日；extra：休息日出勤',
      ),
    ),
  shift: z.string().nullable(),
  segments: z.array(segment),
  minutes: minutesShape,
  flags,
  punches: z
    .array(punch)
    .describe(
      described(
        'One that ends a segment and begins the next is listed for each',
        '既结束一个时段又开始下一个的打卡，在两处都列出',
      ),
    ),
});

const dayMark = resultDay
  .pick({ date: true, kind: true, state: true })
  .extend({
    segments: z
      .array(segment.pick({ state: true }))
      .optional()
      .describe(described('Of a day with several', '一天有多个时段时')),
    minutes: minutesShape
      .pick({
        ...{ late: true, early: true, leave: true },
        ...{ overtime_workday: true, overtime_rest: true, overtime_holiday: true },
      })
      .partial()
      .optional(),
    flags: flags.optional(),
  })
  .describe(described('What is 0 or empty is left out', '为 0 或为空的字段不列出'));
export type DayMarkReport = Report<typeof dayMark>;

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

export const personResults = person.extend({
  closed: z
    .number()
    .nullable()
    .describe(
      described(
        'The revision of the closed month that the figures come from; null: not closed, or only some days',
        '数字所依据的封存版本；null：未封存，或只是部分日期',
      ),
    ),
  sums,
  days: z.array(resultDay).describe(described('With days or punches', 'with 为 days 或 punches 时')),
  marks: z.array(dayMark).describe(described('With marks', 'with 为 marks 时')),
});

export type PersonResultsReport = Report<typeof personResults>;
