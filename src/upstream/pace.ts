import type { Clock } from '../runtime/clock.ts';

/**
 * Keeps a device's logs to the cloud's limit of so many in any second (SPEC 8), so that the cloud
 * drops none. The cloud counts at arrival, which lies between sending and confirmation: a record
 * goes out only when the one `perSecond` places before it was confirmed a full second ago. However
 * the line jitters, no window of a second at the cloud then holds more. The price is one round trip
 * in a second.
 */
export class Pace {
  readonly perSecond: number;
  readonly #perDay: number;
  readonly #clock: Clock;
  readonly #dayOf: (now: number) => string;
  /**
   * Confirmation moments of the last `perSecond` records, oldest first, behind some that are
   * forgotten.
   */
  #confirmed: number[] = [];
  #forgotten = 0;
  #inFlight = 0;
  readonly #notBefore: number;
  #day = '';
  #sentToday = 0;

  /**
   * `openedAt`: when the uplink was opened, by the monotonic clock. What the box sent before it was
   * started is not known, and may have arrived until then.
   */
  constructor(options: {
    perSecond: number;
    perDay: number;
    clock: Clock;
    dayOf: (now: number) => string;
    openedAt: number;
  }) {
    this.perSecond = options.perSecond;
    this.#perDay = options.perDay;
    this.#clock = options.clock;
    this.#dayOf = options.dayOf;
    this.#day = options.dayOf(options.clock.now());
    this.#notBefore = options.openedAt + 1000;
  }

  /** After a restart: so many of today's logs were confirmed before it. */
  resume(sentToday: number): void {
    this.#sentToday += sentToday;
  }

  /**
   * Milliseconds until one more may be sent; 0 when it may now, infinite while only a confirmation
   * can make room.
   */
  wait(): number {
    const now = this.#clock.monotonic();
    this.#forget(now - 1000);
    if (this.spentToday) return dayRetryMs;
    if (now < this.#notBefore) return this.#notBefore - now;
    if (this.#inFlight + this.#confirmed.length - this.#forgotten < this.perSecond) return 0;
    const oldest = this.#confirmed[this.#forgotten];
    return oldest === undefined ? Number.POSITIVE_INFINITY : Math.max(0.5, oldest + 1000 - now);
  }

  sent(): void {
    this.#startDay();
    this.#inFlight++;
    this.#sentToday++;
  }

  confirmed(): void {
    this.#inFlight--;
    this.#confirmed.push(this.#clock.monotonic());
  }

  /** Counts records in flight as if they had just arrived: they may have, or not. */
  lost(): void {
    for (; this.#inFlight > 0; this.#inFlight--) this.#confirmed.push(this.#clock.monotonic());
    this.#forgotten = Math.max(this.#forgotten, this.#confirmed.length - this.perSecond);
  }

  /**
   * Whether the day's allowance of the cloud for this device is spent; ask again after `wait()`.
   */
  get spentToday(): boolean {
    // Asked some times for each record, which need not look at the calendar.
    if (this.#sentToday >= this.#perDay) this.#startDay();
    return this.#sentToday >= this.#perDay;
  }

  #startDay(): void {
    const day = this.#dayOf(this.#clock.now());
    if (day === this.#day) return;
    this.#day = day;
    this.#sentToday = 0;
  }

  #forget(gone: number): void {
    while (this.#forgotten < this.#confirmed.length && this.#confirmed[this.#forgotten]! <= gone) this.#forgotten++;
    // Where the limit is high, shifting the array for each record would cost more than the record.
    if (this.#forgotten * 2 <= this.#confirmed.length) return;
    this.#confirmed = this.#confirmed.slice(this.#forgotten);
    this.#forgotten = 0;
  }
}

/** The day is looked at again after this long. */
const dayRetryMs = 30_000;
