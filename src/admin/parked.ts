import { z } from '@hono/zod-openapi';
import type { Directory, DirectoryStore, ForwardingReads, ForwardingWrites, ReadPart, Seq } from '../store/index.ts';
import { described } from '../words/described.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { saidShape } from './problem.ts';
import type { Writing } from './writing.ts';

type ParkedRecord = Awaited<ReturnType<ForwardingReads['parked']>>[number];

/** Nobody looks at more of them at once. */
const listedMax = 100_000;

export const parkedRow = z.object({
  seq: z.number(),
  device_id: z.string(),
  parked_at: z.number(),
  code: z.number(),
  reason: z.string(),
  said: saidShape,
  send_again: z.boolean(),
});
/** A record that the cloud refused for good. */
type ParkedReport = Report<typeof parkedRow>;

const parkedOperations = {
  list: operation({
    method: 'get',
    path: '/parked',
    role: 'viewer',
    summary: described('What the cloud refused for good, with the reasons', '被云平台拒收的记录及原因'),
    returns: described('The parked records', '被拒收的记录'),
    answer: z.object({ parked: z.array(parkedRow) }),
  }),
  sendAgain: operation({
    method: 'post',
    path: '/parked/send-again',
    role: 'admin',
    audited: described('sent refused records again', '重新上传被拒收的记录'),
    summary: described(
      'Sends parked records again; `seq` null: all of them',
      '重新上传被拒收的记录；`seq` 为 null 表示全部',
    ),
    body: z.object({ seq: z.number().int().positive().nullable() }),
    returns: described('How many', '数量'),
    answer: z.object({ count: z.number() }),
  }),
};
type ParkedAdmin = Running<typeof parkedOperations>;

type ParkedStore = ReadPart<ForwardingReads> & DirectoryStore;

const parkedAdmin = (
  { read, directory }: ParkedStore,
  sendAgain: (seq: number | null) => Promise<number>,
): ParkedAdmin => ({
  list: async () => ({ parked: (await read.parked({ limit: listedMax })).map(row => parkedReport(directory, row)) }),
  sendAgain: async ({ seq }) => ({ count: await sendAgain(seq) }),
});

export const parkedReport = (
  directory: Directory,
  { seq, deviceNo, parkedAt, code, reason, said, sendAgain }: ParkedRecord,
): ParkedReport => ({
  seq,
  device_id: directory.deviceByNo(deviceNo)?.deviceId ?? `#${deviceNo}`,
  parked_at: parkedAt,
  code,
  reason,
  said,
  send_again: sendAgain,
});

export const parkedResource = resource(
  parkedOperations,
  ({ store, sendAgain }: { readonly store: ParkedStore; sendAgain(seq: number | null): Promise<number> }) =>
    parkedAdmin(store, sendAgain),
  ({ store, writing }: { readonly store: ParkedStore; readonly writing: Writing<ForwardingWrites> }) =>
    parkedAdmin(store, seq => writing(write => write.sendParkedAgain({ seq: seq as Seq | null }))),
);
