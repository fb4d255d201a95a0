import type { Clock } from './clock.ts';

interface JobOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  /** How long the job waits after a failure. */
  readonly retryMs: () => number;
  /** How long the first run waits; 0 if it is left out. */
  readonly firstAfterMs?: number;
  /**
   * The turn of one of several processes: the job runs while it is this one's, at once when it
   * becomes so, and the signal of a run is aborted when it is over. Null, or left out: it always
   * runs.
   */
  readonly turn?: JobTurn | null;
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
}

interface JobTurn {
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
  /** Of the run that is under way, where turns are taken. */
  #turn = new AbortController();
  readonly #ended: Promise<void>;

  constructor(options: JobOptions) {
    this.#options = options;
    options.turn?.onChange(isMine => {
      if (!isMine) this.#turn.abort();
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
    const { turn, run } = this.#options;
    const { signal } = this.#closing;
    if (!turn) return run(signal);
    if (!turn.isMine) return;
    this.#turn = new AbortController();
    const over = this.#turn.signal;
    try {
      await run(AbortSignal.any([signal, over]));
    } catch (error) {
      // Whoever has the turn now does it.
      if (!over.aborted) throw error;
    }
  }

  /** Until the time is up, somebody pokes, or the job is disposed. */
  async #wait(ms: number): Promise<void> {
    const over = new AbortController();
    const due = this.#options.clock.sleep(ms, AbortSignal.any([this.#closing.signal, over.signal])).catch(() => {});
    await Promise.race([due, this.#wake.promise]);
    over.abort();
  }
}
