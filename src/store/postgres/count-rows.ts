import type { Clock } from '../../runtime/clock.ts';
import type { GuessCounts } from '../../runtime/guess-windows.ts';
import { RateWindow } from '../../runtime/rate-window.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { SharedLogCounts } from '../port/region.ts';
import type { Seal } from '../schema/sealing.ts';
import type { SharedConnection, Statement } from './side-connection.ts';

/** Beyond that a process counts by itself: a flood of guesses is not to keep the database busy. */
const askedPerSecondMax = 200;
const askedAtOnceMax = 32;
/** Rows that stay after a cleaning; those that were quiet longest go. */
const rowsMax = 100_000;
const quietMs = 3600_000;
const firstWaitMs = 1000;
/** Enough for any `waitMaxMs`. */
const doublingsMax = 20;

/** How many tries of a key were wrong, by its fingerprint; by the server's clock. */
export class GuessRows implements GuessCounts {
  readonly #line: SharedConnection;
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #asked = new RateWindow(askedPerSecondMax, 1000);
  #underWay = 0;

  constructor(line: SharedConnection, seal: Seal, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
    this.#seal = seal;
  }

  /** In one statement: two processes that ask at the same time are not both let through. */
  async begin(key: string, { free, freeNow, waitMaxMs }: Parameters<GuessCounts['begin']>[1]): Promise<number | null> {
    const waitAfter = (count: string) =>
      `now_ms() + least($4::bigint, (${firstWaitMs} * 2 ^ least(greatest(${count} - $2::bigint, 0), ${doublingsMax}))::bigint)`;
    const count = `CASE WHEN held.heard < now_ms() - ${quietMs} THEN 1 ELSE held.count + 1 END`;
    const [row] = await this.#ask<{ wait: unknown }>({
      name: 'begin guess',
      text: `WITH tried AS (INSERT INTO guess AS held (key, count, until, heard)
          VALUES ($1, 1, ${waitAfter('1')}, now_ms())
          ON CONFLICT (key) DO UPDATE SET count = ${count}, until = ${waitAfter(`(${count})`)}, heard = now_ms()
          WHERE held.count < $3::bigint OR held.until <= now_ms() RETURNING 1)
        SELECT CASE WHEN EXISTS (SELECT FROM tried) THEN 0 ELSE
          greatest(1, (SELECT until - now_ms() FROM guess WHERE key = $1)) END AS wait`,
      values: [this.#seal.fingerprint('guess', key), free, freeNow, waitMaxMs],
    });
    return row ? Number(row.wait) : null;
  }

  end(key: string, outcome: 'right' | 'not_looked_at'): void {
    const of = [this.#seal.fingerprint('guess', key)];
    const text =
      outcome === 'right'
        ? 'DELETE FROM guess WHERE key = $1'
        : 'UPDATE guess SET count = greatest(count - 1, 0), until = now_ms() WHERE key = $1';
    this.#line.ask({ name: `guess was ${outcome}`, text, values: of }).catch(() => {});
  }

  async wrong(key: string, limit: number, windowMs: number): Promise<number | null> {
    const [row] = await this.#ask<{ count: unknown; rest: unknown }>({
      name: 'wrong guess',
      text: `INSERT INTO guess AS held (key, count, until, heard) VALUES ($1, 1, now_ms() + $2::bigint, now_ms())
        ON CONFLICT (key) DO UPDATE SET heard = now_ms(),
          count = CASE WHEN held.until <= now_ms() THEN 1 ELSE held.count + 1 END,
          until = CASE WHEN held.until <= now_ms() THEN now_ms() + $2::bigint ELSE held.until END
        RETURNING count, until - now_ms() AS rest`,
      values: [this.#seal.fingerprint('guess', key), windowMs],
    });
    if (!row) return null;
    return Number(row.count) >= limit ? Number(row.rest) : 0;
  }

  /** Removes what is of no use, and what is too much. */
  async clean(): Promise<void> {
    await this.#line.ask({
      name: 'clean guesses',
      text: `DELETE FROM guess WHERE (heard < now_ms() - ${quietMs} AND until < now_ms())
        OR heard < (SELECT heard FROM guess ORDER BY heard DESC OFFSET ${rowsMax} LIMIT 1)`,
      values: [],
    });
  }

  /** None when it is not asked, or cannot be. */
  async #ask<Row extends object>(statement: Statement): Promise<Row[]> {
    if (this.#underWay >= askedAtOnceMax || !this.#asked.take(this.#clock.monotonic())) return [];
    this.#underWay++;
    try {
      return await this.#line.ask<Row>(statement);
    } catch {
      return [];
    } finally {
      this.#underWay--;
    }
  }
}

/** In one statement. */
const logCountsMax = 1000;

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
    for (let at = 0; at < sorted.length; at += logCountsMax) {
      const group = sorted.slice(at, at + logCountsMax);
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
