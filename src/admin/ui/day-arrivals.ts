import { z } from '@hono/zod-openapi';
import type { AttendanceResults } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import { isDay } from '../../runtime/calendar-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf, wallTime } from '../../runtime/wall-time.ts';
import { described } from '../../words/described.ts';
import { operation, type Report, type Running } from '../operation.ts';
import { refused } from '../problem.ts';

const parts = z.array(z.number());
const dayArrivals = z.object({
  day: z.string().describe(described('Of the site', '站点的')),
  part_s: z.number().describe(described('How long a part of the day is', '每段的长度')),
  expected: parts
    .nullable()
    .describe(
      described(
        'How many people the schedules expect to come in each part; null: nobody, or the site is too large',
        '排班预期每段到达的人数；null：无人，或站点太大',
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
      day: z
        .string()
        .optional()
        .describe(described('Such as 2026-11-20; today if it is left out', '例如 2026-11-20；缺省为今天')),
    }),
    returns: described('The arrivals', '到达情况'),
    answer: dayArrivals,
    failures: { 422: described('There is no such day, or it has not come', '没有此日期，或尚未到来') },
  }),
};

const partSeconds = 15 * 60;
/** Results of a person take up to a millisecond: more people would take seconds of every minute. */
const peopleMax = 2000;
const freshMs = 60_000;
/** Time for which a site that is too large is not counted again. */
const tooLargeMs = 3_600_000;
const keptMax = 8;

interface Kept {
  readonly until: number;
  readonly report: DayArrivalsReport;
}

/** Arrivals beside what the schedules expect. Who asks meanwhile gets what was found before. */
export function dayArrivalsOf({
  results,
  clock,
  config,
}: {
  readonly results: Pick<AttendanceResults, 'of'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly config: Pick<Config, 'site'>;
}): Running<typeof dayArrivalOperations> {
  const kept = new Map<string, Promise<Kept>>();
  const find = async (day: string): Promise<Kept> => {
    const { from, to } = wallTime(config.site.timezone).dayBounds(day);
    const length = Math.ceil((to - from) / partSeconds);
    const expected = Array.from({ length }, () => 0);
    const arrived = Array.from({ length }, () => 0);
    const partOf = (at: number) => Math.max(0, Math.min(length - 1, Math.floor((at - from) / partSeconds)));
    let people = 0;
    let planned = 0;
    for await (const { days } of results.of({ from: day, to: day, limit: peopleMax + 1 })) {
      if (++people > peopleMax) break;
      const first = days[0]?.segments.find(({ state, plannedOn }) => state !== 'leave' && plannedOn !== null);
      if (!first) continue;
      planned++;
      expected[partOf(first.plannedOn!)]!++;
      if (first.in) arrived[partOf(first.in.at)]!++;
    }
    const isKnown = planned > 0 && people <= peopleMax;
    return {
      until: clock.monotonic() + (people > peopleMax ? tooLargeMs : freshMs),
      report: {
        day,
        part_s: partSeconds,
        expected: isKnown ? expected : null,
        arrived: isKnown ? arrived : null,
      },
    };
  };
  return {
    async report({ day: asked } = {}) {
      const today = dayOf(clock.now(), config.site.timezone).day;
      if (asked !== undefined && (!isDay(asked) || asked > today))
        throw refused(422, 'day', 'day: write a day such as 2026-11-20 that has begun');
      const day = asked ?? today;
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
