import { z } from '@hono/zod-openapi';
import { type AttendanceResults, planChange, withRule, withShift } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import { firstVersion } from '../../platform/shifts.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { ReadPart, ScheduleReads } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { byCommand, operation, type Running } from '../operation.ts';
import { rosterBody, shift, shiftOf, targetOf } from './plan-shapes.ts';

export const daysChanged = z.object({
  days: z.number(),
  people: z.number(),
  since: z
    .string()
    .describe(described('The first date that was looked at: 92 days back at most', '最早检查的日期：最多往前 92 天')),
  cut: z
    .boolean()
    .describe(described('There are more than the 1000 people that were looked at', '除检查的 1000 人外还有其他人')),
});
export const pastChange = {
  returns: described(
    'How many days that are over change, of how many people; nothing was stored',
    '有多少过去的日期、多少人会改变；没有保存任何内容',
  ),
  answer: daysChanged,
} as const;

export const planPreviewOperations = {
  previewRoster: operation({
    method: 'post',
    path: '/schedules/previews/roster',
    role: 'staff',
    audited: described('looked at what a roster would change', '预览排班更改'),
    summary: described('What a roster would change in days that are over', '预览一条排班会改变哪些过去的日期'),
    body: rosterBody.extend({
      id: z.number().int().positive().nullable().describe(described('Null: a new one', 'null：新的')),
    }),
    ...pastChange,
  }),
  previewShift: operation({
    method: 'post',
    path: '/schedules/previews/shift',
    role: 'staff',
    audited: described('looked at what a shift would change', '预览班次更改'),
    summary: described(
      'What a version of a shift would change in days that are over',
      '预览班次的一个版本会改变哪些过去的日期',
    ),
    body: shift,
    ...pastChange,
  }),
};

/** Changes that plans would make before they are saved: computed from both, and compared. */
export function planPreviews({
  store,
  clock,
  config,
  results,
}: {
  readonly store: ReadPart<ScheduleReads>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
  readonly results: Pick<AttendanceResults, 'of' | 'withPlans'>;
}): Running<typeof planPreviewOperations> {
  const today = () => dayOf(clock.now(), config.site.timezone).day;
  return {
    async previewRoster({ id, target, ...body }, call = byCommand) {
      const before = id === null ? null : await store.read.rosterRule(id);
      const rule = {
        ...{ id: Number.MAX_SAFE_INTEGER, recordedAt: clock.now(), recordedBy: '' },
        ...before,
        ...{ ...body, target: targetOf(target) },
      };
      const from = before && before.from < rule.from ? before.from : rule.from;
      const plans = { rosterRules: withRule(store.read, rule) };
      return planChange(results, plans, { from, today: today(), signal: call.signal });
    },

    async previewShift(body, call = byCommand) {
      const next = shiftOf(body);
      const plans = { shifts: withShift(store.read, next) };
      // For the first version the comparison goes back as far as it may.
      const from = next.validFrom === firstVersion ? '1970-01-01' : next.validFrom;
      return planChange(results, plans, { from, today: today(), signal: call.signal });
    },
  };
}
