import type { Clock, UnixMs } from '../runtime/clock.ts';

/** The last request of a caller whose signature was right. */
export interface CallerUse {
  readonly at: UnixMs;
  readonly address: string;
  /** Path, and the command where there is one. */
  readonly call: string;
}

/** A use as the store keeps it. */
export interface StoredUse extends CallerUse {
  readonly id: string;
}

/** A use is written when the one that is stored is older. */
const writtenEveryMs = 10 * 60_000;

/**
 * When each caller of one API was last here. In memory, and stored at most once in ten minutes for
 * each caller: a card does not wear by it, and a restart forgets no more than that.
 */
export class CallerUses {
  /** Since the start. */
  readonly all = new Map<string, CallerUse>();
  readonly #writtenAt = new Map<string, number>();
  readonly #clock: Clock;
  readonly #write: (use: StoredUse) => Promise<unknown>;

  constructor(clock: Clock, write: (use: StoredUse) => Promise<unknown>) {
    this.#clock = clock;
    this.#write = write;
  }

  note(id: string, use: CallerUse): void {
    this.all.set(id, use);
    const now = this.#clock.monotonic();
    if ((this.#writtenAt.get(id) ?? -writtenEveryMs) + writtenEveryMs > now) return;
    this.#writtenAt.set(id, now);
    // A store that cannot be written is shown elsewhere; the next use tries again.
    this.#write({ id, ...use }).catch(() => this.#writtenAt.delete(id));
  }
}
