import type { DeviceNo } from '../port/journal.ts';
import { fenceGone } from './process-tables.ts';
import type { SideConnection } from './side-connection.ts';

/** Word from one process to another; each listens on a channel of its own. */
type Word = 'wanted' | 'soon' | 'free' | 'message';

export const channelOf = (process: number): string => `gatehouse_process_${process}`;

/**
 * A device's records over HTTP have a claim of their own, so that its MQTT session stays where it
 * is: a row under the number below zero.
 */
export const httpClaimOf = (deviceNo: DeviceNo): DeviceNo => -deviceNo as DeviceNo;
export const isHttpClaim = (deviceNo: DeviceNo): boolean => deviceNo < 0;

/** `WORD FROM:DEVICE,DEVICE`, under the 8000 bytes that NOTIFY takes at most. */
const spoken = (word: Word, from: number, devices: readonly DeviceNo[]): string =>
  `${word} ${from}:${devices.join(',')}`;

/** Word of another process; null if this version does not know it. */
export function heard(payload: string): { word: string; from: number; devices: DeviceNo[] } | null {
  const [, word, from, devices] = /^(\w+) (\d+):([\d,-]*)$/.exec(payload) ?? [];
  if (word === undefined || from === undefined || devices === undefined) return null;
  return { word, from: Number(from), devices: devices.split(',').map(Number) as DeviceNo[] };
}

/** Of a device that another process has. */
interface Held {
  readonly deviceNo: DeviceNo;
  readonly process: number;
}

const numbers = (rows: readonly { readonly device_no: unknown }[]): DeviceNo[] =>
  rows.map(row => Number(row.device_no) as DeviceNo);

/** The statements about devices' sessions, on the side connection of process `me`. */
export class ClaimStatements {
  readonly #side: SideConnection;
  readonly #me: number;

  constructor(side: SideConnection, me: number) {
    this.#side = side;
    this.#me = me;
  }

  /**
   * Takes those that nobody has, or a fenced process. None when this process is fenced itself.
   */
  async take(devices: readonly DeviceNo[]): Promise<Set<DeviceNo>> {
    const rows = await this.#side.query<{ device_no: unknown }>({
      name: 'take',
      text: `WITH here AS (SELECT id FROM process WHERE id = $1::bigint AND live FOR SHARE),
          asked AS (SELECT DISTINCT unnest($2::bigint[]) AS device_no)
        INSERT INTO device_session AS held (device_no, process, gen)
          SELECT asked.device_no, here.id, 1 FROM asked, here ORDER BY asked.device_no
        ON CONFLICT (device_no) DO UPDATE SET process = excluded.process, gen = held.gen + 1
          WHERE held.process = excluded.process
            OR NOT EXISTS (SELECT FROM process AS other WHERE other.id = held.process AND other.live)
        RETURNING device_no`,
      values: [this.#me, devices],
    });
    return new Set(numbers(rows));
  }

  /** Fences processes that are gone. */
  async clear(): Promise<void> {
    await this.#side.query({ name: 'clear', text: fenceGone });
  }

  /** Asks whoever has these for them. */
  async ask(devices: readonly DeviceNo[]): Promise<Held[]> {
    const rows = await this.#side.query<{ device_no: unknown; process: unknown }>({
      name: 'ask',
      text: `WITH held AS (SELECT device_no, process FROM device_session
          WHERE device_no = ANY($2::bigint[]) AND process NOT IN (0, $1::bigint)),
        told AS (SELECT pg_notify('gatehouse_process_' || process, 'wanted ' || $1::bigint || ':' || string_agg(device_no::text, ','))
          FROM held GROUP BY process)
        SELECT device_no, process FROM held, (SELECT count(*) FROM told) AS all_told`,
      values: [this.#me, devices],
    });
    return rows.map(({ device_no, process }) => ({
      deviceNo: Number(device_no) as DeviceNo,
      process: Number(process),
    }));
  }

  async say(to: number, word: Word, devices: readonly DeviceNo[]): Promise<void> {
    await this.#side.query({
      name: 'say',
      text: 'SELECT pg_notify($1, $2)',
      values: [channelOf(to), spoken(word, this.#me, devices)],
    });
  }

  async giveAway(devices: readonly DeviceNo[]): Promise<void> {
    await this.#side.query({
      name: 'give away',
      // In the order in which others take them, so that neither waits for the other.
      text: `UPDATE device_session SET process = 0 WHERE device_no IN
        (SELECT device_no FROM device_session WHERE device_no = ANY($2::bigint[]) AND process = $1
          ORDER BY device_no FOR UPDATE)`,
      values: [this.#me, devices],
    });
  }

  async tellOfMessage(device: DeviceNo): Promise<void> {
    await this.#side.query({
      name: 'tell',
      text: `SELECT pg_notify('gatehouse_process_' || process, 'message ' || $1::bigint || ':' || device_no)
        FROM device_session WHERE device_no = $2 AND process NOT IN (0, $1::bigint)`,
      values: [this.#me, device],
    });
  }
}
