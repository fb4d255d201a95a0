import { z } from '@hono/zod-openapi';
import { described } from '../../words/described.ts';
import { clockShape, lateShape } from '../clock.ts';
import { person, source } from '../people-shapes.ts';

export const dayReport = z.object({
  day: z.string(),
  today: z.string().describe(described('Of the site', '站点的')),
  calendar: z
    .object({
      type: z.enum(['WORK', 'BREAK']),
      name: z.string(),
      source: z
        .string()
        .describe(
          described(
            'unpublished: the type is only that of the standard work week',
            'unpublished：类型只依据标准工作周',
          ),
        ),
    })
    .nullable(),
  people: z
    .number()
    .describe(described('Of a day that is over only those who had come in by then', '已过去的日期只计当时已打卡的人')),
  here: z.number(),
  absence: z
    .enum(['missing', 'none'])
    .describe(
      described(
        'none: nobody was expected, or one site is asked for; who did not come, or came elsewhere, is not missing',
        'none：当天无人应到，或只查询一个站点；未到或在别处打卡者不算缺勤',
      ),
    ),
  unknown: z
    .number()
    .describe(
      described('Check-ins of the day that name nobody whom the organization knows', '当天没有对应人员的打卡数'),
    ),
});

export const dayPerson = person.extend({ first: source.nullable(), last: source.nullable(), count: z.number() });

export const monthReport = z.object({
  month: z.string(),
  this_month: z.string(),
  days: z.array(z.object({ day: z.string(), break: z.boolean(), name: z.string() })),
});

export const monthPerson = person.extend({
  days: z
    .array(z.number())
    .describe(described('How many check-ins on each day, from the first', '从第一天起每天的打卡次数')),
});

export const personPunch = z.object({
  id: z.number(),
  at: z.number(),
  device_id: z.string(),
  device: z.string(),
  terminal_id: z.string(),
  type: z.string(),
  received_at: z.number(),
  clock: clockShape,
  late_s: lateShape,
  state: z
    .enum(['waiting', 'confirmed', 'parked', 'kept here'])
    .describe(
      described(
        'kept here: the box has no cloud, or a correction added it',
        'kept here：网关没有云平台，或由考勤调整补卡',
      ),
    ),
  confirmed_at: z.number().nullable(),
  source: z.enum(['device', 'added', 'imported']),
  set_aside: z.boolean(),
  work_date: z
    .string()
    .nullable()
    .describe(
      described(
        'The date to which a correction has moved it; null: it was not moved',
        '考勤调整后的归属日期；null：没有调整',
      ),
    ),
  reason: z
    .string()
    .describe(
      described(
        'Why it was set aside, else why it was moved, else why it was added; empty: no correction is about it',
        '作废的原因，否则为调整归属日期的原因，否则为补卡的原因；空：没有相关的考勤调整',
      ),
    ),
  correction: z
    .number()
    .nullable()
    .describe(
      described(
        'The correction that set it aside, else the one that moved it, else the one that added it',
        '使其作废的考勤调整，否则为调整其归属日期的考勤调整，否则为补卡的考勤调整',
      ),
    ),
});
