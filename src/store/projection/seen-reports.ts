import { hash } from 'node:crypto';
import type { UnixMs } from '../../runtime/clock.ts';
import type { DeviceNo, JournalRecord } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';

/** Fields of a record that the tables need besides its envelope. */
export type Reported = Pick<JournalRecord, 'seq' | 'deviceNo' | 'receivedAt'>;

/** `with other data`: returned once, the first time that other data arrive under the key. */
type Seen = 'never' | 'before' | 'with other data';

/**
 * Whether the same key with the same data is there, and how many there are with the key: at most
 * two are counted, since a device may give everything the same id.
 */
const look = `SELECT
  EXISTS (SELECT 1 FROM report_seen WHERE device_no = ?1 AND key = ?2 AND data_hash = ?3) AS is_there,
  (SELECT count(*) FROM (SELECT 1 FROM report_seen WHERE device_no = ?1 AND key = ?2 LIMIT 2) AS two) AS with_key`;
const remember = 'INSERT INTO report_seen (device_no, key, data_hash, seen_at) VALUES (?, ?, ?, ?)';

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

interface Asked {
  readonly deviceNo: DeviceNo;
  readonly key: string;
  readonly dataHash: Buffer;
  readonly seenAt: UnixMs;
}

interface Found {
  readonly is_there: 0 | 1;
  readonly with_key: number;
}

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
    const dataHash = digest(JSON.stringify(data), 8);
    return this.#asked.push({ deviceNo, key: keyOf(key), dataHash, seenAt: receivedAt }) - 1;
  }

  /** Remembers all that was asked for. The answers stay until it is called again. */
  answer(): void {
    if (this.#asked.length === 0) return;
    const found = this.#connection.each(
      look,
      this.#asked.map(({ deviceNo, key, dataHash }) => [deviceNo, key, dataHash]),
    ) as unknown as readonly Found[];
    /** Hashes of the data that came under a key since `found` was read. */
    const added = new Map<string, Set<string>>();
    this.#answers = this.#asked.map(({ deviceNo, key, dataHash, seenAt }, index) => {
      const { is_there, with_key } = found[index]!;
      if (is_there) return 'before';
      const place = `${deviceNo} ${key}`;
      const data = dataHash.toString('latin1');
      const known = added.get(place);
      if (known?.has(data)) return 'before';
      if (known) known.add(data);
      else added.set(place, new Set([data]));
      this.#connection.later(remember, deviceNo, key, dataHash, seenAt);
      return with_key + (known ? known.size - 1 : 0) === 1 ? 'with other data' : 'never';
    });
    this.#asked = [];
  }

  /** Of what was asked for, and not yet answered. */
  forget(): void {
    this.#asked = [];
  }

  at(place: number): Seen {
    return this.#answers[place]!;
  }
}
