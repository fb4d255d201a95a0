import { type ClockBounds, type ClockWords, lateSeconds } from '../../../platform/device-clock.ts';
import { type Numbering, numberingOf } from '../../../platform/numbering.ts';
import type { UnixMs, UnixSeconds } from '../../../runtime/clock.ts';
import type { JournalRecord, Seq } from '../../port/journal.ts';
import { clockOf, type RecordClockColumns } from '../../readers/columns.ts';
import type { Connection } from '../../schema/database.ts';

const repeatsNamed = 20;
/** Of a device that sends more in a day, the numbering is not examined. */
const idsMax = 100_000;
/** Other earlier days are counted under the oldest of these. */
const earlierDaysMax = 31;

/**
 * Counts check-ins and access records, not messages. `box` + `refused` is what the device said in
 * messages that arrived; `brought` + `box` = confirmed + parked + `waiting`.
 */
export interface DeviceFacts {
  readonly deviceId: string;
  /** Stored, without repeats. */
  readonly box: number;
  /** In messages that were answered with 400, and the number of these messages. */
  readonly refused: number;
  readonly refusedMessages: number;
  /** Messages that are not JSON. */
  readonly unreadable: number;
  readonly repeats: number;
  /** The first of them: a record of message `seq` was stored before, from message `of`. */
  readonly repeated: readonly { readonly seq: Seq; readonly of: Seq }[];
  readonly numbers: Numbering | null;
  /** The device's own times of the earliest and the latest record. */
  readonly first: UnixSeconds | null;
  readonly last: UnixSeconds | null;
  /** Arrived more than 60 s after they were made, and the longest of these delays in seconds. */
  readonly late: number;
  readonly lateMost: number;
  /** Of earlier days by the device's time: how many of each. */
  readonly earlierDays: Readonly<Record<string, number>>;
  readonly clock: ClockWords;
  /** Figures of the cloud; null if the box has none. */
  readonly cloud: DeviceInCloud | null;
}

interface DeviceInCloud {
  /** Waited at the beginning of the day, as the journal and the ledger tell today. */
  readonly brought: number;
  readonly confirmed: number;
  readonly parked: number;
  /** Waited at the end of the day. */
  readonly waiting: number;
  /** Up to where the cloud had confirmed at the end of the day. */
  readonly upToSeq: Seq;
}

/** A record that was stored on the day, and the time that it says. */
interface StoredRecord {
  readonly id: string;
  readonly at: UnixSeconds;
  readonly receivedAt: UnixMs;
  readonly clock: ClockBounds | null;
  /** The earlier day that its time lies in; null: it lies in this day, or later. */
  readonly earlierDay: string | null;
}

/** The counts of one device for one day. */
export class DeviceTally {
  #box = 0;
  #refused = 0;
  #refusedMessages = 0;
  #unreadable = 0;
  #repeats = 0;
  readonly #repeated: { seq: Seq; of: Seq }[] = [];
  #ids: string[] | null = [];
  #first: UnixSeconds | null = null;
  #last: UnixSeconds | null = null;
  #late = 0;
  #lateMost = 0;
  readonly #earlierDays = new Map<string, number>();
  brought = 0;
  confirmed = 0;
  parked = 0;
  waiting = 0;

  store({ id, at, receivedAt, clock, earlierDay }: StoredRecord): void {
    this.#box++;
    this.#number(id);
    if (this.#first === null || at < this.#first) this.#first = at;
    if (this.#last === null || at > this.#last) this.#last = at;
    const late = lateSeconds({ clock, at, receivedAt });
    if (late !== null) {
      this.#late++;
      this.#lateMost = Math.max(this.#lateMost, late);
    }
    if (earlierDay !== null) this.#countDay(earlierDay);
  }

  repeat(seq: Seq, of: Seq): void {
    this.#repeats++;
    if (this.#repeated.length < repeatsNamed) this.#repeated.push({ seq, of });
  }

  /** A message that was answered with 400: the ids of its records, as far as they can be read. */
  refuse(ids: readonly string[]): void {
    this.#refusedMessages++;
    this.#refused += ids.length;
    for (const id of ids) this.#number(id);
  }

  unreadable(): void {
    this.#unreadable++;
  }

  facts(lastNumber: number | null): Omit<DeviceFacts, 'deviceId' | 'clock' | 'cloud'> {
    return {
      box: this.#box,
      refused: this.#refused,
      refusedMessages: this.#refusedMessages,
      unreadable: this.#unreadable,
      repeats: this.#repeats,
      repeated: this.#repeated,
      numbers: this.#ids && numberingOf(this.#ids, lastNumber),
      first: this.#first,
      last: this.#last,
      late: this.#late,
      lateMost: this.#lateMost,
      earlierDays: Object.fromEntries([...this.#earlierDays].sort()),
    };
  }

  #number(id: string): void {
    if (this.#ids === null) return;
    if (this.#ids.length >= idsMax) this.#ids = null;
    else this.#ids.push(id);
  }

  #countDay(day: string): void {
    const days = this.#earlierDays;
    const under = days.has(day) || days.size < earlierDaysMax ? day : [...days.keys()].sort()[0]!;
    days.set(under, (days.get(under) ?? 0) + 1);
  }
}

const tables = {
  checkin: ['checkin', 'checkin_unresolved'],
  access: ['access_record'],
} as const;
/** A device that names one second in more records than this sends no real times. */
const rowsOfSecondMax = 2000;

interface StoredRow extends RecordClockColumns {
  readonly seq: Seq;
  readonly id: string;
}

/** The rows that the tables hold of the records of one message, found by their times. */
export class StoredRows {
  readonly #connection: Connection;
  readonly #kind: keyof typeof tables;
  readonly #record: JournalRecord;
  readonly #bySecond = new Map<UnixSeconds, StoredRow[]>();

  constructor(connection: Connection, kind: keyof typeof tables, record: JournalRecord) {
    this.#connection = connection;
    this.#kind = kind;
    this.#record = record;
  }

  /**
   * `of`: the earlier message that the record is a repeat of. A record that no table holds is none:
   * its person was deleted since, and the journal has it all the same.
   */
  find(id: string, at: UnixSeconds): { readonly of: Seq | null; readonly clock: ClockBounds | null } {
    const rows = this.#rowsAt(at).filter(row => row.id === id);
    const own = rows.find(row => row.seq === this.#record.seq);
    if (own) return { of: null, clock: clockOf(own) };
    const earlier = rows.find(row => row.seq < this.#record.seq);
    return { of: earlier?.seq ?? null, clock: null };
  }

  #rowsAt(at: UnixSeconds): readonly StoredRow[] {
    let rows = this.#bySecond.get(at);
    if (!rows) {
      rows = tables[this.#kind].flatMap(
        table =>
          this.#connection
            .sql(
              `SELECT seq, record_id AS id, clock_low_ms AS clockLowMs, clock_high_ms AS clockHighMs
               FROM ${table} WHERE check_time_seconds = ? AND device_no = ? LIMIT ${rowsOfSecondMax}`,
            )
            .all(at, this.#record.deviceNo) as unknown as StoredRow[],
      );
      this.#bySecond.set(at, rows);
    }
    return rows;
  }
}
