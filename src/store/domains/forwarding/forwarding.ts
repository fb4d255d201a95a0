import type { UnixMs } from '../../../runtime/clock.ts';
import { type Coded, codedText } from '../../../words/sentences.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../../domain.ts';
import type { Channel, DeviceNo, JournalRecord, Seq } from '../../port/journal.ts';
import { parkedReads } from './parked.ts';
import { type LedgerRow, readLedger, waitingReads } from './progress.ts';
import type { Via } from './tables.ts';

/** Why the cloud refuses a record for good; `said`: of a reason that is a sentence of a box. */
interface RefusedRecord {
  readonly code: number;
  readonly reason: string;
  readonly said?: Coded | undefined;
}

export interface Confirmation {
  readonly deviceNo: DeviceNo;
  /** Channel; null for both (a batch holds both in the journal's order). */
  readonly channel: Channel | null;
  readonly upToSeq: Seq;
  /** No record of the device up to here waits, of either channel; at most `upToSeq`. */
  readonly floorSeq: Seq;
  readonly at: UnixMs;
  readonly via: Via;
}

const advance = {
  device: 'UPDATE device SET forwarded_message_seq = max(forwarded_message_seq, ?) WHERE device_no = ?',
  log: 'UPDATE device SET forwarded_log_seq = max(forwarded_log_seq, ?) WHERE device_no = ?',
  both: 'UPDATE device SET forwarded_seq = max(forwarded_seq, ?) WHERE device_no = ?',
} as const;
/** The column `channels` of a confirmation. */
const bits = { device: 1, log: 2, both: 3 } as const;

function confirm({ later }: OperationContext, { confirmations }: { confirmations: readonly Confirmation[] }): void {
  for (const { deviceNo, channel, upToSeq, floorSeq, at, via } of confirmations) {
    later(
      `INSERT INTO confirmation (device_no, up_to_seq, confirmed_at, via, channels) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (device_no, up_to_seq) DO NOTHING`,
      ...[deviceNo, upToSeq, at, via, bits[channel ?? 'both']],
    );
    if (channel) later(advance[channel], upToSeq, deviceNo);
    later(advance.both, channel ? floorSeq : upToSeq, deviceNo);
  }
}

/** Parks a record; the cursor of that device and channel moves past `seq`. */
function park(
  { sql }: OperationContext,
  {
    seq,
    deviceNo,
    channel,
    at,
    code,
    reason,
    said,
  }: { seq: Seq; deviceNo: DeviceNo; channel: Channel; at: UnixMs } & RefusedRecord,
): void {
  sql(
    `INSERT INTO parked (seq, device_no, parked_at, code, reason, said, send_again) VALUES (?, ?, ?, ?, ?, ?, 0)
       ON CONFLICT (seq) DO UPDATE SET device_no = excluded.device_no, parked_at = excluded.parked_at, code = excluded.code,
         reason = excluded.reason, said = excluded.said, send_again = 0`,
  ).run(seq, deviceNo, at, code, reason, codedText(said));
  sql(advance[channel]).run(seq, deviceNo);
}

/** `seq` null: all parked records. Returns how many. */
function sendParkedAgain({ sql }: OperationContext, { seq }: { seq: Seq | null }): number {
  const marked =
    seq === null
      ? sql('UPDATE parked SET send_again = 1 WHERE send_again = 0').run()
      : sql('UPDATE parked SET send_again = 1 WHERE seq = ?').run(seq);
  return Number(marked.changes);
}

/** The cloud accepted a parked record after all, or refused it again with this reason. */
function settleParked(
  { sql }: OperationContext,
  { seq, outcome, at }: { seq: Seq; outcome: 'confirmed' | RefusedRecord; at: UnixMs },
): void {
  if (outcome === 'confirmed') sql('DELETE FROM parked WHERE seq = ?').run(seq);
  else
    sql('UPDATE parked SET send_again = 0, code = ?, reason = ?, said = ?, parked_at = ? WHERE seq = ?').run(
      outcome.code,
      outcome.reason,
      codedText(outcome.said),
      at,
      seq,
    );
}

const writes = { confirm, park, sendParkedAgain, settleParked };

export type { LedgerRow } from './progress.ts';
export type { Via } from './tables.ts';

/** For the uplink: what waits, and the cloud's answers. */
export const forwarding = {
  reads(reading: Reading) {
    const { connection, journal, devices } = reading;
    return {
      ...parkedReads(reading),
      ...waitingReads(journal, devices),

      record: async (seq: Seq): Promise<JournalRecord | null> => journal.record(seq),

      /** The records of a device, newest first, with the state of each. */
      ledger: async (deviceNo: DeviceNo, options: { limit: number; before?: Seq | undefined }): Promise<LedgerRow[]> =>
        readLedger(connection, journal, deviceNo, devices.deviceByNo(deviceNo)?.forwarded, options),
    };
  },

  writes,
};

export type ForwardingReads = ReadsOf<typeof forwarding>;
export type ForwardingWrites = WritesOf<typeof forwarding>;
export type ForwardingStore = PartOf<typeof forwarding>;
