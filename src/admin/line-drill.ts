import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { type LineReport, type LineResult, lineCutMinutes } from '../platform/drill.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';
import { done } from './shapes.ts';

const lineResult = z.object({
  kind: z.literal('line'),
  id: z.string(),
  begun_at: z.number(),
  restored_at: z.number().describe('When the line was let go'),
  ended_at: z.number(),
  outcome: z
    .enum(['passed', 'failed', 'silent'])
    .describe('failed: not all that was said is stored and confirmed; silent: no device said anything'),
  waiting: z.number().describe('Records that waited for the cloud at the end'),
  devices: z
    .array(
      z.object({
        device_id: z.string(),
        device: z.string().describe('Its name; empty: it has none'),
        said: z.number().describe('From the cut on, without what the box refused'),
        stored: z.number(),
        confirmed: z.number(),
      }),
    )
    .describe('Of the newest result alone, at most 500: those whose figures differ first'),
  unlisted: z.number().describe('How many more devices said something'),
});
export type LineResultReport = Report<typeof lineResult>;

export const lineDrill = z.object({
  has_cloud: z.boolean().describe('False: this box stands alone and has no line to cut'),
  now: z
    .object({
      id: z.string(),
      begun_at: z.number(),
      step: z.enum(['cut', 'restored']).describe('restored: what waited goes to the cloud'),
      ends_at: z.number().describe('When the line is let go by itself'),
      waiting: z.number(),
    })
    .nullable()
    .describe('Null: the line is not cut'),
  results: z.array(lineResult).describe('Newest first'),
});

export const lineDrillOperations = {
  cutLine: operation({
    method: 'post',
    path: '/drill/line',
    role: 'admin',
    summary:
      'Cuts the line to the cloud for some minutes, while devices work; then compares what was said and confirmed',
    body: z.object({ minutes: z.number().int().min(1).max(lineCutMinutes.most) }),
    returns: 'The drill',
    answer: lineDrill,
    failures: { 409: 'The line is cut already, or there is no cloud' },
  }),
  restoreLine: operation({
    method: 'post',
    path: '/drill/line/end',
    role: 'admin',
    summary: 'Lets the line go before its time',
    returns: 'Done',
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
        call.subject(`${minutes} min`);
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
  const { kind, id, begunAt, restoredAt, endedAt, outcome, waiting, devices, unlisted = 0 } = result;
  return {
    ...{ kind, id, begun_at: begunAt, restored_at: restoredAt, ended_at: endedAt, outcome, waiting, unlisted },
    devices: (nameOf ? devices : []).map(({ deviceId, said, stored, confirmed }) => ({
      ...{ device_id: deviceId, device: nameOf?.(deviceId) ?? '', said, stored, confirmed },
    })),
  };
};
