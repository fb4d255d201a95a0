import type { DeviceNo } from '../port/journal.ts';
import type { SharedLogCounts } from '../port/shared.ts';
import type { SharedConnection } from './shared-connection.ts';

/** In one statement. */
const groupMax = 1000;

/** How many logs of each device all processes have taken on its last day. */
export class LogCountRows implements SharedLogCounts {
  readonly #line: SharedConnection;

  constructor(line: SharedConnection) {
    this.#line = line;
  }

  async add(day: string, taken: Parameters<SharedLogCounts['add']>[1]): Promise<Map<DeviceNo, number>> {
    const all = new Map<DeviceNo, number>();
    // In the order of the devices, so that two processes do not wait for each other.
    const sorted = [...taken].sort(([one], [other]) => one - other);
    for (let at = 0; at < sorted.length; at += groupMax) {
      const group = sorted.slice(at, at + groupMax);
      const rows = await this.#line.ask<{ device_no: unknown; stored: unknown }>({
        name: 'add log counts',
        // Counts that this process alone knows win where the others have fewer.
        text: `INSERT INTO log_count_today AS held (device_no, day, more, stored)
            SELECT device_no, $1, more, stored
              FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS taken (device_no, more, stored)
          ON CONFLICT (device_no) DO UPDATE SET day = greatest(held.day, excluded.day), more = excluded.more,
            stored = CASE WHEN held.day < excluded.day THEN excluded.stored
              WHEN held.day > excluded.day THEN held.stored
              ELSE greatest(held.stored + excluded.more, excluded.stored) END
          RETURNING device_no, CASE WHEN day = $1 THEN stored ELSE 0 END AS stored`,
        values: [
          day,
          group.map(([deviceNo]) => deviceNo),
          group.map(([, { more }]) => more),
          group.map(([, { stored }]) => stored),
        ],
      });
      for (const { device_no, stored } of rows) all.set(Number(device_no) as DeviceNo, Number(stored));
    }
    return all;
  }
}
