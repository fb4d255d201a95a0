import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { punchStates, type TerminalPunch, type TerminalsReport, type TerminalsResult } from '../platform/drill.ts';
import { described } from '../words/described.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';
import { done } from './shapes.ts';

const punch = z.object({
  device_id: z.string(),
  device: z.string().describe(described('Its name; empty: it has none', '其名称；空：没有')),
  state: z
    .enum(punchStates)
    .describe(
      described(
        'With a punch: confirmed, sent, waiting on the disk, parked (the cloud refused it), bad (its data does not fit), stored (there is no cloud). Without: online, held_back, refused (its login), silent (not connected), never heard of',
        '已打卡：confirmed 已确认、sent 已发送、waiting 已落盘等待上传、parked 云平台拒收、bad 内容有误、stored 没有云平台。没有打卡：online 已连接、held_back 暂缓接入、refused 登录被拒绝、silent 未连接、never 从未出现',
      ),
    ),
  why: z
    .string()
    .describe(
      described(
        'Of one that is parked or bad: what is wrong. Of one that waits: what the line says',
        'parked 或 bad 时的原因；等待上传时为线路的说明',
      ),
    ),
  punched_at: z.number().nullable().describe(described("Seconds, by the terminal's own clock", '秒，按终端自己的时钟')),
  received_at: z.number().nullable(),
  stored_at: z
    .number()
    .nullable()
    .describe(
      described(
        'On the disk and acknowledged; null: not yet, or before a restart',
        '已落盘并确认；null：尚未，或在重启之前',
      ),
    ),
  sent_at: z
    .number()
    .nullable()
    .describe(
      described(
        'To the cloud, the last time; null: not yet, or the moment was not noted',
        '最后一次发送到云平台；null：尚未，或没有记下时间',
      ),
    ),
  confirmed_at: z.number().nullable().describe(described('By the cloud', '云平台')),
});
export type TerminalPunchReport = Report<typeof punch>;

const counts = {
  known: z
    .number()
    .describe(described('Terminals that speak to this box and are not blocked', '连接本网关且未停用的终端数')),
  done: z
    .number()
    .describe(
      described(
        'Whose punch the cloud has confirmed; without a cloud: whose punch is on the disk',
        '打卡已由云平台确认的终端数；没有云平台时为已落盘的终端数',
      ),
    ),
  punched: z.number().describe(described('Whose punch has come, and is not done', '打卡已到达但尚未完成的终端数')),
};
const listed = z
  .array(punch)
  .describe(described('At most 500: what is wrong or missing first', '最多 500 台，有问题或没有到达的在前'));

const terminalsResult = z.object({
  kind: z.literal('terminals'),
  id: z.string(),
  begun_at: z.number(),
  ended_at: z.number(),
  outcome: z
    .enum(['passed', 'failed', 'silent'])
    .describe(
      described(
        'failed: the punch of a terminal is missing or not confirmed; silent: nobody punched',
        'failed：有终端没有打卡或未确认；silent：没有人打卡',
      ),
    ),
  has_cloud: z.boolean(),
  ...counts,
  terminals: listed.describe(
    described(
      'Of the newest result alone, at most 500: what is wrong or missing first',
      '仅最近一次结果给出，最多 500 台；有问题或没有到达的在前',
    ),
  ),
});
export type TerminalsResultReport = Report<typeof terminalsResult>;

export const terminalDrill = z.object({
  now: z
    .object({
      id: z.string(),
      begun_at: z.number(),
      ends_at: z.number().describe(described('When it ends by itself', '自动结束的时间')),
      ...counts,
      latest: z
        .array(punch)
        .describe(
          described('Those that punched last, newest first; at most 20', '最近打卡的终端，最新的在前，最多 20 台'),
        ),
      terminals: listed,
    })
    .nullable()
    .describe(described('Null: none is under way', 'null：没有正在进行的')),
  results: z.array(terminalsResult).describe(described('Newest first', '最新的在前')),
});

export const terminalDrillOperations = {
  beginTerminals: operation({
    method: 'post',
    path: '/drill/terminals',
    role: 'admin',
    audited: described('began a drill of the terminals', '开始终端演练'),
    summary: described(
      'Begins the drill of the terminals, unless one is under way: waits for a punch of each, and notes when it came past each hop',
      '开始终端演练（已在进行时继续）：等待每台终端打卡一次，并记下每一步的时间',
    ),
    returns: described('How it stands', '进展'),
    answer: terminalDrill,
    failures: { 409: described('No terminal is known to this box', '没有已知的终端') },
  }),
  endTerminals: operation({
    method: 'post',
    path: '/drill/terminals/end',
    role: 'admin',
    audited: described('ended a drill of the terminals', '结束终端演练'),
    summary: described(
      'Ends the drill of the terminals: the result names those that are missing',
      '结束终端演练：结果列出没有到达的终端',
    ),
    returns: described('Done', '已完成'),
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
