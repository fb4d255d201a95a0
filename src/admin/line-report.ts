import { z } from '@hono/zod-openapi';
import type { ForwardingReads, ReadPart } from '../store/index.ts';
import { described } from '../words/described.ts';
import { whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import type { Report } from './operation.ts';
import { sentenceShape } from './problem.ts';

export const line = z.object({
  state: z
    .string()
    .describe(
      described(
        'none: no cloud is configured; standby: another process of the region forwards',
        'none：没有配置云平台；standby：由区域的另一个进程转发',
      ),
    ),
  since: z.number().nullable(),
  why: z.string(),
  ...sentenceShape,
  next_try_at: z.number().nullable(),
});
export type LineReport = Report<typeof line>;

export const outbox = z.object({
  waiting: z.number(),
  oldest_at: z.number().nullable(),
  parked: z.number(),
  per_second: z.number(),
  catch_up_s: z
    .number()
    .nullable()
    .describe(
      described('Estimated seconds until nothing waits; null: nothing moves', '预计多少秒后不再有等待；null：没有进展'),
    ),
});
export type OutboxReport = Report<typeof outbox>;

interface Line {
  readonly line: LineReport;
  readonly outbox: OutboxReport;
}

/** Of a box that has no cloud. */
export const noLine: Line = {
  line: { state: 'none', since: null, why: '', next_try_at: null },
  outbox: { waiting: 0, oldest_at: null, parked: 0, per_second: 0, catch_up_s: 0 },
};

export async function stoppedLine({ read }: ReadPart<ForwardingReads>): Promise<Line> {
  const { total, oldestAt } = await read.waiting();
  const parked = await read.parkedCount();
  return {
    line: { state: 'down', since: null, ...whyOf(uplinkReasons.say('box_stopped')), next_try_at: null },
    outbox: { waiting: total, oldest_at: oldestAt, parked, per_second: 0, catch_up_s: total === 0 ? 0 : null },
  };
}
