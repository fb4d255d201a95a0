import type { JobLease } from './background-job.ts';
import type { Clock } from './clock.ts';

const againMs = 5000;

interface PartOptions<Part> {
  readonly lease: JobLease;
  readonly clock: Clock;
  readonly open: () => Promise<Part>;
  /** Called when the part is the current one, before anybody else runs. */
  readonly onOpened?: (part: Part) => void;
  /** Called at once when the lease is lost; then the part is closed. */
  readonly onLost?: (part: Part) => void;
  /** Called if it could not be opened; it is tried again after five seconds. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * A part that is open while this process has a lease. All that the part knows it reads when it is
 * opened. What it sends has to ask the lease itself: a process that hung learns from its timer only
 * after what arrived meanwhile.
 */
export class WhileMine<Part extends AsyncDisposable> implements AsyncDisposable {
  readonly #options: PartOptions<Part>;
  readonly #closing = new AbortController();
  /** Open part; null if another process has it, or it is being opened. */
  current: Part | null = null;
  /** Opening and closing, one after the other. */
  #changing: Promise<void> = Promise.resolve();
  /** How often the lease was lost: what was opened across a loss is stale. */
  #losses = 0;

  private constructor(options: PartOptions<Part>) {
    this.#options = options;
  }

  /**
   * Resolves when the part is open, or at once where another process has the lease. Rejects when
   * the part cannot be opened now.
   */
  static async open<Part extends AsyncDisposable>(options: PartOptions<Part>): Promise<WhileMine<Part>> {
    const made = new WhileMine(options);
    const first = made.#openIfMine();
    made.#changing = first.catch(() => {});
    options.lease.onChange(() => made.#change());
    await first;
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#closeCurrent();
    await this.#changing;
  }

  get #isWanted(): boolean {
    return this.#options.lease.isMine && !this.#closing.signal.aborted;
  }

  #change(): void {
    if (!this.#isWanted) {
      this.#losses++;
      if (this.current) this.#options.onLost?.(this.current);
      this.#closeCurrent();
    }
    this.#changing = this.#changing.then(() => this.#openIfMine()).catch(error => this.#again(error));
  }

  #closeCurrent(): void {
    const { current } = this;
    this.current = null;
    if (current) this.#changing = this.#changing.then(() => current[Symbol.asyncDispose]());
  }

  async #openIfMine(): Promise<void> {
    if (this.current || !this.#isWanted) return;
    const losses = this.#losses;
    const opened = await this.#options.open();
    if (!this.#isWanted || losses !== this.#losses) return opened[Symbol.asyncDispose]();
    this.current = opened;
    this.#options.onOpened?.(opened);
  }

  #again(error: unknown): void {
    this.#options.onFailed(error);
    this.#options.clock.sleep(againMs, this.#closing.signal).then(
      () => this.#change(),
      () => {},
    );
  }
}
