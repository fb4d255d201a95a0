import { holdersOf } from '../../platform/biometrics.ts';
import { parseEnvelope } from '../../platform/envelope.ts';
import type { JournalRecord } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { readSegment, UnreadableSegment } from './sealed-segment.ts';
import { channelBits, unpack } from './segment.ts';

/**
 * Records up to `through` are in the tables but were not indexed; those up to `after` have been
 * indexed since.
 */
interface Gap {
  readonly after: number;
  readonly through: number;
}

const gapKey = 'biometric_index_gap';
const indexedKey = 'biometric_index_through';

/**
 * Which records of the journal hold whose features and pictures (table `biometric_record`). The
 * projection adds entries as it goes. Records that were projected by an older program without this
 * index (also after a rollback) are indexed afterwards, in steps.
 */
export class BiometricIndex {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(seq: number, data: Readonly<Record<string, unknown>>): void {
    for (const extId of holdersOf(data))
      this.#connection.later(
        'INSERT INTO biometric_record (ext_id, seq) VALUES (?, ?) ON CONFLICT (ext_id, seq) DO NOTHING',
        ...[extId, seq],
      );
  }

  /** Adds a record whose envelope was not parsed yet. */
  addRecord({ seq, channel, payload }: JournalRecord): void {
    if (channel !== 'device') return;
    const read = parseEnvelope(payload);
    if (read.ok) this.add(seq, read.value.data);
  }

  /**
   * Every record up to here is in the tables and in the index. Called in the projection's
   * transaction.
   */
  projected(seq: number): void {
    this.#note(indexedKey, String(seq));
  }

  /** Called at the start, before anything is projected. */
  findGap(projectedSeq: number): void {
    const through = Number(this.#noted(indexedKey) ?? 0);
    if (through === projectedSeq) return;
    const before = this.#gap();
    this.#note(gapKey, JSON.stringify({ after: before?.after ?? through, through: projectedSeq } satisfies Gap));
    this.projected(projectedSeq);
  }

  /** Up to where the index is complete; null: as far as the tables. */
  get wholeThrough(): number | null {
    return this.#gap()?.after ?? null;
  }

  /**
   * Indexes the next segments of the gap, about `bytesMax` and at most `segmentsMax`. Returns true
   * while some are left.
   */
  fill(segmentsMax: number, bytesMax: number): boolean {
    const gap = this.#gap();
    if (!gap) return false;
    const { sql } = this.#connection;
    const rows = sql(
      `SELECT first_seq, count, channels FROM segment
         WHERE first_seq + count - 1 > ?1 AND first_seq <= ?2 AND first_seq >=
           coalesce((SELECT max(first_seq) FROM segment WHERE first_seq <= ?1), 0) ORDER BY first_seq LIMIT ?3`,
    ).all(gap.after, gap.through, segmentsMax) as {
      first_seq: number;
      count: number;
      channels: number;
    }[];
    let after = rows.length < segmentsMax ? gap.through : gap.after;
    let bytes = 0;
    for (const row of rows) {
      if (bytes > bytesMax) {
        after = row.first_seq - 1;
        break;
      }
      after = Math.max(after, row.first_seq + row.count - 1);
      if ((row.channels & channelBits.device) === 0) continue;
      try {
        const packed = readSegment(this.#connection, row.first_seq);
        if (!packed) continue;
        bytes += packed.length;
        unpack(
          packed,
          row.first_seq,
          record => this.addRecord(record),
          (_, __, channel) => channel === 'device',
        );
      } catch (error) {
        if (!(error instanceof UnreadableSegment)) throw error;
      }
    }
    if (after < gap.through) this.#note(gapKey, JSON.stringify({ after, through: gap.through } satisfies Gap));
    else sql('DELETE FROM meta WHERE key = ?').run(gapKey);
    return after < gap.through;
  }

  #gap(): Gap | null {
    const noted = this.#noted(gapKey);
    return noted === null ? null : (JSON.parse(noted) as Gap);
  }

  #noted(key: string): string | null {
    const row = this.#connection.sql('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
    return row?.value ?? null;
  }

  #note(key: string, value: string): void {
    this.#connection.later(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      ...[key, value],
    );
  }
}
