import { z } from '@hono/zod-openapi';
import { type AttendanceResults, planChange, withRule, withShift } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import { firstVersion } from '../../platform/shifts.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { ReadPart, ScheduleReads } from '../../store/index.ts';
import { byCommand, operation, type Running } from '../operation.ts';
import { rosterBody, shift, shiftOf, targetOf } from './plan-shapes.ts';

export const daysChanged = z.object({
  days: z.number(),
  people: z.number(),
  since: z.string().describe('The first date that was looked at: 92 days back at most'),
  cut: z.boolean().describe('There are more than the 1000 people that were looked at'),
});
export const pastChange = {
  returns: 'How many days that are over change, of how many people; nothing was stored',
  answer: daysChanged,
} as const;

export const planPreviewOperations = {
  previewRoster: operation({
    method: 'post',
    path: '/schedules/previews/roster',
    role: 'staff',
    summary: 'What a roster would change in days that are over',
    body: rosterBody.extend({ id: z.number().int().positive().nullable().describe('Null: a new one') }),
    ...pastChange,
  }),
  previewShift: operation({
    method: 'post',
    path: '/schedules/previews/shift',
    role: 'staff',
    summary: 'What a version of a shift would change in days that are over',
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
