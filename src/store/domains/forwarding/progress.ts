import { parseEnvelope, unixSeconds } from '../../../platform/envelope.ts';
import { firstBytes, reasonOf, type UnreadableReason } from '../../../platform/unreadable.ts';
import type { UnixMs, UnixSeconds } from '../../../runtime/clock.ts';
import { recordReasons } from '../../../words/records.ts';
import { type GivenReason, parseCoded, type Reason } from '../../../words/sentences.ts';
import { channelBits, unpack } from '../../journal/segment.ts';
import type { SegmentHead, SegmentReader } from '../../journal/segment-reader.ts';
import { eachDevice } from '../../journal/segment-row.ts';
import { lastReadable } from '../../journal/unreadable-places.ts';
import type { Device } from '../../port/directory.ts';
import type { Channel, DeviceNo, JournalRecord, Seq } from '../../port/journal.ts';
import { Slices } from '../../readers/slices.ts';
import type { KnownDevices } from '../../readers/stored-devices.ts';
import type { Connection } from '../../schema/database.ts';
import { isReadFailure } from '../../schema/engine-failures.ts';
import type { Via } from './tables.ts';

/** The state of one record: the receipt for a punch. */
export interface LedgerRow {
  readonly seq: Seq;
  readonly channel: Channel;
  readonly mid: string;
  readonly action: number | null;
  /** The device's own time, in seconds; null if it sent none that is usable. */
  readonly deviceTime: UnixSeconds | null;
  /** Time of receipt; the acknowledgement went out after the commit that followed. */
  readonly receivedAt: UnixMs;
  /** A box below sent an impossible time, which was replaced by the nearest possible one. */
  readonly clamped: boolean;
  readonly state: 'waiting' | 'confirmed' | 'parked' | 'kept here';
  readonly confirmedAt: UnixMs | null;
  readonly via: string | null;
  readonly reason: GivenReason | null;
  /** Of a message that is no JSON object: the likely reason, and its first bytes in ASCII. */
  readonly unreadable: { readonly why: UnreadableReason; readonly firstBytes: string } | null;
}

/** The state of a device's last records, newest first: the receipt for each punch. */
export function readLedger(
  connection: Connection,
  journal: SegmentReader,
  deviceNo: DeviceNo,
  forwarded: Device['forwarded'] | undefined,
  options: { readonly limit: number; readonly before?: Seq | undefined },
): LedgerRow[] {
  const records = lastRecords(deviceNo, options.limit, options.before, connection, journal);
  return records.map(record => ledgerRow(record, forwarded?.[record.channel] ?? 0, connection));
}

function lastRecords(
  deviceNo: DeviceNo,
  limit: number,
  before: Seq | undefined,
  connection: Connection,
  journal: SegmentReader,
): JournalRecord[] {
  const records: JournalRecord[] = [];
  let upTo = ((before as number | undefined) ?? Number.MAX_SAFE_INTEGER) - 1;
  for (let looked = 0; looked < 100_000 && records.length < limit; ) {
    const heads = headsUpTo(connection, upTo);
    if (heads.length === 0) break;
    for (const head of heads) {
      upTo = head.first_seq - 1;
      looked++;
      let holds = false;
      eachDevice(head.devices, device => {
        if (device === deviceNo) holds = true;
      });
      const packed = holds ? journal.open(head.first_seq) : null;
      if (!packed) continue;
      const mine: JournalRecord[] = [];
      unpack(packed, head.first_seq, record => {
        if (record.deviceNo === deviceNo && (before === undefined || record.seq < before)) mine.push(record);
      });
      records.push(...mine.reverse());
      if (records.length >= limit) break;
    }
  }
  return records.slice(0, limit);
}

/** Of the segments up to `seq`, the newest first; those that cannot be read are passed over. */
function headsUpTo(connection: Connection, seq: number): SegmentHead[] {
  const heads: SegmentHead[] = [];
  // Not with "<": SQLite would then look on the page behind, which may be the damaged one.
  const query = connection.sql(
    'SELECT first_seq, count, devices FROM segment WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 256',
  );
  try {
    for (const head of query.iterate(seq)) heads.push(head as unknown as SegmentHead);
  } catch (error) {
    if (!isReadFailure(error)) throw error;
    if (heads.length > 0) return heads;
    const last = lastReadable(connection, seq);
    return last === null ? [] : headsUpTo(connection, last);
  }
  return heads;
}

function ledgerRow(record: JournalRecord, forwardedSeq: number, { sql }: Connection): LedgerRow {
  const envelope = record.channel === 'device' ? parseEnvelope(record.payload) : null;
  const parked = sql('SELECT reason, said FROM parked WHERE seq = ?').get(record.seq) as
    | { reason: string; said: string | null }
    | undefined;
  const confirmed =
    record.seq <= forwardedSeq
      ? (sql(
          'SELECT confirmed_at, via FROM confirmation WHERE device_no = ? AND up_to_seq >= ? AND channels & ? <> 0 ORDER BY up_to_seq LIMIT 1',
        ).get(record.deviceNo, record.seq, channelBits[record.channel]) as
          | { confirmed_at: number; via: Via }
          | undefined)
      : undefined;
  const keptHere = record.marks.local;
  return {
    seq: record.seq,
    channel: record.channel,
    mid: envelope?.ok ? envelope.value.mid : '',
    action: envelope?.ok ? envelope.value.action : null,
    deviceTime: envelope?.ok ? unixSeconds(envelope.value.time) : null,
    receivedAt: record.receivedAt,
    clamped: record.marks.clamped === true,
    state: parked ? 'parked' : keptHere ? 'kept here' : record.seq <= forwardedSeq ? 'confirmed' : 'waiting',
    confirmedAt: confirmed?.confirmed_at ?? null,
    via: confirmed?.via ?? null,
    reason: parked ? { reason: parked.reason, ...parseCoded(parked.said) } : whyKeptHere(record),
    unreadable: unreadableOf(record),
  };
}

const unreadableOf = ({ marks, payload }: JournalRecord): LedgerRow['unreadable'] =>
  marks.malformed ? { why: reasonOf(payload), firstBytes: firstBytes(payload) } : null;

function whyKeptHere({ channel, marks }: JournalRecord): Reason | null {
  if (!marks.local) return null;
  if (marks.malformed) return recordReasons.say('kept_unreadable');
  return recordReasons.say(channel === 'log' ? 'kept_log_of_box' : 'kept_answered_here');
}

/**
 * Counts what waits for the cloud by the heads of segments; only segments that contain a cursor are
 * opened. A long backlog is counted in slices, between which a cursor may move.
 */
export function waitingReads(journal: SegmentReader, devices: KnownDevices) {
  return {
    /**
     * Waiting for the cloud, by device: all journal records after its cursor that are to be
     * forwarded.
     */
    async waiting(through?: Seq): Promise<{ total: number; oldestAt: UnixMs | null; byDevice: Map<DeviceNo, number> }> {
      const end = through ?? Number.MAX_SAFE_INTEGER;
      const byDevice = new Map<DeviceNo, number>();
      let total = 0;
      let oldestAt: number | null = null;
      for await (const head of headsAfter(lowestCursor(devices), journal)) {
        if (lastOf(head) > end) break;
        const count = waitingIn(head, journal, devices, (deviceNo, waiting) => {
          byDevice.set(deviceNo, (byDevice.get(deviceNo) ?? 0) + waiting);
        });
        total += count;
        if (count > 0 && oldestAt === null) oldestAt = oldestIn(head.first_seq, journal, devices);
      }
      return { total, oldestAt, byDevice };
    },

    /**
     * When the oldest record after `after` that waits for the cloud was received; null if none
     * waits.
     */
    async oldestWaiting(after: Seq): Promise<UnixMs | null> {
      for await (const head of headsAfter(after, journal)) {
        if (waitingIn(head, journal, devices, () => {}) === 0) continue;
        const oldest = oldestIn(head.first_seq, journal, devices);
        if (oldest !== null) return oldest;
      }
      return null;
    },
  };
}

const lastOf = (head: SegmentHead): number => head.first_seq + head.count - 1;

async function* headsAfter(start: number, journal: SegmentReader): AsyncGenerator<SegmentHead> {
  const slices = new Slices();
  let after = start;
  for (let heads = journal.heads(after); heads.length > 0; heads = journal.heads(after)) {
    for (const head of heads) {
      yield head;
      if (slices.isOver) await slices.next();
    }
    after = lastOf(heads.at(-1)!);
  }
}

function lowestCursor(devices: KnownDevices): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const device of devices.devices()) lowest = Math.min(lowest, device.forwardedSeq);
  return Number.isFinite(lowest) ? lowest : 0;
}

/** By the head alone, if no cursor is within the segment. */
function waitingIn(
  head: SegmentHead,
  journal: SegmentReader,
  devices: KnownDevices,
  take: (deviceNo: DeviceNo, count: number) => void,
): number {
  const last = lastOf(head);
  const straddling = new Set<string>();
  let total = 0;
  eachDevice(head.devices, (deviceNo, count, channel) => {
    const forwarded = devices.deviceByNo(deviceNo)?.forwarded[channel];
    if (forwarded === undefined || count === 0 || forwarded >= last) return;
    if (forwarded >= head.first_seq) straddling.add(`${deviceNo} ${channel}`);
    else {
      take(deviceNo, count);
      total += count;
    }
  });
  if (straddling.size === 0) return total;
  const packed = journal.open(head.first_seq);
  if (packed)
    unpack(packed, head.first_seq, record => {
      const { deviceNo, channel } = record;
      if (!straddling.has(`${deviceNo} ${channel}`) || !isWaiting(record, devices)) return;
      take(deviceNo, 1);
      total++;
    });
  return total;
}

const isWaiting = (record: JournalRecord, devices: KnownDevices): boolean =>
  !record.marks.local &&
  record.seq > (devices.deviceByNo(record.deviceNo)?.forwarded[record.channel] ?? Number.POSITIVE_INFINITY);

function oldestIn(firstSeq: number, journal: SegmentReader, devices: KnownDevices): number | null {
  const packed = journal.open(firstSeq);
  let oldest: number | null = null;
  if (packed)
    unpack(packed, firstSeq, record => {
      if (oldest === null && isWaiting(record, devices)) oldest = record.receivedAt;
    });
  return oldest;
}
