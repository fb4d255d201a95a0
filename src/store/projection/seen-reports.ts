import { hash } from 'node:crypto';
import type { UnixMs } from '../../runtime/clock.ts';
import type { DeviceNo, JournalRecord } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';

/** Fields of a record that the tables need besides its envelope. */
export type Reported = Pick<JournalRecord, 'seq' | 'deviceNo' | 'receivedAt'>;

/** `with other data`: returned once, the first time that other data arrive under the key. */
type Seen = 'never' | 'before' | 'with other data';

const remember =
  'INSERT INTO report_seen (device_no, key, data_hash, seen_at) VALUES (?, ?, ?, ?) ON CONFLICT (device_no, key) DO NOTHING';
const first = 'SELECT data_hash, is_reused FROM report_seen WHERE device_no = ? AND key = ?';
/** Kept as long as the other data are. */
const reuse = 'UPDATE report_seen SET is_reused = 1, seen_at = ? WHERE device_no = ? AND key = ?';

/** Ids of devices are shorter; what is longer is stored as a hash. */
const plainKeyMax = 40;

const digest = (text: string, bytes: number): Buffer => hash('sha256', text, 'buffer').subarray(0, bytes);

/**
 * As devices count, so that new rows stand side by side in the index: hashes would touch a page for
 * each. A space after `hashed` tells a hash from what a device said.
 */
function keyOf(parts: readonly string[]): string {
  const said = JSON.stringify(parts);
  return said.length <= plainKeyMax ? said : `hashed ${digest(said, 16).toString('base64')}`;
}

type Asked = readonly [deviceNo: DeviceNo, key: string, dataHash: Buffer, seenAt: UnixMs];

/** Which messages and records have come before, asked for many at once. */
export class SeenReports {
  readonly #connection: Connection;
  #asked: Asked[] = [];
  #answers: readonly Seen[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Returns the place of its answer. */
  ask({ deviceNo, receivedAt }: Reported, key: readonly string[], data: unknown): number {
    return this.#asked.push([deviceNo, keyOf(key), digest(JSON.stringify(data), 8), receivedAt]) - 1;
  }

  /** Remembers all that was asked for. The answers stay until it is called again. */
  answer(): void {
    if (this.#asked.length === 0) return;
    const added = this.#connection.changes(remember, this.#asked);
    this.#answers = added.map((count, place) => (count > 0 ? 'never' : this.#compare(this.#asked[place]!)));
    this.#asked = [];
  }

  /** Of a key that is there. */
  #compare([deviceNo, key, dataHash, seenAt]: Asked): Seen {
    const { each, changes, later } = this.#connection;
    const [row] = each(first, [[deviceNo, key]]) as unknown as readonly [{ data_hash: Uint8Array; is_reused: 0 | 1 }];
    if (dataHash.equals(row.data_hash)) return 'before';
    const [added] = changes(remember, [[deviceNo, `${key} ${dataHash.toString('base64')}`, dataHash, seenAt]]);
    if (added === 0) return 'before';
    later(reuse, seenAt, deviceNo, key);
    return row.is_reused ? 'never' : 'with other data';
  }

  /** Of what was asked for, and not yet answered. */
  forget(): void {
    this.#asked = [];
  }

  at(place: number): Seen {
    return this.#answers[place]!;
  }
}
