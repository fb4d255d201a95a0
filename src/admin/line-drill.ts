import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { type LineReport, type LineResult, lineCutMinutes } from '../platform/drill.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';
import { done } from './shapes.ts';

const lineResult = z.object({
  kind: z.literal('line'),
  id: z.string(),
  begun_at: z.number(),
  restored_at: z.number().describe(described('When the line was let go', '线路恢复的时间')),
  ended_at: z.number(),
  outcome: z
    .enum(['passed', 'failed', 'silent'])
    .describe(
      described(
        'failed: not all that was said is stored and confirmed; silent: no device said anything',
        'failed：上报的内容没有全部存储和确认；silent：没有设备上报',
      ),
    ),
  waiting: z.number().describe(described('Records that waited for the cloud at the end', '结束时仍在等待上传的记录数')),
  devices: z
    .array(
      z.object({
        device_id: z.string(),
        device: z.string().describe(described('Its name; empty: it has none', '其名称；空：没有')),
        said: z
          .number()
          .describe(described('From the cut on, without what the box refused', '自断开起，不含网关拒收的')),
        stored: z.number(),
        confirmed: z.number(),
      }),
    )
    .describe(
      described(
        'Of the newest result alone, at most 500: those whose figures differ first',
        '仅最近一次结果给出，最多 500 台；数字不一致的在前',
      ),
    ),
  unlisted: z.number().describe(described('How many more devices said something', '另外还有多少台设备有上报')),
});
export type LineResultReport = Report<typeof lineResult>;

export const lineDrill = z.object({
  has_cloud: z
    .boolean()
    .describe(
      described('False: this box stands alone and has no line to cut', 'false：网关没有上级云平台，没有可断开的线路'),
    ),
  now: z
    .object({
      id: z.string(),
      begun_at: z.number(),
      step: z
        .enum(['cut', 'restored'])
        .describe(described('restored: what waited goes to the cloud', 'restored：正在上传等待的记录')),
      ends_at: z.number().describe(described('When the line is let go by itself', '线路自动恢复的时间')),
      waiting: z.number(),
    })
    .nullable()
    .describe(described('Null: the line is not cut', 'null：线路没有断开')),
  results: z.array(lineResult).describe(described('Newest first', '最新的在前')),
});

export const lineDrillOperations = {
  cutLine: operation({
    method: 'post',
    path: '/drill/line',
    role: 'admin',
    audited: described('cut the line to the cloud for a drill', '为演练断开到云平台的线路'),
    summary: described(
      'Cuts the line to the cloud for some minutes, while devices work; then compares what was said and confirmed',
      '断开到云平台的线路若干分钟，设备照常工作；然后比对上报与确认的数量',
    ),
    body: z.object({ minutes: z.number().int().min(1).max(lineCutMinutes.most) }),
    returns: described('The drill', '演练'),
    answer: lineDrill,
    failures: { 409: described('The line is cut already, or there is no cloud', '线路已断开，或没有云平台') },
  }),
  restoreLine: operation({
    method: 'post',
    path: '/drill/line/end',
    role: 'admin',
    audited: described('ended a drill of the line', '结束线路演练'),
    summary: described('Lets the line go before its time', '提前恢复线路'),
    returns: described('Done', '已完成'),
    answer: done,
  }),
};

/** The drill of the line, as a running box has it. */
export interface LineDrills {
  report(): Promise<LineReport | null>;
  begin(id: string, minutes: number): Promise<boolean>;
  end(): void;
}

export function lineDrillAdmin(
  line: LineDrills,
  {
    standsAlone,
    results,
    nameOf,
  }: {
    readonly standsAlone: boolean;
    results(): Promise<readonly LineResult[]>;
    nameOf(deviceId: string): string;
  },
): { reported: () => Promise<Report<typeof lineDrill>>; running: Running<typeof lineDrillOperations> } {
  const reported = async () => {
    const now = await line.report();
    return {
      has_cloud: !standsAlone,
      now: now && {
        ...{ id: now.id, begun_at: now.begunAt, step: now.step, ends_at: now.endsAt, waiting: now.waiting },
      },
      results: (await results()).map((one, index) => resultOf(one, index === 0 ? nameOf : null)),
    };
  };
  return {
    reported,
    running: {
      async cutLine({ minutes }, call = byCommand) {
        if (standsAlone) throw refused(409, 'stands_alone', 'there is no cloud: this box has no line to cut');
        call.subject(auditSubjects.say('drill_minutes', { minutes }));
        if (!(await line.begin(randomBytes(8).toString('hex'), minutes)))
          throw refused(409, 'drill_under_way', 'a drill of the line is under way');
        return reported();
      },
      async restoreLine() {
        line.end();
        return { done: true };
      },
    },
  };
}

/** `nameOf` is null: without its devices. */
const resultOf = (result: LineResult, nameOf: ((deviceId: string) => string) | null): LineResultReport => {
  const { kind, id, begunAt, restoredAt, endedAt, outcome, waiting, devices, unlisted } = result;
  return {
    ...{ kind, id, begun_at: begunAt, restored_at: restoredAt, ended_at: endedAt, outcome, waiting, unlisted },
    devices: (nameOf ? devices : []).map(({ deviceId, said, stored, confirmed }) => ({
      ...{ device_id: deviceId, device: nameOf?.(deviceId) ?? '', said, stored, confirmed },
    })),
  };
};
