import type { Clock } from './clock.ts';
import { waitOrWake } from './wait-or-wake.ts';

interface JobOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  /** How long the job waits after a failure. */
  readonly retryMs: () => number;
  /** How long the first run waits; 0 if it is left out. */
  readonly firstAfterMs?: number;
  /**
   * The job runs while the lease is this process's, at once when it is taken, and the signal of a
   * run is aborted when it is lost. Left out: each process runs it.
   */
  readonly lease?: JobLease;
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
}

export interface JobLease {
  readonly isMine: boolean;
  onChange(listener: (isMine: boolean) => void): void;
}

/**
 * Runs one thing again and again in the background: when it is due, when somebody says that there
 * is work, and `retryMs` after it failed. No two runs overlap.
 */
export class BackgroundJob implements AsyncDisposable {
  readonly #options: JobOptions;
  readonly #closing = new AbortController();
  #wake = Promise.withResolvers<void>();
  #hasFailed = false;
  /** The wait for the first run is over. */
  #hasBegun = false;
  /** Of the run that is under way, where it needs a lease. */
  #held = new AbortController();
  readonly #ended: Promise<void>;

  constructor(options: JobOptions) {
    this.#options = options;
    options.lease?.onChange(isMine => {
      if (!isMine) this.#held.abort();
      else if (this.#hasBegun) this.poke();
    });
    this.#ended = this.#repeat();
  }

  /** There is work. After a failure the job waits for its next try all the same. */
  poke(): void {
    if (!this.#hasFailed) this.#wake.resolve();
  }

  /** Aborts the signal of the run, and resolves when the run has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #repeat(): Promise<void> {
    const { everyMs, retryMs, firstAfterMs = 0, onFailed } = this.#options;
    const { signal } = this.#closing;
    if (firstAfterMs > 0) await this.#wait(firstAfterMs);
    this.#hasBegun = true;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      try {
        await this.#run();
        this.#hasFailed = false;
      } catch (error) {
        if (signal.aborted) return;
        this.#hasFailed = true;
        onFailed(error);
      }
      await this.#wait(this.#hasFailed ? retryMs() : everyMs);
    }
  }

  async #run(): Promise<void> {
    const { lease, run } = this.#options;
    const { signal } = this.#closing;
    if (!lease) return run(signal);
    if (!lease.isMine) return;
    this.#held = new AbortController();
    const lost = this.#held.signal;
    try {
      await run(AbortSignal.any([signal, lost]));
    } catch (error) {
      // The process that has the lease now does the job.
      if (!lost.aborted) throw error;
    }
  }

  /** Until the time is up, somebody pokes, or the job is disposed. */
  async #wait(ms: number): Promise<void> {
    await waitOrWake(this.#options.clock, ms, this.#wake.promise, this.#closing.signal);
  }
}
