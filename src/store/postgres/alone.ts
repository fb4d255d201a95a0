import { hash } from 'node:crypto';
import type { Clock } from '../../runtime/clock.ts';
import { StoreError } from '../port/journal.ts';
import type { SharedConnection } from './shared-connection.ts';

/** How often a process asks whether another one has finished. */
const askEveryMs = 20;
/** After so long it gives up: the other one may hang. */
const waitMaxMs = 10_000;
/** Keeps these locks apart from other advisory locks of the database. */
const locksOf = 'alone';

/**
 * One process at a time, by key: advisory locks of the side connection, which the server gives back
 * when the process ends. One connection may take a lock twice, so calls of this process wait for
 * each other here.
 */
export class Alone {
  readonly #line: SharedConnection;
  readonly #clock: Clock;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(line: SharedConnection, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
  }

  async run<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
    for (let other = this.#running.get(key); other; other = this.#running.get(key)) await other.catch(() => {});
    const mine = this.#run(key, act);
    this.#running.set(key, mine);
    try {
      return await mine;
    } finally {
      this.#running.delete(key);
    }
  }

  async #run<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
    const giveUpAt = this.#clock.monotonic() + waitMaxMs;
    while (!(await this.#lock('pg_try_advisory_lock', key))) {
      if (this.#clock.monotonic() > giveUpAt)
        throw new StoreError('too_busy', 'another process does the same and does not come to an end');
      await this.#clock.sleep(askEveryMs);
    }
    try {
      return await act();
    } finally {
      // Without its connection this process ends, and so do its locks.
      await this.#lock('pg_advisory_unlock', key).catch(() => {});
    }
  }

  async #lock(how: 'pg_try_advisory_lock' | 'pg_advisory_unlock', key: string): Promise<boolean> {
    const lock = hash('sha256', `${locksOf}\0${key}`, 'buffer').readBigInt64BE();
    const text = `SELECT ${how}($1::bigint) AS done`;
    const [row] = await this.#line.ask<{ done: boolean }>({ name: how, text, values: [String(lock)] });
    return row?.done === true;
  }
}
