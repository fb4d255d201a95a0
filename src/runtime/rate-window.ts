/**
 * At most `limit` in any `windowMs` milliseconds, for every position of the window (SPEC 8, "20 per
 * second"). Keeps the times of those that it let through in a ring that grows only as needed, so
 * that a limit of millions costs nothing until it is used.
 */
export class RateWindow {
  readonly #limit: number;
  readonly #windowMs: number;
  /** Its length is a power of two, so that an index is cut to it by a mask. */
  #ring = new Float64Array(8);
  #first = 0;
  #count = 0;

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** `now`: monotonic. Returns true and counts one more, if that is allowed. */
  take(now: number): boolean {
    this.#forget(now);
    if (this.#count >= this.#limit) return false;
    if (this.#count === this.#ring.length) this.#grow();
    this.#ring[(this.#first + this.#count) & (this.#ring.length - 1)] = now;
    this.#count++;
    return true;
  }

  /** Milliseconds until `take` will be true; 0 when it is now. */
  wait(now: number): number {
    this.#forget(now);
    if (this.#count < this.#limit) return 0;
    return this.#limit === 0 ? Number.POSITIVE_INFINITY : this.#ring[this.#first]! + this.#windowMs - now;
  }

  #forget(now: number): void {
    const gone = now - this.#windowMs;
    while (this.#count > 0 && this.#ring[this.#first]! <= gone) {
      this.#first = (this.#first + 1) & (this.#ring.length - 1);
      this.#count--;
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#ring.length * 2);
    for (let index = 0; index < this.#count; index++)
      larger[index] = this.#ring[(this.#first + index) & (this.#ring.length - 1)]!;
    this.#ring = larger;
    this.#first = 0;
  }
}
