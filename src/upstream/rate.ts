import type { Clock } from '../runtime/clock.ts';

const seconds = 10;

/** How many in a second, over the last ten. */
export class Rate {
  readonly #clock: Clock;
  readonly #counts = new Array<number>(seconds).fill(0);
  #second = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(count: number): void {
    this.#advance();
    this.#counts[this.#second % seconds]! += count;
  }

  perSecond(): number {
    this.#advance();
    return this.#counts.reduce((sum, count) => sum + count, 0) / seconds;
  }

  #advance(): void {
    const now = Math.floor(this.#clock.monotonic() / 1000);
    for (let second = Math.max(this.#second + 1, now - seconds + 1); second <= now; second++)
      this.#counts[second % seconds] = 0;
    this.#second = now;
  }
}
