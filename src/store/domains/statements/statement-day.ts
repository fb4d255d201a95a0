import { clockWords, offsetAt } from '../../../platform/device-clock.ts';
import { type Envelope, parseEnvelope } from '../../../platform/envelope.ts';
import { parseAccessReport, parseCheckinReport } from '../../../platform/reports.ts';
import type { UnixMs, UnixSeconds } from '../../../runtime/clock.ts';
import { localDays } from '../../../runtime/wall-time.ts';
import { channelBits, unpack } from '../../journal/segment.ts';
import type { SegmentReader } from '../../journal/segment-reader.ts';
import type { DeviceNo, JournalRecord, Seq } from '../../port/journal.ts';
import { type ClockColumns, epochOf } from '../../readers/columns.ts';
import { Slices } from '../../readers/slices.ts';
import type { Connection } from '../../schema/database.ts';
import { type DeviceFacts, DeviceTally, StoredRows } from './device-tally.ts';

export interface StatementQuery {
  /** Where the statement before ended; 0: there is none. */
  readonly after: Seq;
  /** First millisecond of the day. */
  readonly from: UnixMs;
  /** First millisecond of the next day. */
  readonly to: UnixMs;
  readonly timeZone: string;
  /** The codes of both reports at this site; null: it is off. */
  readonly codes: { readonly checkin: number | null; readonly access: number | null };
  /** How each device stood at the end of the statement before, by its id. */
  readonly before: Readonly<Record<string, DeviceBefore>>;
  readonly signal?: AbortSignal | undefined;
}

export interface DeviceBefore {
  /** Up to where the cloud had confirmed; null: no cloud. */
  readonly cloudSeq: number | null;
  readonly waiting: number;
  /** The last of its own numbers; null: it does not count. */
  readonly lastNumber: number | null;
}

/** Records of one day, counted for each device. */
export interface StatementFacts {
  /** The last record of the day: where the next statement begins. */
  readonly through: Seq;
  /** Records between both ends that the journal no longer holds. */
  readonly dropped: number;
  /** Segments that cannot be read. */
  readonly damaged: number;
  readonly devices: readonly DeviceFacts[];
}

/**
 * One day of the journal, counted for each device. A day is a stretch of the journal: it begins
 * where the statement before ended, and ends before the first commit whose records were all
 * received on a later day. So nothing falls between two statements, whatever the clocks did.
 */
export class StatementDay {
  readonly #connection: Connection;
  readonly #journal: SegmentReader;
  readonly #query: StatementQuery;
  readonly #hasCloud: boolean;
  readonly #dayOf: (at: UnixMs) => string;
  readonly #tallies = new Map<DeviceNo, DeviceTally>();
  readonly #numbers = new Map<string, DeviceNo>();
  /** From where on each device's records waited when the day began. */
  readonly #waitedFrom = new Map<DeviceNo, number>();
  readonly #cloudSeq = new Map<
    DeviceNo,
    { readonly atEnd: number; readonly latest: number; readonly cursor: number }
  >();
  #dropped = 0;
  #damaged = 0;

  constructor(connection: Connection, journal: SegmentReader, query: StatementQuery, hasCloud: boolean) {
    this.#connection = connection;
    this.#journal = journal;
    this.#query = query;
    this.#hasCloud = hasCloud;
    this.#dayOf = localDays(query.timeZone);
  }

  async read(): Promise<StatementFacts> {
    const devices = this.#connection
      .sql('SELECT device_no, device_id FROM device WHERE first_seen_at < ? ORDER BY device_id')
      .all(this.#query.to) as unknown as { device_no: DeviceNo; device_id: string }[];
    for (const { device_no, device_id } of devices) {
      this.#numbers.set(device_id, device_no);
      this.#tallies.set(device_no, new DeviceTally());
    }
    for (const [deviceId, { waiting, cloudSeq }] of Object.entries(this.#query.before)) {
      const deviceNo = this.#numbers.get(deviceId);
      if (deviceNo !== undefined && waiting > 0 && cloudSeq !== null) this.#waitedFrom.set(deviceNo, cloudSeq);
    }
    const slices = new Slices(this.#query.signal);
    const through = await this.#walk(slices);
    const named = new Map([...this.#numbers].map(([id, no]) => [no, id]));
    const all = [...this.#tallies].map(([deviceNo, tally]) =>
      this.#factsOf(deviceNo, named.get(deviceNo) ?? `#${deviceNo}`, tally, through),
    );
    all.sort((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
    return { through, dropped: this.#dropped, damaged: this.#damaged, devices: all };
  }

  async #walk(slices: Slices): Promise<Seq> {
    const { after, to } = this.#query;
    let through = Math.min(after, ...this.#waitedFrom.values()) as number;
    for (;;) {
      const heads = this.#connection
        .sql(
          'SELECT first_seq, count, received_from, channels FROM segment WHERE first_seq > ? ORDER BY first_seq LIMIT 256',
        )
        .all(through) as unknown as { first_seq: number; count: number; received_from: number; channels: number }[];
      for (const head of heads) {
        const last = head.first_seq + head.count - 1;
        const isOfDay = last > after;
        if (isOfDay && head.received_from >= to) return Math.max(through, after) as Seq;
        if (isOfDay && after > 0) this.#dropped += Math.max(0, head.first_seq - Math.max(through, after) - 1);
        through = last;
        if (head.channels === channelBits.log) continue;
        this.#takeSegment(head.first_seq);
        if (slices.isOver) await slices.next();
      }
      if (heads.length === 0) return Math.max(through, after) as Seq;
    }
  }

  #takeSegment(firstSeq: number): void {
    const { after } = this.#query;
    const packed = this.#journal.open(firstSeq);
    if (!packed) {
      this.#damaged++;
      return;
    }
    unpack(
      packed,
      firstSeq,
      record => this.#take(record),
      (deviceNo, seq, channel) =>
        channel === 'device' && (seq > after || seq > (this.#waitedFrom.get(deviceNo) ?? Number.POSITIVE_INFINITY)),
    );
  }

  #take(record: JournalRecord): void {
    const isOfDay = record.seq > this.#query.after;
    const tally = this.#tallyOf(record.deviceNo);
    const { marks } = record;
    if (marks.malformed) {
      if (isOfDay) tally.unreadable();
      return;
    }
    const read = parseEnvelope(record.payload);
    if (!read.ok) return;
    const kind = this.#kindOf(read.value);
    if (kind === null) return;
    const report = kind === 'checkin' ? parseCheckinReport(read.value.data) : parseAccessReport(read.value.data);
    if (marks.invalid || !report.ok) {
      if (isOfDay) tally.refuse(idsOf(read.value));
      return;
    }
    const stored = new StoredRows(this.#connection, kind, record);
    let kept = 0;
    for (const { id, checkTime } of report.value.records) {
      const found = stored.find(id, checkTime);
      if (found.of !== null) {
        if (isOfDay) tally.repeat(record.seq, found.of);
        continue;
      }
      kept++;
      if (isOfDay)
        tally.store({
          id,
          at: checkTime,
          ...found,
          receivedAt: record.receivedAt,
          earlierDay: this.#earlierDay(checkTime),
        });
    }
    if (kept > 0 && this.#hasCloud && !marks.local) this.#takeCloud(record, tally, kept, isOfDay);
  }

  #kindOf({ action }: Envelope): 'checkin' | 'access' | null {
    const { checkin, access } = this.#query.codes;
    if (action === null) return null;
    if (action === checkin) return 'checkin';
    return action === access ? 'access' : null;
  }

  #earlierDay(at: UnixSeconds): string | null {
    return at * 1000 < this.#query.from ? this.#dayOf(at * 1000) : null;
  }

  /** Where `count` records of a message were at the end of the day. */
  #takeCloud({ seq, deviceNo }: JournalRecord, tally: DeviceTally, count: number, isOfDay: boolean): void {
    const { from, to } = this.#query;
    const parked = this.#connection.sql('SELECT parked_at FROM parked WHERE seq = ?').get(seq) as
      | { parked_at: number }
      | undefined;
    // A record that was parked before this day is counted by the statement of that day.
    if (!isOfDay && parked && parked.parked_at < from) return;
    if (!isOfDay) tally.brought += count;
    const { atEnd, latest, cursor } = this.#cloudOf(deviceNo);
    if (parked && parked.parked_at < to) tally.parked += count;
    // After the last confirmation and no longer parked: the cloud took it when it was sent again.
    else if (seq <= atEnd || (!parked && seq > latest && seq <= cursor)) tally.confirmed += count;
    else tally.waiting += count;
  }

  #cloudOf(deviceNo: DeviceNo) {
    let known = this.#cloudSeq.get(deviceNo);
    if (!known) {
      const { sql } = this.#connection;
      const upTo = (before: number) =>
        (
          sql(
            `SELECT up_to_seq AS seq FROM confirmation WHERE device_no = ? AND channels & 1 <> 0 AND confirmed_at < ?
               ORDER BY up_to_seq DESC LIMIT 1`,
          ).get(deviceNo, before) as { seq: number } | undefined
        )?.seq ?? 0;
      const row = sql('SELECT max(forwarded_seq, forwarded_message_seq) AS seq FROM device WHERE device_no = ?').get(
        deviceNo,
      ) as { seq: number } | undefined;
      known = { atEnd: upTo(this.#query.to), latest: upTo(Number.MAX_SAFE_INTEGER), cursor: row?.seq ?? 0 };
      this.#cloudSeq.set(deviceNo, known);
    }
    return known;
  }

  #tallyOf(deviceNo: DeviceNo): DeviceTally {
    let tally = this.#tallies.get(deviceNo);
    if (!tally) {
      tally = new DeviceTally();
      this.#tallies.set(deviceNo, tally);
    }
    return tally;
  }

  #factsOf(deviceNo: DeviceNo, deviceId: string, tally: DeviceTally, through: Seq): DeviceFacts {
    const { brought, confirmed, parked, waiting } = tally;
    const upToSeq = Math.min(this.#hasCloud ? this.#cloudOf(deviceNo).atEnd : 0, through) as Seq;
    return {
      deviceId,
      ...tally.facts(this.#query.before[deviceId]?.lastNumber ?? null),
      clock: this.#clockOf(deviceNo),
      cloud: this.#hasCloud ? { brought, confirmed, parked, waiting, upToSeq } : null,
    };
  }

  /** As it was known when the device was last heard, or at the end of the day. */
  #clockOf(deviceNo: DeviceNo): DeviceFacts['clock'] {
    const { sql } = this.#connection;
    const { to } = this.#query;
    const row = sql(
      `SELECT first_said AS firstSaid, last_said AS lastSaid, low_ms AS lowMs, low_at AS lowAt, high_ms AS highMs,
         high_at AS highAt, near_count AS nearCount, near_hours AS nearHours, near_last_at AS nearLastAt,
         near_gap_min_ms AS nearGapMinMs, near_gap_max_ms AS nearGapMaxMs
       FROM device_clock WHERE device_no = ? AND begun_at < ? ORDER BY begun_at DESC LIMIT 1`,
    ).get(deviceNo, to) as ClockColumns | undefined;
    const seen = sql('SELECT received_at AS at FROM last_seen WHERE device_no = ?').get(deviceNo) as
      | { at: number }
      | undefined;
    return clockWords(row && seen ? offsetAt(epochOf(row), Math.min(seen.at, to)) : null);
  }
}

/** The ids of a report that was refused, as far as it is a list. */
function idsOf({ data }: Envelope): string[] {
  if (!Array.isArray(data.records)) return [];
  return data.records.map(record => {
    const id = (record as { id?: unknown } | null)?.id;
    return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  });
}
