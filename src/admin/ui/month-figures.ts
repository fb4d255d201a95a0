import { z } from '@hono/zod-openapi';
import type { ReportsThread } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import { monthFilters } from '../../platform/day-figures.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import { described } from '../../words/described.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import { monthText, scopeOf, scopeQuery } from '../people-shapes.ts';

const monthFigures = z.object({
  month: z.string(),
  people: z.number(),
  open: z.number().describe(described('People whose month is not closed', '尚未封存的人数')),
  planned: z.boolean().describe(described('Whether anybody has a schedule', '是否有人排班')),
  counts: z
    .record(z.enum(monthFilters), z.number())
    .describe(
      described(
        'People with such a day; review: missing in or out, absent, a correction that awaits approval, an odd check-in',
        '有此类日期的人数；review：缺卡、旷工、考勤调整待审批或异常打卡',
      ),
    ),
});
export type MonthFiguresReport = Report<typeof monthFigures>;

export const monthFigureOperations = {
  figures: operation({
    method: 'get',
    path: '/attendance/month/figures',
    role: 'viewer',
    ofWholeTables: true,
    summary: described(
      'How many people of a month are to review, have a missing check-in, were absent, late or on leave',
      '某月需要核对、缺卡、旷工、迟到、早退、加班和请假的人数',
    ),
    query: z.object({
      month: monthText.optional().describe(described('Absent: this month', '缺省：本月')),
      ...scopeQuery,
    }),
    returns: described('The counts', '人数'),
    answer: monthFigures,
  }),
};

/** Counts for the filters of the month's page: everybody of the scope is looked at. */
export const monthFiguresOf = ({
  clock,
  config,
  reports,
}: {
  readonly clock: Pick<Clock, 'now'>;
  readonly config: Pick<Config, 'site'>;
  readonly reports: Pick<ReportsThread, 'figures'>;
}): Running<typeof monthFigureOperations> => ({
  async figures({ month: asked, ...query } = {}, call = byCommand) {
    const month = asked ?? dayOf(clock.now(), config.site.timezone).day.slice(0, 7);
    return { month, ...(await reports.figures({ month, ...scopeOf(query) }, call.signal)) };
  },
});
