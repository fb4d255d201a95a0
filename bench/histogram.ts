/** Latencies in buckets of 4 %, from 1 microsecond to a minute. */
export class Histogram {
  readonly #buckets = new Float64Array(480);
  #count = 0;

  add(ms: number): void {
    const bucket = Math.max(0, Math.min(479, Math.ceil(Math.log(Math.max(ms * 1000, 1)) / Math.log(1.04))));
    this.#buckets[bucket]!++;
    this.#count++;
  }

  /** In milliseconds: the upper end of the bucket that holds the share `part` (0.99 for p99). */
  at(part: number): number {
    let seen = 0;
    for (const [bucket, count] of this.#buckets.entries()) {
      seen += count;
      if (seen >= this.#count * part) return 1.04 ** bucket / 1000;
    }
    return 0;
  }

  clear(): void {
    this.#buckets.fill(0);
    this.#count = 0;
  }
}
