import { z } from '@hono/zod-openapi';
import { flagNames, punchRoles, unplacedReasons } from '../attendance/index.ts';
import { clockShape, lateShape } from './clock.ts';
import type { Report } from './operation.ts';
import { person } from './people-shapes.ts';

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

export const resultDay = z.object({
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

export const personResults = person.extend({
  closed: z
    .number()
    .nullable()
    .describe('The revision of the closed month that the figures come from; null: not closed, or only some days'),
  sums,
  days: z.array(resultDay),
});

export type PersonResultsReport = Report<typeof personResults>;
