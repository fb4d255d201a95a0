import { z } from '@hono/zod-openapi';
import { arrivalPartSeconds, type ReportsThread } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import { described } from '../../words/described.ts';
import { operation, type Report, type Running } from '../operation.ts';
import { begunDay, dayQuery, noSuchDay } from './begun-day.ts';

const parts = z.array(z.number());
const dayArrivals = z.object({
  day: z.string().describe(described('Of the site', '站点的')),
  part_s: z.number().describe(described('How long a part of the day is', '每段的长度')),
  expected: parts
    .nullable()
    .describe(
      described(
        'How many people the schedules expect to come in each part; null: nobody',
        '排班预期每段到达的人数；null：无人',
      ),
    ),
  arrived: parts
    .nullable()
    .describe(
      described(
        'How many of them came in each part; null with `expected`',
        '每段其中实际到达的人数；`expected` 为 null 时也为 null',
      ),
    ),
  now: z
    .object({
      due: z
        .number()
        .describe(described('Whose shift has begun, or who came before it', '班次已开始或已提前到达的人数')),
      came: z.number().describe(described('How many of them have come', '其中已到的人数')),
      late: z.number().describe(described('How many of these came late', '已到人员中迟到的人数')),
    })
    .nullable()
    .describe(
      described('As on the page of the day; null with `expected`', '与考勤日报一致；`expected` 为 null 时也为 null'),
    ),
});
export type DayArrivalsReport = Report<typeof dayArrivals>;

export const dayArrivalOperations = {
  report: operation({
    method: 'get',
    path: '/day/arrivals',
    role: 'viewer',
    summary: described(
      'When the schedules expect people on a day, and when they came; at most a minute old',
      '某天排班应到的时间和实际到达的时间，最多延迟一分钟',
    ),
    query: z.object({
      day: dayQuery,
    }),
    returns: described('The arrivals', '到达情况'),
    answer: dayArrivals,
    failures: noSuchDay,
  }),
};

const freshMs = 60_000;
const keptMax = 8;

interface Kept {
  readonly until: number;
  readonly report: DayArrivalsReport;
}

/** Arrivals beside what the schedules expect. Who asks meanwhile gets what was found before. */
export function dayArrivalsOf({
  reports,
  clock,
  config,
}: {
  readonly reports: Pick<ReportsThread, 'arrivals'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly config: Pick<Config, 'site'>;
}): Running<typeof dayArrivalOperations> {
  const kept = new Map<string, Promise<Kept>>();
  const find = async (day: string): Promise<Kept> => {
    const found = await reports.arrivals(day);
    const { expected = null, arrived = null, now = null } = found ?? {};
    return {
      until: clock.monotonic() + freshMs,
      report: {
        day,
        part_s: arrivalPartSeconds,
        expected: expected && [...expected],
        arrived: arrived && [...arrived],
        now,
      },
    };
  };
  return {
    async report({ day: asked } = {}) {
      const today = dayOf(clock.now(), config.site.timezone).day;
      const day = begunDay(asked, today);
      const running = kept.get(day);
      const before = await running?.catch(() => undefined);
      if (before && before.until > clock.monotonic()) return before.report;
      // Somebody else may have begun meanwhile.
      const begun = kept.get(day);
      if (begun && begun !== running) return (await begun).report;
      const found = find(day);
      kept.delete(day);
      kept.set(day, found);
      if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
      return (await found).report;
    },
  };
}
