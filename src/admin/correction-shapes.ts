import { z } from '@hono/zod-openapi';
import { isDay } from '../runtime/calendar-date.ts';
import { described } from '../words/described.ts';

export const kinds = ['add', 'set_aside', 'move_to'] as const;

export const states = ['asked', 'approved', 'refused', 'withdrawn'] as const;

const aDay = { error: 'write a day such as 2026-11-20' };

export const dayText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, aDay)
  .refine(isDay, aDay);

export const extId = z.string().min(1).max(64);

export const reason = z.string().trim().min(1, { error: 'say why: a correction needs a reason' }).max(200);

export const correctionShape = z.object({
  id: z.number().describe(described('The same for all check-ins of one correction', '同一条考勤调整的各次打卡相同')),
  ext_id: z.string(),
  name: z.string().describe(described('Empty: nobody has this id now', '空：现在没有人使用此编号')),
  kind: z.enum([...kinds, 'undo']),
  checkin: z
    .number()
    .nullable()
    .describe(
      described(
        'As callers of the attendance API see it; null: not added yet',
        '与考勤接口调用方所见相同；null：尚未补卡',
      ),
    ),
  at: z.number().describe(described('Of the check-in, seconds since 1970', '打卡的时间，自 1970 年起的秒数')),
  work_date: z
    .string()
    .nullable()
    .describe(described('Of move_to: the date that the check-in belongs to', 'move_to 时：打卡所属的日期')),
  reason: z.string(),
  asked_by: z.string(),
  asked_at: z.number(),
  decided_by: z.string().nullable(),
  decided_at: z.number().nullable(),
  state: z.enum(states).describe(described('Only an approved one counts', '只有已批准的才生效')),
  reverses: z
    .number()
    .nullable()
    .describe(described('Of an undo: the correction that it reverses', '撤销时：被撤销的考勤调整')),
  undone: z.boolean(),
});

export const outcome = z.object({ id: z.number(), state: z.enum(states) });
