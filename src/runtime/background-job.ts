import type { Clock, Random } from './clock.ts';
import { nextTry } from './retry.ts';

/**
 * Something that is done in the background again and again: when somebody says that there is work,
 * when it is due, and a few seconds after it failed.
 */
export class Errand implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #everyMs: number;
  readonly #act: (signal: AbortSignal) => Promise<void>;
  readonly #failed: (error: unknown) => void;
  readonly #closing = new AbortController();
  #wake = Promise.withResolvers<void>();
  #hasFailed = false;
  readonly #ended: Promise<void>;

  constructor(options: {
    readonly clock: Clock;
    readonly random: Random;
    readonly everyMs: number;
    readonly act: (signal: AbortSignal) => Promise<void>;
    readonly failed: (error: unknown) => void;
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#everyMs = options.everyMs;
    this.#act = options.act;
    this.#failed = options.failed;
    this.#ended = this.#run();
  }

  /** There is work. After a failure it waits for the next try all the same. */
  poke(): void {
    if (!this.#hasFailed) this.#wake.resolve();
  }

  /** Resolves when what is under way has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      try {
        await this.#act(signal);
        this.#hasFailed = false;
      } catch (error) {
        if (signal.aborted) return;
        this.#hasFailed = true;
        this.#failed(error);
      }
      const over = new AbortController();
      const ms = this.#hasFailed ? nextTry(this.#random) : this.#everyMs;
      const due = this.#clock.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => {});
      await Promise.race([due, this.#wake.promise]);
      over.abort();
    }
  }
}
