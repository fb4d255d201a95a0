import { hash } from 'node:crypto';
import type { Clock } from '../../runtime/clock.ts';
import { StoreError } from '../port/journal.ts';
import type { SharedState } from '../port/region.ts';
import { failureOfState, stateOf } from '../schema/engine-failures.ts';
import type { Seal } from '../schema/sealing.ts';
import { GuessRows, LogCountRows } from './count-rows.ts';
import { HttpSessionRows } from './http-session-rows.ts';
import { OnlineRows } from './online-rows.ts';
import { whyFailed } from './server-faults.ts';
import { type SharedConnection, SideConnection, type Statement, sharedChannel } from './side-connection.ts';

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
class Alone {
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

/** How often rows are removed that are of use to nobody. */
const cleanEveryMs = 60_000;

interface SharedProcess {
  /** Its number. */
  readonly me: number;
  readonly seal: Seal;
  readonly clock: Clock;
}

/**
 * State that all processes share, over a side connection of its own. Its tables are unlogged: after
 * a crash of the server they are empty, as the memory of a box is after a start.
 */
export class Shared implements SharedState, SharedConnection {
  readonly #side: SideConnection;
  readonly me: number;
  readonly httpSessions: HttpSessionRows;
  readonly guesses: GuessRows;
  readonly presence: OnlineRows;
  readonly logCounts: LogCountRows;
  readonly #alone: Alone;
  readonly #listeners = new Map<string, (items: string[], from: number) => void>();
  /** Called when the connection has broken: this process has to start again. */
  onBroken: (error: unknown) => void = () => {};
  /** Called when the server refuses a statement. */
  onRefused: (error: unknown) => void = () => {};
  readonly #closing = new AbortController();

  private constructor(side: SideConnection, { me, seal, clock }: SharedProcess) {
    this.#side = side;
    this.me = me;
    side.onBroken(error => this.onBroken(error));
    side.onNotification((_, payload) => this.#hear(payload));
    this.httpSessions = new HttpSessionRows(this, seal);
    this.guesses = new GuessRows(this, seal, clock);
    this.presence = new OnlineRows(this, clock);
    this.logCounts = new LogCountRows(this);
    this.#alone = new Alone(this, clock);
  }

  /** `me`: the number of this process. Rejects when the server cannot be reached. */
  static async open(url: string, process: SharedProcess): Promise<Shared> {
    const side = await SideConnection.open(url, { synchronous_commit: 'off' });
    const shared = new Shared(side, process);
    await side.query(`LISTEN ${sharedChannel}`);
    await shared.presence.start();
    void shared.presence.watch(shared.#closing.signal);
    void shared.#clean(process.clock);
    return shared;
  }

  alone<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
    return this.#alone.run(key, act);
  }

  async ask<Row extends object>({ name, text, values }: Statement): Promise<Row[]> {
    try {
      return (await this.#side.query({ name, text, values: [...values] })) as Row[];
    } catch (error) {
      this.onRefused(error);
      // A statement that is wrong is no matter of the connection.
      if (/^(?:22|23|42)/.test(stateOf(error))) throw error;
      const failure = failureOfState(stateOf(error)) ?? 'broken';
      throw new StoreError(failure, whyFailed(failure, error).reason);
    }
  }

  on(word: string, listener: (items: string[], from: number) => void): void {
    this.#listeners.set(word, listener);
  }

  /** Handles a message; one of another version is ignored. */
  #hear(payload: string): void {
    const [, word = '', from, items = ''] = /^(\w+) (\d+):(.*)$/.exec(payload) ?? [];
    this.#listeners.get(word)?.(items.split(','), Number(from));
  }

  async #clean(clock: Clock): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await clock.sleep(cleanEveryMs, signal).catch(() => {});
      // The next cleaning removes them.
      const parts = signal.aborted ? [] : [this.httpSessions, this.guesses, this.presence];
      for (const part of parts) await part.clean().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#side.close();
  }
}
