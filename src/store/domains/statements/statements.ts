import { boundsOfRecord } from '../../../platform/device-clock.ts';
import { parseEnvelope, unixSeconds } from '../../../platform/envelope.ts';
import type { UnixMs, UnixSeconds } from '../../../runtime/clock.ts';
import { type Coded, parseCoded } from '../../../words/sentences.ts';
import type { Reading, ReadsOf } from '../../domain.ts';
import { channelBits } from '../../journal/segment.ts';
import type { SegmentReader } from '../../journal/segment-reader.ts';
import type { Channel, DeviceNo, JournalRecord, Seq } from '../../port/journal.ts';
import { type ClockColumns, clockOf, epochOf, type RecordClockColumns } from '../../readers/columns.ts';
import type { Connection } from '../../schema/database.ts';
import { punchMarks } from '../corrections/reads.ts';
import { addedDeviceNo, type PunchMark } from '../corrections/tables.ts';
import { cloudDeviceNo } from '../mirror/tables.ts';
import { StatementDay, type StatementFacts, type StatementQuery } from './statement-day.ts';

/** Which record a receipt is asked of. */
export type ReceiptQuery = { readonly seq: Seq } | { readonly checkin: number } | { readonly access: number };

/** All that the store knows of the way of one record. */
export interface ReceiptFacts {
  readonly kind: 'checkin' | 'access' | 'message' | 'log';
  /** 0: no device of this site reported it. */
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  /** By the device's own clock; null: its message names no time. */
  readonly deviceTime: UnixSeconds | null;
  readonly receivedAt: UnixMs;
  readonly clock: { readonly lowMs: number; readonly highMs: number | null } | null;
  /** Message; null if the journal no longer holds it. */
  readonly message: { readonly mid: string; readonly action: number | null; readonly clamped: boolean } | null;
  /** As the device numbered it; empty: it did not. */
  readonly recordId: string;
  readonly state: 'waiting' | 'confirmed' | 'parked' | 'kept here';
  readonly confirmedAt: UnixMs | null;
  readonly via: string | null;
  readonly parked: {
    readonly at: UnixMs;
    readonly code: number;
    readonly reason: string;
    readonly said: Coded | undefined;
    readonly again: boolean;
  } | null;
  /** Why it stays here; null where it does not. */
  readonly keptBecause: 'kept_no_cloud' | 'kept_unreadable' | 'kept_answered_here' | 'kept_added_here' | null;
  /** The id under which the cloud lists it; null: it has not been seen in its list. */
  readonly cloudId: string | null;
  /** Effect of corrections on a check-in; null if there are none, or for another record. */
  readonly mark: PunchMark | null;
}

interface Row extends RecordClockColumns {
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  readonly receivedAt: UnixMs;
  readonly at: UnixSeconds;
  readonly recordId: string;
  readonly cloudId: string | null;
  /** As callers see it. */
  readonly shownId: number;
}

const columns = `seq, device_no AS deviceNo, received_at AS receivedAt, check_time_seconds AS at, record_id AS recordId,
  clock_low_ms AS clockLowMs, clock_high_ms AS clockHighMs`;

/**
 * A check-in by its id or by the one that callers see: both come from one sequence, so that no
 * other row has either.
 */
const rowOf = {
  checkin: `SELECT ${columns}, (SELECT cloud_id FROM cloud_checkin WHERE checkin_id = checkin.id) AS cloudId,
      coalesce(shown_id, id) AS shownId
    FROM checkin WHERE id = ?1 OR shown_id = ?1
    UNION ALL SELECT ${columns}, NULL AS cloudId, coalesce(shown_id, id) AS shownId
    FROM checkin_unresolved WHERE id = ?1 OR shown_id = ?1`,
  access: `SELECT ${columns}, (SELECT CAST(cloud_id AS TEXT) FROM cloud_access WHERE access_id = access_record.id) AS cloudId,
      id AS shownId
    FROM access_record WHERE id = ?1`,
} as const;

/** The way of one record: a row of the tables, or a message of the journal. */
function readReceipt(
  connection: Connection,
  journal: SegmentReader,
  query: ReceiptQuery,
  hasCloud: boolean,
): ReceiptFacts | null {
  if ('seq' in query) {
    const record = journal.record(query.seq);
    return record && ofMessage(connection, record, hasCloud);
  }
  const [kind, id] = 'checkin' in query ? (['checkin', query.checkin] as const) : (['access', query.access] as const);
  const row = connection.sql(rowOf[kind]).get(id) as Row | undefined;
  return row ? ofRow(connection, journal, kind, row, hasCloud) : null;
}

function ofRow(
  connection: Connection,
  journal: SegmentReader,
  kind: 'checkin' | 'access',
  row: Row,
  hasCloud: boolean,
): ReceiptFacts {
  const { seq, deviceNo, receivedAt, at, recordId, cloudId, shownId } = row;
  const isAdded = deviceNo === addedDeviceNo;
  const isReported = !isAdded && deviceNo !== cloudDeviceNo;
  const record = isReported ? journal.record(seq) : null;
  const marks = kind === 'checkin' ? punchMarks(connection)(() => [{ id: shownId, deviceNo, recordId }]) : null;
  return {
    mark: marks?.get(shownId) ?? null,
    ...{ kind, seq: isReported ? seq : (0 as Seq), deviceNo, receivedAt, recordId, cloudId },
    deviceTime: at,
    clock: clockOf(row),
    message: record && messageOf(record),
    ...(isReported
      ? placeOf(connection, { seq, deviceNo, channel: 'device', marks: record?.marks ?? {} }, hasCloud)
      : isAdded
        ? addedHere
        : listedByCloud),
  };
}

function ofMessage(connection: Connection, record: JournalRecord, hasCloud: boolean): ReceiptFacts {
  const { seq, deviceNo, receivedAt, channel } = record;
  const envelope = channel === 'device' ? parseEnvelope(record.payload) : null;
  const deviceTime = envelope?.ok ? unixSeconds(envelope.value.time) : null;
  const epochs = connection
    .sql(
      `SELECT first_said AS firstSaid, last_said AS lastSaid, low_ms AS lowMs, low_at AS lowAt, high_ms AS highMs,
         high_at AS highAt, near_count AS nearCount, near_hours AS nearHours, near_last_at AS nearLastAt,
         near_gap_min_ms AS nearGapMinMs, near_gap_max_ms AS nearGapMaxMs
       FROM device_clock WHERE device_no = ? ORDER BY begun_at`,
    )
    .all(deviceNo) as unknown as ClockColumns[];
  return {
    kind: channel === 'log' ? 'log' : 'message',
    ...{ seq, deviceNo, receivedAt, deviceTime, recordId: '', cloudId: null, mark: null },
    clock: deviceTime === null ? null : boundsOfRecord(epochs.map(epochOf), deviceTime, receivedAt),
    message: messageOf(record),
    ...placeOf(connection, record, hasCloud),
  };
}

function messageOf({ channel, payload, marks }: JournalRecord): NonNullable<ReceiptFacts['message']> {
  const envelope = channel === 'device' ? parseEnvelope(payload) : null;
  return {
    mid: envelope?.ok ? envelope.value.mid : '',
    action: envelope?.ok ? envelope.value.action : null,
    clamped: marks.clamped === true,
  };
}

type Place = Pick<ReceiptFacts, 'state' | 'confirmedAt' | 'via' | 'parked' | 'keptBecause'>;

/** A correction added it. */
const addedHere: Place = {
  ...{ state: 'kept here', confirmedAt: null, via: null, parked: null },
  keptBecause: 'kept_added_here',
};
const listedByCloud: Place = { state: 'confirmed', confirmedAt: null, via: null, parked: null, keptBecause: null };

/** Where a record is on its way to the cloud. */
function placeOf(
  { sql }: Connection,
  { seq, deviceNo, channel, marks }: Pick<JournalRecord, 'seq' | 'deviceNo' | 'marks'> & { readonly channel: Channel },
  hasCloud: boolean,
): Place {
  const nowhere = { confirmedAt: null, via: null, parked: null, keptBecause: null };
  if (marks.local)
    return { ...nowhere, state: 'kept here', keptBecause: marks.malformed ? 'kept_unreadable' : 'kept_answered_here' };
  if (!hasCloud) return { ...nowhere, state: 'kept here', keptBecause: 'kept_no_cloud' };
  const parked = sql('SELECT parked_at AS at, code, reason, said, send_again AS again FROM parked WHERE seq = ?').get(
    seq,
  ) as { at: number; code: number; reason: string; said: string | null; again: number } | undefined;
  if (parked)
    return {
      ...nowhere,
      state: 'parked',
      parked: { ...parked, said: parseCoded(parked.said), again: parked.again === 1 },
    };
  const column = channel === 'log' ? 'forwarded_log_seq' : 'forwarded_message_seq';
  const cursor = sql(`SELECT max(forwarded_seq, ${column}) AS seq FROM device WHERE device_no = ?`).get(deviceNo) as
    | { seq: number }
    | undefined;
  if (seq > (cursor?.seq ?? 0)) return { ...nowhere, state: 'waiting' };
  const confirmed = sql(
    `SELECT confirmed_at AS at, via FROM confirmation WHERE device_no = ? AND up_to_seq >= ? AND channels & ? <> 0
       ORDER BY up_to_seq LIMIT 1`,
  ).get(deviceNo, seq, channelBits[channel]) as { at: number; via: string } | undefined;
  return { ...nowhere, state: 'confirmed', confirmedAt: confirmed?.at ?? null, via: confirmed?.via ?? null };
}

export type { DeviceFacts } from './device-tally.ts';
export type { DeviceBefore, StatementFacts, StatementQuery } from './statement-day.ts';

/** Daily statements, and the receipt of one record. */
export const statements = {
  reads: ({ connection, journal, hasCloud }: Reading) => ({
    /** One day. Reads the journal from the end of the statement before, in turns. */
    statementDay: (query: StatementQuery): Promise<StatementFacts> =>
      new StatementDay(connection, journal, query, hasCloud).read(),

    /**
     * Where the first statement of a box may begin. `after`: the last record that the journal no
     * longer holds, 0 if it holds all there ever were. `at`: the first record that it holds, or, if
     * none was removed, the first device; null: there is neither.
     */
    async journalBegin(): Promise<{ readonly after: Seq; readonly at: UnixMs | null }> {
      const { sql } = connection;
      const first = sql('SELECT first_seq, received_from FROM segment ORDER BY first_seq LIMIT 1').get() as
        | { first_seq: number; received_from: number }
        | undefined;
      const { seq } = sql('SELECT seq FROM projection_cursor WHERE id = 1').get() as { seq: number };
      const after = (first ? first.first_seq - 1 : seq) as Seq;
      if (after > 0) return { after, at: first?.received_from ?? null };
      const { at } = sql('SELECT min(first_seen_at) AS at FROM device').get() as { at: number | null };
      return { after, at: first ? Math.min(first.received_from, at ?? Number.POSITIVE_INFINITY) : at };
    },

    /** Null if there is no such record. */
    receipt: async (query: ReceiptQuery): Promise<ReceiptFacts | null> =>
      readReceipt(connection, journal, query, hasCloud),
  }),

  writes: {},
};

export type StatementReads = ReadsOf<typeof statements>;
