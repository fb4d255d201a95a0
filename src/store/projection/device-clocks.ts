import type { ActionName } from '../../platform/actions.ts';
import {
  boundsOfRecord,
  type ClockBounds,
  type ClockEpoch,
  deviceTimeMin,
  epochFrom,
  type TimedMessage,
  withMessage,
} from '../../platform/device-clock.ts';
import { type Envelope, unixSeconds } from '../../platform/envelope.ts';
import { clockEarliest, type UnixMs, type UnixSeconds } from '../../runtime/clock.ts';
import { personSyncSentAt } from '../people/people-data.ts';
import type { DeviceNo } from '../port/journal.ts';
import { type ClockColumns, epochOf } from '../readers/columns.ts';
import type { Connection } from '../schema/database.ts';

/** Of one device. What is older says nothing of records that still come. */
const epochsMax = 8;
/** A later message that changes nothing else is written this seldom. */
const lastSaidWrittenEvery: UnixSeconds = 60;

/** As `deviceClock` of the schema has them. By hand: this runs for each message. */
const columns = `begun_at AS begunAt, first_said AS firstSaid, last_said AS lastSaid, low_ms AS lowMs, low_at AS lowAt,
  high_ms AS highMs, high_at AS highAt, near_count AS nearCount, near_hours AS nearHours, near_last_at AS nearLastAt,
  near_gap_min_ms AS nearGapMinMs, near_gap_max_ms AS nearGapMaxMs, is_ended AS isEnded`;
type ClockRow = ClockColumns & { readonly begunAt: UnixMs; readonly isEnded: 0 | 1 };

const put = `INSERT INTO device_clock (device_no, begun_at, first_said, last_said, low_ms, low_at, high_ms, high_at,
  near_count, near_hours, near_last_at, near_gap_min_ms, near_gap_max_ms, is_ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (device_no, begun_at) DO UPDATE SET first_said = excluded.first_said, last_said = excluded.last_said,
    low_ms = excluded.low_ms, low_at = excluded.low_at, high_ms = excluded.high_ms, high_at = excluded.high_at,
    near_count = excluded.near_count, near_hours = excluded.near_hours, near_last_at = excluded.near_last_at,
    near_gap_min_ms = excluded.near_gap_min_ms, near_gap_max_ms = excluded.near_gap_max_ms, is_ended = excluded.is_ended`;

interface Known {
  /** The oldest first. */
  readonly epochs: { readonly begunAt: UnixMs; epoch: ClockEpoch }[];
  /** The device was told the time after its last message, or has lost it. */
  isEnded: boolean;
  /** As the table has it: the newest epoch, and whether it has ended. */
  written: { readonly epoch: ClockEpoch | undefined; readonly isEnded: boolean };
}

/**
 * Evidence about devices' clocks from their messages, in the writer thread: read from the table
 * when a device is first heard of, kept in memory, and written with the tables that it was found
 * with.
 */
export class DeviceClocks {
  readonly #connection: Connection;
  readonly #known = new Map<DeviceNo, Known>();
  readonly #changed = new Set<DeviceNo>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A message of a device. `time_sync` ends the epoch: its answer may set the clock. */
  hear(deviceNo: DeviceNo, receivedAt: UnixMs, envelope: Envelope, action: ActionName | undefined): void {
    const said = timeOf(envelope);
    const mayBeSet = action === 'time_sync';
    // A box that has not been told the time knows nothing of other clocks.
    if ((said === null && !mayBeSet) || receivedAt < clockEarliest) return;
    const known = this.#of(deviceNo);
    const isLost = said !== null && said < deviceTimeMin;
    if (said !== null && !isLost)
      takeMessage(known, { said, receivedAt, answers: personSyncSentAt(envelope.mid, receivedAt) });
    known.isEnded ||= mayBeSet || isLost;
    this.#changed.add(deviceNo);
  }

  /** Bounds of the clock that made a record; null if unknown. */
  boundsOf(deviceNo: DeviceNo, time: UnixSeconds, receivedAt: UnixMs): ClockBounds | null {
    const epochs = this.#of(deviceNo).epochs.map(({ epoch }) => epoch);
    const bounds = boundsOfRecord(epochs, time, receivedAt);
    return (
      bounds && { lowMs: Math.floor(bounds.lowMs), highMs: bounds.highMs === null ? null : Math.ceil(bounds.highMs) }
    );
  }

  /**
   * The clock of the box was set: what is known was measured with another one. In the caller's
   * transaction.
   */
  endAll(): void {
    this.save();
    this.#connection.sql('UPDATE device_clock SET is_ended = 1 WHERE is_ended = 0').run();
    this.#known.clear();
  }

  /** In the caller's transaction. */
  save(): void {
    for (const deviceNo of this.#changed) this.#saveOne(deviceNo, this.#known.get(deviceNo)!);
    this.#changed.clear();
  }

  #saveOne(deviceNo: DeviceNo, known: Known): void {
    const newest = known.epochs.at(-1);
    if (!newest || isAsWritten(known, newest.epoch)) return;
    const { later } = this.#connection;
    const { begunAt, epoch } = newest;
    const { near } = epoch;
    const { firstSaid, lastSaid, lowMs, lowAt, highMs, highAt } = epoch;
    later(
      put,
      ...[deviceNo, begunAt, firstSaid, lastSaid, lowMs, lowAt, highMs, highAt],
      ...[near.count, near.hours, near.lastAt, near.gapMinMs, near.gapMaxMs, known.isEnded ? 1 : 0],
    );
    known.written = { epoch, isEnded: known.isEnded };
    if (known.epochs.length < epochsMax) return;
    later('DELETE FROM device_clock WHERE device_no = ? AND begun_at < ?', deviceNo, known.epochs[0]!.begunAt);
  }

  #of(deviceNo: DeviceNo): Known {
    let known = this.#known.get(deviceNo);
    if (!known) {
      const rows = this.#connection
        .sql(`SELECT ${columns} FROM device_clock WHERE device_no = ? ORDER BY begun_at`)
        .all(deviceNo) as unknown as ClockRow[];
      const epochs = rows.map(row => ({ begunAt: row.begunAt, epoch: epochOf(row) }));
      const isEnded = rows.at(-1)?.isEnded === 1;
      known = { epochs, isEnded, written: { epoch: epochs.at(-1)?.epoch, isEnded } };
      this.#known.set(deviceNo, known);
    }
    return known;
  }

  /** The caller's transaction was rolled back: the table is right, the memory is not. */
  forget(): void {
    this.#known.clear();
    this.#changed.clear();
  }
}

/** Into the newest epoch, or the one that begins with it. */
function takeMessage(known: Known, message: TimedMessage): void {
  const { epochs } = known;
  const last = known.isEnded ? undefined : epochs.at(-1);
  const next = last && withMessage(last.epoch, message);
  if (last && next) {
    last.epoch = next;
    return;
  }
  // Two epochs cannot begin in one millisecond: the table is keyed by it.
  const begunAt = Math.max(message.receivedAt, (epochs.at(-1)?.begunAt ?? 0) + 1);
  epochs.push({ begunAt, epoch: epochFrom(message) });
  // Here, and not when it is written: a device whose times jump begins one with each message.
  if (epochs.length > epochsMax) epochs.shift();
  known.isEnded = false;
}

/** A little more of `lastSaid` alone is not worth a write: a crash costs no more than that. */
const isAsWritten = ({ written, isEnded }: Known, epoch: ClockEpoch): boolean =>
  written.epoch !== undefined &&
  written.isEnded === isEnded &&
  written.epoch.lowMs === epoch.lowMs &&
  written.epoch.lowAt === epoch.lowAt &&
  written.epoch.highAt === epoch.highAt &&
  written.epoch.near === epoch.near &&
  epoch.lastSaid - written.epoch.lastSaid < lastSaidWrittenEvery;

/** The time that a message says: its own, or else the latest of its records. */
function timeOf({ time, data }: Envelope): UnixSeconds | null {
  const said = unixSeconds(time);
  if (said !== null || !Array.isArray(data.records)) return said;
  let latest: UnixSeconds | null = null;
  for (const record of data.records) {
    const at = unixSeconds((record as { check_time?: unknown } | null)?.check_time);
    if (at !== null && (latest === null || at > latest)) latest = at;
  }
  return latest;
}
