import type { Client } from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { GivenReason, Reason } from '../../words/sentences.ts';
import { EngineError, stateOf } from '../schema/engine-failures.ts';
import type { WriterProxy } from '../writer/proxy.ts';
import { serverFaults, whyBroken } from './server-faults.ts';
import { connectSession } from './session.ts';
import { type DatabaseLook, warningsOf, whyStalled } from './warnings.ts';

const lookEveryMs = 1000;
/** After so long without an answer, what waits is told that nothing is acknowledged. */
const stalledMs = 5000;
/** A server that answers nothing at all for so long is as good as gone. */
const goneMs = 30_000;
/**
 * The writer asks forty times a second: the server has not heard of it for so long, at two looks in
 * a row, only if its connection, or the thread of that, has gone without a word.
 */
const silentMs = 5000;
const silentLooksMax = 2;
/** For so long a slow write is told of. */
const slowForMs = 60_000;
/** For so long a refused statement is told of. */
const refusedForMs = 60_000;
/** A start that takes longer says what it waits for. */
const patienceMs = 5000;

const lookQuery = `
  SELECT current_setting('synchronous_standby_names') AS names,
    (SELECT count(*)::int FROM pg_stat_replication) AS connected,
    (SELECT CASE WHEN bool_or(sync_state IS NOT NULL)
       THEN (count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')))::int END FROM pg_stat_replication) AS synchronous,
    EXISTS (SELECT FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep') AS waits,
    (SELECT count(*)::int FROM process WHERE live) AS processes,
    (SELECT json_build_object('seconds', extract(epoch FROM now() - xact_start)::int, 'by', application_name, 'pid', pid)
       FROM pg_stat_activity WHERE datname = current_database() AND backend_xmin IS NOT NULL AND xact_start < now()
       ORDER BY xact_start LIMIT 1) AS oldest,
    NOT EXISTS (SELECT FROM process JOIN pg_stat_activity AS own ON own.pid = process.pid AND own.backend_start = process.since
      WHERE process.id = $1
        AND (own.state <> 'idle' OR own.state_change > now() - interval '${silentMs} ms') IS NOT FALSE) AS silent`;

/** One row is written at each start. */
const openedQuery = `INSERT INTO meta (key, value) VALUES ('opened', now_ms()::text)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

function failed(error: unknown): never {
  throw new EngineError((error as Error).message, stateOf(error), 'broken');
}

interface WatchOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly sharesFiles: boolean;
}

/**
 * Looks once a second, on a connection of its own, whether the database has its standby, and
 * whether it answers. It does not block the main thread, and notices at once when the server ends
 * its connections.
 */
export class DatabaseWatch implements AsyncDisposable {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #sharesFiles: boolean;
  readonly #ending = new AbortController();
  #writer: WriterProxy | null = null;
  #look: DatabaseLook | null = null;
  /** When a look began that has no answer yet. */
  #lookingSince: number | null = null;
  #silentLooks = 0;
  #refused: { readonly why: Reason; readonly at: number } | null = null;
  #slow = { ms: 0, at: Number.NEGATIVE_INFINITY };
  /** Resolves with the reason when this process has to start again. */
  readonly lost: Promise<string>;
  lose: (why: GivenReason) => void = () => {};

  private constructor(client: Client, { clock, sharesFiles }: WatchOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#sharesFiles = sharesFiles;
    this.lost = new Promise(resolve => {
      this.lose = why => {
        if (this.#ending.signal.aborted) return;
        this.#writer?.lose(why);
        resolve(why.reason);
      };
    });
    for (const event of ['error', 'end'] as const)
      client.on(event, (error: unknown = new Error('the connection ended')) => this.lose(whyBroken(error)));
  }

  /**
   * Writes a row and waits for its commit, and so for the standby: what a primary kept when it
   * crashed, and no standby has, is not shown before one has it. Throws EngineError.
   */
  static async start(options: WatchOptions): Promise<DatabaseWatch> {
    const { url, clock, log } = options;
    const client = await connectSession(url, { application_name: 'gatehouse watch' }).catch(failed);
    const warnings: string[] = [];
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') warnings.push(message ?? '');
    });
    const watch = new DatabaseWatch(client, options);
    const started = new AbortController();
    clock.sleep(patienceMs, started.signal).then(
      () => log.warn({}, 'start_waits_for_standby'),
      () => {},
    );
    try {
      await client.query(openedQuery);
      if (warnings.length > 0) throw new Error(`PostgreSQL warns: ${warnings.join('; ')}`);
    } catch (error) {
      await watch[Symbol.asyncDispose]();
      failed(error);
    } finally {
      started.abort();
    }
    return watch;
  }

  /** Until it is disposed, or the database is lost. `process`: the number of this process. */
  follow(writer: WriterProxy, process: number): void {
    this.#writer = writer;
    void this.#run(writer, process);
  }

  /** A sentence for each thing that is wrong with the database, with what to do. */
  warnings(): Reason[] {
    const isRecent = this.#clock.monotonic() - this.#slow.at < slowForMs;
    const wasRefused = this.#refused && this.#clock.monotonic() - this.#refused.at < refusedForMs;
    return [
      ...warningsOf(this.#look, isRecent ? this.#slow.ms : 0, this.#sharesFiles),
      ...(wasRefused ? [this.#refused!.why] : []),
    ];
  }

  /** The server has refused a statement, and its connection goes on. */
  refused(error: unknown): void {
    const why = whyBroken(error);
    if (why !== serverFaults.broken) this.#refused = { why, at: this.#clock.monotonic() };
  }

  async #run(writer: WriterProxy, process: number): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted && !writer.closed) {
      void this.#lookOnce(process);
      await this.#clock.sleep(lookEveryMs, signal).catch(() => {});
      const now = this.#clock.monotonic();
      if (this.#lookingSince !== null && now - this.#lookingSince > goneMs) this.lose(serverFaults.broken);
      this.#noteSlow(writer.times.takeSlowestMs(), now);
      if (this.#silentLooks >= silentLooksMax && !writer.closed) this.lose(serverFaults.broken);
      if (writer.times.silentMs > stalledMs) writer.stall(whyStalled(this.#look));
    }
  }

  #noteSlow(ms: number, now: number): void {
    if (ms >= this.#slow.ms || now - this.#slow.at > slowForMs / 2) this.#slow = { ms, at: now };
  }

  async #lookOnce(process: number): Promise<void> {
    if (this.#lookingSince !== null) return;
    this.#lookingSince = this.#clock.monotonic();
    try {
      const { rows } = await this.#client.query<DatabaseLook & { silent: boolean }>(lookQuery, [process]);
      this.#look = rows[0]!;
      this.#silentLooks = rows[0]!.silent ? this.#silentLooks + 1 : 0;
      this.#lookingSince = null;
    } catch {
      // The connection says by itself that it broke.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#client.end().catch(() => {});
  }
}
