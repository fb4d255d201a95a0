import { setImmediate } from 'node:timers/promises';

/** For so long a read runs before it yields to other work of its thread. */
const turnMs = 5;

/** The turns of one long read. `signal` ends it between two of them, with the signal's reason. */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  #endsAt = performance.now() + turnMs;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  async next(): Promise<void> {
    this.#signal?.throwIfAborted();
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#endsAt = performance.now() + turnMs;
  }
}
