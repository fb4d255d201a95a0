import type { Clock } from '../runtime/clock.ts';

/** Timers are not finer: a waking that is so little too late stays. */
const slackMs = 1;

/** One wait at a time, of which the shortest that was asked for counts. */
export class Waking {
  readonly #clock: Clock;
  readonly #onWake: () => void;
  #waiting: { readonly at: number; readonly abort: AbortController } | null = null;

  constructor(clock: Clock, onWake: () => void) {
    this.#clock = clock;
    this.#onWake = onWake;
  }

  /** In `ms` at the latest; an earlier waking stays. An infinite wait is none. */
  wakeIn(ms: number): void {
    const at = this.#clock.monotonic() + ms;
    if (!Number.isFinite(ms) || (this.#waiting && this.#waiting.at <= at + slackMs)) return;
    this.stop();
    const waiting = { at, abort: new AbortController() };
    this.#waiting = waiting;
    this.#clock.sleep(ms, waiting.abort.signal).then(
      () => {
        this.#waiting = null;
        this.#onWake();
      },
      () => {},
    );
  }

  stop(): void {
    this.#waiting?.abort.abort();
    this.#waiting = null;
  }
}
