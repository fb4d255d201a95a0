import { setImmediate } from 'node:timers/promises';

/** For so long a read runs before it yields to other work of its thread. */
const sliceMs = 5;

/** The slices of one long read. `signal` ends it between two of them, with the signal's reason. */
export class Slices {
  readonly #signal: AbortSignal | undefined;
  #endsAt = performance.now() + sliceMs;

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
    this.#endsAt = performance.now() + sliceMs;
  }
}
