import { createHash } from 'node:crypto';
import type { JournalRecord } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';

/** Fields of a record that the tables need besides its envelope. */
export type Reported = Pick<JournalRecord, 'seq' | 'deviceNo' | 'receivedAt'>;

/** `with other data`: returned once, the first time that other data arrive under the key. */
type Seen = 'never' | 'before' | 'with other data';

/**
 * A row, unless it is there. `others`: those with the same key and other data, and at most two of
 * them, since a device may give everything the same id.
 */
const remember = `INSERT INTO report_seen (device_no, mid_hash, data_hash, seen_at) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (device_no, mid_hash, data_hash) DO NOTHING
  RETURNING (SELECT count(*) FROM (SELECT 1 FROM report_seen AS other
    WHERE other.device_no = ?1 AND other.mid_hash = ?2 AND other.data_hash <> ?3 LIMIT 2) AS two) AS others`;

const digest = (...parts: string[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest().subarray(0, 16);
};

interface Remembered {
  readonly others: number;
}

/** Which messages and records have come before, asked for many at once. */
export class SeenReports {
  readonly #connection: Connection;
  #asked: (readonly [deviceNo: number, key: Buffer, data: Buffer, seenAt: number])[] = [];
  #answers: readonly (Remembered | undefined)[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Returns the place of its answer. */
  ask({ deviceNo, receivedAt }: Reported, key: readonly string[], data: unknown): number {
    this.#asked.push([deviceNo, digest(...key), digest(JSON.stringify(data)), receivedAt]);
    return this.#asked.length - 1;
  }

  /** Remembers all that was asked for. The answers stay until it is called again. */
  answer(): void {
    if (this.#asked.length === 0) return;
    this.#answers = this.#connection.each(remember, this.#asked) as readonly (Remembered | undefined)[];
    this.#asked = [];
  }

  /** Of what was asked for, and not yet answered. */
  forget(): void {
    this.#asked = [];
  }

  at(place: number): Seen {
    const row = this.#answers[place];
    if (!row) return 'before';
    return row.others === 1 ? 'with other data' : 'never';
  }
}
