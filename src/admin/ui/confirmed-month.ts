import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { OwnPageStore } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import type { Call, Report } from '../operation.ts';
import { refused } from '../problem.ts';
import type { PersonResultsReport } from '../result-shapes.ts';
import { type ResultParts, scheduleResultsAdmin } from '../schedule-results.ts';

export const confirmation = z
  .object({
    at: z.number(),
    is_current: z.boolean().describe(described('False: the month has changed since', 'false：此后该月有变化')),
  })
  .nullable()
  .describe(described('Null: the person has not confirmed the month', 'null：本人尚未确认该月'));

export type ConfirmedMonthParts = ResultParts & { readonly store: OwnPageStore };

interface ConfirmedMonth extends Pick<PersonResultsReport, 'closed' | 'sums' | 'days'> {
  readonly from: string;
  readonly to: string;
  /** Of the figures and the check-ins that count. */
  readonly digest: string;
  readonly confirmed: Report<typeof confirmation>;
}

/** A person's month, and whether the person has confirmed it as it is now. */
export const confirmedMonths = (parts: ConfirmedMonthParts) => {
  const { results } = scheduleResultsAdmin(parts);
  return async (extId: string, month: string, call: Call): Promise<ConfirmedMonth> => {
    const { rows, from, to } = await results({ person: extId, month, with: 'punches', limit: 1 }, call);
    const [row] = rows;
    if (!row) throw refused(404, 'unknown', 'nobody has this id');
    const { closed, sums, days } = row;
    const digest = digestOf(row);
    const found = await parts.store.read.monthConfirmation({ extId, month });
    const confirmed = found && { at: found.at, is_current: found.digest === digest };
    return { from, to, closed, sums, days, digest, confirmed };
  };
};

/** The same for the same figures, whatever a terminal is called now. */
function digestOf({ sums, days }: Pick<PersonResultsReport, 'sums' | 'days'>): string {
  const counted = days.map(({ date, state, minutes, punches }) => [
    ...[date, state, minutes],
    punches.map(({ punch_id, counted: at, role }) => [punch_id, at, role]),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([sums, counted]))
    .digest('hex');
}
