import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import {
  type CardReport,
  type CardResult,
  type CutFound,
  cutsOfDrill,
  type DiskDevice,
  type DrillResult,
  numbersBeforeCut,
  type SeenNumber,
  type SentUp,
} from '../platform/drill.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { type cardResult, cutFound, numberLine, report } from './drill-shapes.ts';
import { type LineDrills, lineDrillAdmin, lineDrillOperations } from './line-drill.ts';
import { linesOf } from './lines.ts';
import { byCommand, linesOperation, operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';
import { done } from './shapes.ts';
import { type TerminalDrills, terminalDrillAdmin, terminalDrillOperations } from './terminal-drill.ts';

export type CardResultReport = Report<typeof cardResult>;

export type DrillReport = Report<typeof report>;

const drillOperations = {
  report: operation({
    method: 'get',
    path: '/drill',
    role: 'admin',
    summary: described(
      'The drill that is under way, and what the last ones found',
      '正在进行的演练，以及最近几次的结果',
    ),
    returns: described('The report', '报告'),
    answer: report,
  }),
  beginCard: operation({
    method: 'post',
    path: '/drill/card',
    role: 'admin',
    audited: described('began a drill of the card', '开始存储卡演练'),
    summary: described(
      'Begins the drill of the card: measures it, then counts numbers that are synced, until the power is cut',
      '开始存储卡演练：先测量存储卡，再不断写入编号并落盘，直到断电',
    ),
    body: z.object({ power_will_be_cut: z.literal(true) }),
    returns: described('The report', '报告'),
    answer: report,
    failures: { 409: described('A drill is under way, or an update', '正在演练或升级') },
  }),
  numbers: linesOperation({
    method: 'get',
    path: '/drill/card/numbers',
    role: 'admin',
    summary: described(
      'The numbers of the drill of the card, each as soon as its sync has returned',
      '存储卡演练的编号，落盘后立即逐个给出',
    ),
    returns: described(
      'One JSON object a line: {"cut": …, "written": …}, and last {"done": true} when it no longer counts',
      '每行一个 JSON 对象：{"cut": …, "written": …}；不再计数时最后一行为 {"done": true}',
    ),
    line: numberLine,
    eachAtOnce: true,
  }),
  seen: operation({
    method: 'post',
    path: '/drill/card/seen',
    role: 'admin',
    audited: described('told the drill of the card what was seen', '填写存储卡演练最后看到的编号'),
    summary: described(
      'After a power cut: compares the last number that somebody saw with what is on the disk',
      '断电之后：把最后看到的编号与存储卡上的内容比对',
    ),
    body: z.object({
      id: z.string().regex(/^[0-9a-f]{16}$/),
      cut: z.number().int().min(1).max(cutsOfDrill),
      number: z.number().int().min(0).max(1_000_000),
    }),
    returns: described(
      'What was found, null if this cut was not made yet or is proved already; and the report',
      '比对结果；尚未断电或已核对时为 null；以及报告',
    ),
    answer: z.object({ found: cutFound.nullable(), report }),
  }),
  stopCard: operation({
    method: 'post',
    path: '/drill/card/stop',
    role: 'admin',
    audited: described('stopped a drill of the card', '停止存储卡演练'),
    summary: described('Ends the drill of the card without a verdict', '结束存储卡演练，不作结论'),
    returns: described('Done', '已完成'),
    answer: done,
  }),
  ...lineDrillOperations,
  ...terminalDrillOperations,
};

/** The drill of the card, as a running box has it. */
interface CardDrill {
  report(): Promise<CardReport | null>;
  begin(id: string): Promise<boolean>;
  seen(seen: SeenNumber): Promise<CutFound | null>;
  stop(): Promise<void>;
  hear(hearer: (written: number | null) => void): () => void;
}

/** Parts of a running box that the drills use. */
export interface Drills {
  readonly card: CardDrill;
  readonly line: LineDrills;
  readonly terminals: TerminalDrills;
  readonly standsAlone: boolean;
  /** Of a device; empty: it has none. */
  readonly nameOf: (deviceId: string) => string;
  /** Newest first. */
  readonly results: () => Promise<readonly DrillResult[]>;
  /** By the id of the drill; null: they stay here. */
  readonly sentUp: () => ReadonlyMap<string, SentUp> | null;
  /** Why none may begin now; null: one may. */
  readonly busy: () => Promise<string | null>;
}

function drillAdmin({
  card,
  line,
  terminals,
  standsAlone,
  nameOf,
  results,
  sentUp,
  busy,
}: Drills): Running<typeof drillOperations> {
  const ofLine = lineDrillAdmin(line, {
    ...{ standsAlone, nameOf },
    results: async () => (await results()).filter(one => one.kind === 'line'),
  });
  const ofTerminals = terminalDrillAdmin(terminals, {
    nameOf,
    results: async () => (await results()).filter(one => one.kind === 'terminals'),
  });
  const reported = async (): Promise<DrillReport> => {
    const now = await card.report();
    const sent = sentUp();
    return {
      card: now && {
        ...{ id: now.id, begun_at: now.begunAt, step: now.step, cut: now.cut, cuts: cutsOfDrill },
        ...{
          written: now.written,
          pull_from: numbersBeforeCut,
          found: now.cuts.map(foundOf),
          device: deviceOf(now.device),
        },
      },
      results: (await results()).filter(one => one.kind === 'card').map(resultOf),
      line: await ofLine.reported(),
      terminals: await ofTerminals.reported(),
      sent_up: sent && [...sent].map(([id, { at, refused }]) => ({ id, at, refused })),
    };
  };
  return {
    ...ofLine.running,
    ...ofTerminals.running,
    report: reported,
    async beginCard(_, call = byCommand) {
      const why = await busy();
      if (why !== null) throw refused(409, 'busy', why);
      const id = randomBytes(8).toString('hex');
      call.subject(id);
      if (!(await card.begin(id)))
        throw refused(409, 'drill_under_way', 'a drill of the card is under way: go on with it, or stop it first');
      return reported();
    },
    numbers: (_ = {}, call = byCommand) => {
      call.isReadOften();
      return linesOf(async write => {
        const first = await card.report();
        if (first === null || first.step === 'proving') return write({ done: true });
        const over = Promise.withResolvers<void>();
        const deaf = card.hear(written => (written === null ? over.resolve() : write({ cut: first.cut, written })));
        call.signal?.addEventListener('abort', () => over.resolve());
        await over.promise;
        deaf();
        write({ done: true });
      });
    },
    async seen({ id, cut, number }, call = byCommand) {
      call.subject(auditSubjects.say('card_seen', { drill: id, cut, number }));
      const found = await card.seen({ id, cut, number });
      return { found: found && foundOf(found), report: await reported() };
    },
    async stopCard() {
      await card.stop();
      return { done: true };
    },
  };
}

const deviceOf = ({ device, name, serial, cid, bytes }: DiskDevice) => ({ device, name, serial, cid, bytes });

const foundOf = ({ cut, seen, found, missing, firstMissing }: CutFound) => ({
  ...{ cut, seen, found, missing, first_missing: firstMissing },
});

const resultOf = (result: CardResult): CardResultReport => {
  const { kind, id, begunAt, endedAt, outcome, why, device, cuts, speed, allows } = result;
  return {
    ...{ kind, id, begun_at: begunAt, ended_at: endedAt, outcome, why, device: deviceOf(device) },
    cuts: cuts.map(foundOf),
    speed: speed && {
      sync_p50_ms: speed.syncP50Ms,
      sync_p99_ms: speed.syncP99Ms,
      syncs_per_second: speed.syncsPerSecond,
      megabytes_per_second: speed.megabytesPerSecond,
    },
    allows: allows && {
      records_alone: allows.recordsAlone,
      records_together: allows.recordsTogether,
      terminals: allows.terminals,
      years: allows.years,
      bytes_per_day: allows.bytesPerDay,
      is_measured: allows.isMeasured,
    },
  };
};

export const drillResource = resource(drillOperations, ({ drills }: { readonly drills: Drills }) => drillAdmin(drills));
