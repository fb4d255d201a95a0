import { z } from '@hono/zod-openapi';
import type { DirectoryStore, ReadPart, ReceiptFacts, ReceiptQuery, Seq, StatementReads } from '../store/index.ts';
import { clockShape, lateShape, recordClock } from './clock.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';
import { rowId } from './shapes.ts';

const receipt = z.object({
  kind: z.enum(['checkin', 'access', 'message', 'log']),
  seq: z.number().nullable().describe('Its number in the journal; null: only the cloud lists it'),
  device_id: z.string(),
  device: z.string().describe('Its name; empty: it has none'),
  record_id: z.string().describe('As the device numbered it; empty: it did not'),
  mid: z.string().nullable().describe('Of its message; null: the journal no longer holds it'),
  action: z.number().nullable(),
  at_device: z
    .object({ time: z.number().nullable().describe('Seconds, by its own clock'), clock: clockShape, late_s: lateShape })
    .nullable()
    .describe('Null: no device of this site reported it'),
  on_disk: z
    .object({
      received_at: z.number().describe('It was committed and synced after this'),
      clamped: z.boolean(),
      in_journal: z.boolean().describe('False: the tables hold it, the journal removed it after the cloud had it'),
    })
    .nullable(),
  acknowledged: z
    .enum(['after its commit', 'by the box below', 'not here'])
    .describe('The moment is not kept. by the box below: that box answered the device before it sent the record on'),
  box_below: z.string().nullable().describe('Through which box its records come'),
  at_cloud: z.object({
    state: z.enum(['waiting', 'confirmed', 'parked', 'kept here', 'listed by the cloud']),
    confirmed_at: z.number().nullable(),
    via: z.string().nullable(),
    code: z.number().nullable().describe('With which the cloud refused it'),
    reason: z.string().describe('Why the cloud refused it, or why it stays here; else empty'),
    refused_at: z.number().nullable(),
    is_sent_again: z.boolean(),
    cloud_id: z.string().nullable().describe("Its id in the cloud's own list; null: not seen there"),
  }),
  correction: z
    .object({
      id: z.number(),
      set_aside: z.boolean(),
      work_date: z.string().nullable().describe('The date to which it was moved; null: it was not moved'),
      reason: z.string(),
    })
    .nullable()
    .describe('What a correction says of a check-in; null: nothing'),
});
export type ReceiptReport = Report<typeof receipt>;

const seqText = z.coerce.number<number>().int().positive();

const receiptOperations = {
  receipt: operation({
    method: 'get',
    path: '/receipts',
    role: 'viewer',
    summary: 'The way of one record: at the device, on the disk, acknowledged, at the cloud',
    query: z
      .object({ seq: seqText.optional(), checkin: rowId.optional(), access: rowId.optional() })
      .refine(asked => Object.values(asked).filter(value => value !== undefined).length === 1, 'name one of them'),
    returns: 'The receipt',
    answer: receipt,
    failures: { 404: 'There is no such record' },
  }),
};

const receiptAdmin = ({
  read,
  directory,
}: ReadPart<Pick<StatementReads, 'receipt'>> & DirectoryStore): Running<typeof receiptOperations> => ({
  async receipt(asked = {}) {
    const facts = await read.receipt(queryOf(asked));
    if (!facts) throw refused(404, 'unknown', 'there is no such record, or the journal no longer holds it');
    return receiptOf(facts, directory);
  },
});

function queryOf({
  seq,
  checkin,
  access,
}: {
  seq?: number | undefined;
  checkin?: number | undefined;
  access?: number | undefined;
}): ReceiptQuery {
  if (seq !== undefined) return { seq: seq as Seq };
  return checkin === undefined ? { access: access! } : { checkin };
}

function receiptOf(facts: ReceiptFacts, directory: DirectoryStore['directory']): ReceiptReport {
  const { kind, seq, deviceNo, deviceTime, receivedAt, message, recordId } = facts;
  const isHere = seq > 0;
  const device = isHere ? directory.deviceByNo(deviceNo) : undefined;
  const below = device?.belongsTo && device.belongsTo !== 'here' ? device.belongsTo : null;
  const clock = recordClock({ clock: facts.clock, at: deviceTime ?? Math.floor(receivedAt / 1000), receivedAt });
  return {
    kind,
    seq: isHere ? seq : null,
    device_id: device?.deviceId ?? (isHere ? `#${deviceNo}` : ''),
    device: device?.name ?? '',
    record_id: recordId,
    mid: message?.mid ?? null,
    action: message?.action ?? null,
    at_device: isHere ? { time: deviceTime, ...clock } : null,
    on_disk: isHere
      ? { received_at: receivedAt, clamped: message?.clamped ?? false, in_journal: message !== null }
      : null,
    acknowledged: !isHere ? 'not here' : below === null ? 'after its commit' : 'by the box below',
    box_below: below,
    at_cloud: cloudOf(facts, isHere),
    correction: facts.mark && {
      id: facts.mark.correctionId,
      set_aside: facts.mark.setAside,
      work_date: facts.mark.workDate,
      reason: facts.mark.reason,
    },
  };
}

function cloudOf(
  { state, confirmedAt, via, parked, keptBecause, cloudId }: ReceiptFacts,
  isHere: boolean,
): ReceiptReport['at_cloud'] {
  return {
    state: isHere || keptBecause !== null ? state : 'listed by the cloud',
    confirmed_at: confirmedAt,
    via,
    code: parked?.code ?? null,
    reason: parked?.reason ?? keptBecause ?? '',
    refused_at: parked?.at ?? null,
    is_sent_again: parked?.again ?? false,
    cloud_id: cloudId,
  };
}

const running = ({ store }: { readonly store: Parameters<typeof receiptAdmin>[0] }) => receiptAdmin(store);

export const receiptsResource = resource(receiptOperations, running, running);
