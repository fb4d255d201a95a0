import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { punchStates, type TerminalPunch, type TerminalsReport, type TerminalsResult } from '../platform/drill.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';
import { done } from './shapes.ts';

const punch = z.object({
  device_id: z.string(),
  device: z.string().describe('Its name; empty: it has none'),
  state: z
    .enum(punchStates)
    .describe(
      'With a punch: confirmed, sent, waiting on the disk, parked (the cloud refused it), bad (its data does not fit), stored (there is no cloud). Without: online, held_back, refused (its login), silent (not connected), never heard of',
    ),
  why: z.string().describe('Of one that is parked or bad: what is wrong. Of one that waits: what the line says'),
  punched_at: z.number().nullable().describe("Seconds, by the terminal's own clock"),
  received_at: z.number().nullable(),
  stored_at: z.number().nullable().describe('On the disk and acknowledged; null: not yet, or before a restart'),
  sent_at: z.number().nullable().describe('To the cloud, the last time; null: not yet, or the moment was not noted'),
  confirmed_at: z.number().nullable().describe('By the cloud'),
});
export type TerminalPunchReport = Report<typeof punch>;

const counts = {
  known: z.number().describe('Terminals that speak to this box and are not blocked'),
  done: z.number().describe('Whose punch the cloud has confirmed; without a cloud: whose punch is on the disk'),
  punched: z.number().describe('Whose punch has come, and is not done'),
};
const listed = z.array(punch).describe('At most 500: what is wrong or missing first');

const terminalsResult = z.object({
  kind: z.literal('terminals'),
  id: z.string(),
  begun_at: z.number(),
  ended_at: z.number(),
  outcome: z
    .enum(['passed', 'failed', 'silent'])
    .describe('failed: the punch of a terminal is missing or not confirmed; silent: nobody punched'),
  has_cloud: z.boolean(),
  ...counts,
  terminals: listed.describe('Of the newest result alone, at most 500: what is wrong or missing first'),
});
export type TerminalsResultReport = Report<typeof terminalsResult>;

export const terminalDrill = z.object({
  now: z
    .object({
      id: z.string(),
      begun_at: z.number(),
      ends_at: z.number().describe('When it ends by itself'),
      ...counts,
      latest: z.array(punch).describe('Those that punched last, newest first; at most 20'),
      terminals: listed,
    })
    .nullable()
    .describe('Null: none is under way'),
  results: z.array(terminalsResult).describe('Newest first'),
});

export const terminalDrillOperations = {
  beginTerminals: operation({
    method: 'post',
    path: '/drill/terminals',
    role: 'admin',
    summary:
      'Begins the drill of the terminals, unless one is under way: waits for a punch of each, and notes when it came past each hop',
    returns: 'How it stands',
    answer: terminalDrill,
    failures: { 409: 'No terminal is known to this box' },
  }),
  endTerminals: operation({
    method: 'post',
    path: '/drill/terminals/end',
    role: 'admin',
    summary: 'Ends the drill of the terminals: the result names those that are missing',
    returns: 'Done',
    answer: done,
  }),
};

/** The drill of the terminals, as a running box has it. */
export interface TerminalDrills {
  report(): TerminalsReport | null;
  begin(id: string): Promise<'under way' | 'no terminals' | null>;
  end(): void;
}

export function terminalDrillAdmin(
  drill: TerminalDrills,
  { results, nameOf }: { results(): Promise<readonly TerminalsResult[]>; nameOf(deviceId: string): string },
): { reported: () => Promise<Report<typeof terminalDrill>>; running: Running<typeof terminalDrillOperations> } {
  const punchOf = ({ deviceId, state, why, ...times }: TerminalPunch): TerminalPunchReport => ({
    ...{ device_id: deviceId, device: nameOf(deviceId), state, why },
    ...{ punched_at: times.punchedAt, received_at: times.receivedAt, stored_at: times.storedAt },
    ...{ sent_at: times.sentAt, confirmed_at: times.confirmedAt },
  });
  const resultOf = (result: TerminalsResult, index: number): TerminalsResultReport => {
    const { kind, id, begunAt, endedAt, outcome, hasCloud, known, done, punched, terminals } = result;
    return {
      ...{ kind, id, begun_at: begunAt, ended_at: endedAt, outcome, has_cloud: hasCloud, known, done, punched },
      terminals: index === 0 ? terminals.map(punchOf) : [],
    };
  };
  const reported = async () => {
    const now = drill.report();
    return {
      now: now && {
        ...{ id: now.id, begun_at: now.begunAt, ends_at: now.endsAt },
        ...{ known: now.known, done: now.done, punched: now.punched },
        latest: now.latest.map(punchOf),
        terminals: now.terminals.map(punchOf),
      },
      results: (await results()).map(resultOf),
    };
  };
  return {
    reported,
    running: {
      async beginTerminals(_, call = byCommand) {
        if ((await drill.begin(randomBytes(8).toString('hex'))) === 'no terminals')
          throw refused(409, 'no_terminals', 'no terminal is known to this box: connect one first');
        const report = await reported();
        call.subject(report.now?.id ?? '');
        return report;
      },
      async endTerminals() {
        drill.end();
        return { done: true };
      },
    },
  };
}
