interface Waiting {
  run(): Promise<void>;
}

/**
 * One task at a time, in turns by key: a key with many tasks waits behind its own, not ahead of
 * others. Tasks of `known` keys go first and have their own places. When a key, or all strangers
 * together, have as many waiting as allowed, the next one is refused.
 */
export class CheckQueue {
  readonly #perKey: number;
  readonly #unknownMax: number;
  readonly #knownMax: number;
  readonly #known = new Map<string, Waiting[]>();
  readonly #unknown = new Map<string, Waiting[]>();
  #isRunning = false;

  constructor({ perKey, unknown, known }: { perKey: number; unknown: number; known: number }) {
    this.#perKey = perKey;
    this.#unknownMax = unknown;
    this.#knownMax = known;
  }

  /** Runs a task in its turn; null if too many wait. */
  run<Result>(key: string, isKnown: boolean, task: () => Promise<Result>): Promise<Result> | null {
    const line = isKnown ? this.#known : this.#unknown;
    const mine = line.get(key) ?? [];
    const all = [...line.values()].reduce((sum, one) => sum + one.length, 0);
    if (mine.length >= this.#perKey || all >= (isKnown ? this.#knownMax : this.#unknownMax)) return null;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    mine.push({ run: () => task().then(resolve, reject) });
    line.set(key, mine);
    if (!this.#isRunning) void this.#work();
    return promise;
  }

  async #work(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#next(); next; next = this.#next()) await next.run();
    this.#isRunning = false;
  }

  #next(): Waiting | undefined {
    const line = this.#known.size > 0 ? this.#known : this.#unknown;
    const [first] = line;
    if (!first) return undefined;
    const [key, waiting] = first;
    const next = waiting.shift();
    // A key with more tasks goes to the end of the queue.
    line.delete(key);
    if (waiting.length > 0) line.set(key, waiting);
    return next;
  }
}
