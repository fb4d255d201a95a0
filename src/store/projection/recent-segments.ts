/** Where a segment stands in the memory. */
interface Place {
  readonly from: number;
  readonly to: number;
  /** Of its records. */
  readonly count: number;
}

/**
 * The packed segments of the last commits, in one piece of memory that is used again and again:
 * one piece for each segment would live as long as the tables rest, and V8 then stops this thread
 * several times a second under load to collect them. Segments come and go in the order of their
 * numbers.
 */
export class RecentSegments {
  readonly #bytesMax: number;
  /** Made when the first segment comes; the system gives it pages only where it was written. */
  #memory: Buffer | null = null;
  /** By first seq, in their order. */
  readonly #places = new Map<number, Place>();
  #newest: Place | null = null;
  #bytes = 0;

  /** `bytesMax`: what does not fit is not kept. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Share of the memory that is in use. */
  get filled(): number {
    return this.#bytes / this.#bytesMax;
  }

  /** Copies a segment that comes after those that it has; leaves it out if there is no room. */
  add(firstSeq: number, packed: Buffer, count: number): void {
    const from = this.#roomFor(packed.length);
    if (from === null) return;
    this.#memory ??= Buffer.allocUnsafeSlow(this.#bytesMax);
    this.#memory.set(packed, from);
    this.#newest = { from, to: from + packed.length, count };
    this.#places.set(firstSeq, this.#newest);
    this.#bytes += packed.length;
  }

  /** How many records the segment has that begins there; undefined: it is not here. */
  countAt(firstSeq: number): number | undefined {
    return this.#places.get(firstSeq)?.count;
  }

  /** Takes a segment out, and those before it; valid until the next one is added. */
  take(firstSeq: number): Buffer | null {
    const place = this.#places.get(firstSeq);
    for (const [seq, { from, to }] of this.#places) {
      if (seq > firstSeq) break;
      this.#places.delete(seq);
      this.#bytes -= to - from;
    }
    return place && this.#memory ? this.#memory.subarray(place.from, place.to) : null;
  }

  forgetFrom(firstSeq: number): void {
    this.#newest = null;
    for (const [seq, place] of this.#places)
      if (seq >= firstSeq) {
        this.#places.delete(seq);
        this.#bytes -= place.to - place.from;
      } else this.#newest = place;
  }

  /**
   * Behind the newest segment, or at the begin of the memory when the end is too short. An empty
   * memory is used from its begin, so that a box with little to do touches little of it.
   */
  #roomFor(bytes: number): number | null {
    const oldest = this.#places.values().next().value;
    const newest = this.#newest;
    if (!oldest || !newest) return bytes <= this.#bytesMax ? 0 : null;
    if (newest.from < oldest.from) return newest.to + bytes <= oldest.from ? newest.to : null;
    if (newest.to + bytes <= this.#bytesMax) return newest.to;
    return bytes <= oldest.from ? 0 : null;
  }
}
