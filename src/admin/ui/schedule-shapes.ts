import { z } from '@hono/zod-openapi';
import { described } from '../../words/described.ts';
import { overrideRow, rosterRow, shift } from './plan-shapes.ts';

export const stray = {
  404: described('There is none of this id', '没有此编号'),
  422: described('The plan is refused; `problems` says where and why', '不接受；`problems` 说明何处及原因'),
} as const;

export const planReport = z.object({
  today: z.string().describe(described('Of the site', '站点的')),
  shifts: z.array(shift).describe(described('Every version, by code and date', '每个版本，按代码和日期')),
  rosters: z
    .array(rosterRow)
    .describe(
      described(
        'Those that hold today or later, in the order in which they were entered',
        '今天或以后有效的，按录入的顺序',
      ),
    ),
  cut: z.boolean().describe(described('There are more than are listed', '实际多于所列')),
});

export const calendarDay = z.object({
  date: z.string(),
  break: z
    .boolean()
    .describe(
      described('Nobody works by the national calendar, or it is a weekend', '按法定节假日安排无人上班，或为周末'),
    ),
  holiday: z.string().describe(described('Of the national calendar; empty: none', '法定节假日的名称；空：没有')),
});
export const calendarReport = z.object({
  month: z.string(),
  days: z.array(
    calendarDay.extend({
      published: z
        .boolean()
        .describe(described('The national calendar of the year is known', '当年的法定节假日安排已知')),
      own: z.array(overrideRow).describe(described('What the site has said of the day', '站点对当天的安排')),
    }),
  ),
  cut: z
    .boolean()
    .describe(described('Days of single people are not listed: there are too many', '未列出个别人员的安排：数量太多')),
});
