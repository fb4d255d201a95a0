/**
 * Opened segments, oldest first: many devices read the same place one after another. Few, for a
 * buffer that is kept for long is freed only when the whole heap is collected.
 */
export class OpenedSegments {
  readonly #opened = new Map<number, Buffer>();
  #bytes = 0;
  readonly #bytesMax: number;

  constructor(bytesMax = 2 << 20) {
    this.#bytesMax = bytesMax;
  }

  get(firstSeq: number): Buffer | undefined {
    return this.#opened.get(firstSeq);
  }

  keep(firstSeq: number, packed: Buffer): void {
    this.forget([firstSeq]);
    this.#opened.set(firstSeq, packed);
    this.#bytes += packed.length;
    for (const [oldest, bytes] of this.#opened) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#opened.delete(oldest);
      this.#bytes -= bytes.length;
    }
  }

  /** They were rewritten. */
  forget(firstSeqs: readonly number[]): void {
    for (const firstSeq of firstSeqs) {
      const known = this.#opened.get(firstSeq);
      if (!known) continue;
      this.#opened.delete(firstSeq);
      this.#bytes -= known.length;
    }
  }
}
