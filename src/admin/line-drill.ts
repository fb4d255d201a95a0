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
  devices: z.array(
    z.object({
      device_id: z.string(),
      said: z.number().describe('From the cut on, without what the box refused'),
      stored: z.number(),
      confirmed: z.number(),
    }),
  ),
});
export type LineResultReport = Report<typeof lineResult>;

export const lineDrill = z.object({
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
  { standsAlone, results }: { readonly standsAlone: boolean; results(): Promise<readonly LineResult[]> },
): { reported: () => Promise<Report<typeof lineDrill>>; running: Running<typeof lineDrillOperations> } {
  const reported = async () => {
    const now = await line.report();
    return {
      now: now && {
        ...{ id: now.id, begun_at: now.begunAt, step: now.step, ends_at: now.endsAt, waiting: now.waiting },
      },
      results: (await results()).map(resultOf),
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

const resultOf = ({ kind, id, begunAt, restoredAt, endedAt, outcome, waiting, devices }: LineResult) => ({
  ...{ kind, id, begun_at: begunAt, restored_at: restoredAt, ended_at: endedAt, outcome, waiting },
  devices: devices.map(({ deviceId, said, stored, confirmed }) => ({ device_id: deviceId, said, stored, confirmed })),
});
