import { z } from '@hono/zod-openapi';
import type { DirectoryStore, ReadPart, ReceiptFacts, ReceiptQuery, Seq, StatementReads } from '../store/index.ts';
import { described } from '../words/described.ts';
import { recordReasons } from '../words/records.ts';
import { clockShape, lateShape, recordClock } from './clock.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { refused, saidShape } from './problem.ts';
import { rowId } from './shapes.ts';

export const receipt = z.object({
  kind: z.enum(['checkin', 'access', 'message', 'log']),
  seq: z
    .number()
    .nullable()
    .describe(
      described('Its number in the journal; null: only the cloud lists it', '在流水中的序号；null：只由云平台列出'),
    ),
  device_id: z.string(),
  device: z.string().describe(described('Its name; empty: it has none', '其名称；空：没有')),
  record_id: z.string().describe(described('As the device numbered it; empty: it did not', '设备所给的编号；空：没有')),
  mid: z
    .string()
    .nullable()
    .describe(described('Of its message; null: the journal no longer holds it', '其消息的；null：流水中已不保存')),
  action: z.number().nullable(),
  at_device: z
    .object({
      time: z.number().nullable().describe(described('Seconds, by its own clock', '秒，按设备自己的时钟')),
      clock: clockShape,
      late_s: lateShape,
    })
    .nullable()
    .describe(described('Null: no device of this site reported it', 'null：本站点没有设备上报')),
  on_disk: z
    .object({
      received_at: z.number().describe(described('It was committed and synced after this', '写入磁盘并同步之后才应答')),
      clamped: z.boolean(),
      in_journal: z
        .boolean()
        .describe(
          described(
            'False: the tables hold it, the journal removed it after the cloud had it',
            'false：在数据表中；云平台收到后流水已将其删除',
          ),
        ),
    })
    .nullable(),
  acknowledged: z
    .enum(['after its commit', 'by the box below', 'not here'])
    .describe(
      described(
        'The moment is not kept. by the box below: that box answered the device before it sent the record on',
        '没有保存时刻。经由下级网关时：该网关先应答设备，再上传记录',
      ),
    ),
  box_below: z.string().nullable().describe(described('Through which box its records come', '其记录经过的网关')),
  at_cloud: z.object({
    state: z.enum(['waiting', 'confirmed', 'parked', 'kept here', 'listed by the cloud']),
    confirmed_at: z.number().nullable(),
    via: z.string().nullable(),
    code: z.number().nullable().describe(described('With which the cloud refused it', '云平台拒收时的代码')),
    reason: z
      .string()
      .describe(
        described(
          'Why the cloud refused it, or why it stays here; else empty',
          '云平台拒收的原因，或留在此处的原因；否则为空',
        ),
      ),
    said: saidShape,
    refused_at: z.number().nullable(),
    is_sent_again: z.boolean(),
    cloud_id: z
      .string()
      .nullable()
      .describe(
        described("Its id in the cloud's own list; null: not seen there", '在云平台列表中的编号；null：未在其中看到'),
      ),
  }),
  correction: z
    .object({
      id: z.number(),
      set_aside: z.boolean(),
      work_date: z
        .string()
        .nullable()
        .describe(described('The date to which it was moved; null: it was not moved', '移到的日期；null：没有移动')),
      reason: z.string(),
    })
    .nullable()
    .describe(described('What a correction says of a check-in; null: nothing', '考勤调整对打卡所作的处理；null：没有')),
});
export type ReceiptReport = Report<typeof receipt>;

const seqText = z.coerce.number<number>().int().positive();

const receiptOperations = {
  receipt: operation({
    method: 'get',
    path: '/receipts',
    role: 'viewer',
    summary: described(
      'The way of one record: at the device, on the disk, acknowledged, at the cloud',
      '一条记录的去向：设备上、写入磁盘、应答、云平台',
    ),
    query: z
      .object({ seq: seqText.optional(), checkin: rowId.optional(), access: rowId.optional() })
      .refine(asked => Object.values(asked).filter(value => value !== undefined).length === 1, 'name one of them'),
    returns: described('The receipt', '回执'),
    answer: receipt,
    failures: { 404: described('There is no such record', '没有此记录') },
  }),
};

export type ReceiptParts = ReadPart<Pick<StatementReads, 'receipt'>> & DirectoryStore;

export const receiptAdmin = ({ read, directory }: ReceiptParts): Running<typeof receiptOperations> => ({
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
  const kept = keptBecause && recordReasons.say(keptBecause);
  return {
    state: isHere || keptBecause !== null ? state : 'listed by the cloud',
    confirmed_at: confirmedAt,
    via,
    code: parked?.code ?? null,
    reason: parked?.reason ?? kept?.reason ?? '',
    said: parked?.said ?? (kept && { code: kept.code, params: kept.params }),
    refused_at: parked?.at ?? null,
    is_sent_again: parked?.again ?? false,
    cloud_id: cloudId,
  };
}

const running = ({ store }: { readonly store: ReceiptParts }) => receiptAdmin(store);

export const receiptsResource = resource(receiptOperations, running, running);
