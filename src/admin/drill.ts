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
import { type LineDrills, lineDrill, lineDrillAdmin, lineDrillOperations } from './line-drill.ts';
import { linesOf } from './lines.ts';
import { byCommand, linesOperation, operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';
import { done } from './shapes.ts';
import { type TerminalDrills, terminalDrill, terminalDrillAdmin, terminalDrillOperations } from './terminal-drill.ts';

const device = z
  .object({
    device: z.string().describe('Such as mmcblk0; empty: the system names no disk'),
    name: z.string(),
    serial: z.string(),
    cid: z.string().describe('Of an SD card or eMMC'),
    bytes: z.number().nullable(),
  })
  .describe('The disk below the data directory; empty is what it does not say');

const cutFound = z.object({
  cut: z.number(),
  seen: z.number().describe('The last number that somebody saw before the cut'),
  found: z.number().describe('The highest that is on the disk'),
  missing: z.number().describe('Numbers whose sync had returned and that are not on the disk'),
  first_missing: z.number().nullable(),
});

const cardResult = z.object({
  kind: z.literal('card'),
  id: z.string(),
  begun_at: z.number(),
  ended_at: z.number(),
  outcome: z
    .enum(['passed', 'failed', 'stopped', 'expired', 'broken'])
    .describe(
      'failed: the card acknowledges what it has not written; broken: it could not be written; expired: nobody went on with it',
    ),
  why: z.string().describe('Of a disk that could not be written: the error'),
  device,
  cuts: z.array(cutFound),
  speed: z
    .object({
      sync_p50_ms: z.number(),
      sync_p99_ms: z.number(),
      syncs_per_second: z.number().describe('Of 4 KiB at random places, one after the other'),
      megabytes_per_second: z.number().describe('Of one long write, in 10^6 bytes'),
    })
    .nullable(),
  allows: z
    .object({
      records_alone: z.number().describe('A second, each with a commit of its own'),
      records_together: z.number().describe('A second, where many share a commit'),
      terminals: z.number().describe('At which somebody punches every two seconds'),
      years: z.number().describe('Until storage.endurance_tb are written; at most 100'),
      bytes_per_day: z.number(),
      is_measured: z.boolean().describe('False: the bytes of a day are assumed'),
    })
    .nullable(),
});
export type CardResultReport = Report<typeof cardResult>;

const card = z.object({
  id: z.string(),
  begun_at: z.number(),
  step: z.enum(['measuring', 'counting', 'proving']),
  cut: z.number().describe('Which one is prepared or proved'),
  cuts: z.number().describe('How many there are'),
  written: z.number().describe('The last number on the disk; while proving the highest that was found'),
  pull_from: z.number().describe('From this number on the plug may be pulled'),
  found: z.array(cutFound).describe('Of the cuts before'),
  device,
});

const report = z.object({
  card: card.nullable().describe('The drill that is under way'),
  results: z.array(cardResult).describe('Newest first'),
  line: lineDrill,
  terminals: terminalDrill,
  sent_up: z
    .array(
      z.object({
        id: z.string().describe('Of the drill'),
        at: z.number(),
        refused: z.string().describe('Why it was refused above; empty: it was taken'),
      }),
    )
    .nullable()
    .describe(
      'The results that went to the cloud or the box above, as logs of this box; null: it has no session of its own, and they stay here',
    ),
});
export type DrillReport = Report<typeof report>;

const numberLine = z.union([z.object({ cut: z.number(), written: z.number() }), z.object({ done: z.literal(true) })]);

const drillOperations = {
  report: operation({
    method: 'get',
    path: '/drill',
    role: 'admin',
    summary: 'The drill that is under way, and what the last ones found',
    returns: 'The report',
    answer: report,
  }),
  beginCard: operation({
    method: 'post',
    path: '/drill/card',
    role: 'admin',
    summary: 'Begins the drill of the card: measures it, then counts numbers that are synced, until the power is cut',
    body: z.object({ power_will_be_cut: z.literal(true) }),
    returns: 'The report',
    answer: report,
    failures: { 409: 'A drill is under way, or an update' },
  }),
  numbers: linesOperation({
    method: 'get',
    path: '/drill/card/numbers',
    role: 'admin',
    summary: 'The numbers of the drill of the card, each as soon as its sync has returned',
    returns: 'One JSON object a line: {"cut": …, "written": …}, and last {"done": true} when it no longer counts',
    line: numberLine,
    eachAtOnce: true,
  }),
  seen: operation({
    method: 'post',
    path: '/drill/card/seen',
    role: 'admin',
    summary: 'After a power cut: compares the last number that somebody saw with what is on the disk',
    body: z.object({
      id: z.string().regex(/^[0-9a-f]{16}$/),
      cut: z.number().int().min(1).max(cutsOfDrill),
      number: z.number().int().min(0).max(1_000_000),
    }),
    returns: 'What was found, null if this cut was not made yet or is proved already; and the report',
    answer: z.object({ found: cutFound.nullable(), report }),
  }),
  stopCard: operation({
    method: 'post',
    path: '/drill/card/stop',
    role: 'admin',
    summary: 'Ends the drill of the card without a verdict',
    returns: 'Done',
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
      call.subject(`${id}, cut ${cut}, number ${number}`);
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
