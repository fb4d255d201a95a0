import type { ClockBounds } from '../../../platform/device-clock.ts';
import type { UnixSeconds } from '../../../runtime/clock.ts';
import type { JournalRecord, Seq } from '../../port/journal.ts';
import { clockOf, type RecordClockColumns } from '../../readers/device-clock.ts';
import type { Connection } from '../../schema/database.ts';

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
