/**
 * Collects what a stream has left behind, every so many bytes. Buffers lie outside the heap: while
 * little else is made the collector does not run, and half a gigabyte that streams through holds 60
 * MB more than it needs. `bin/gatehouse` hands the collector out (`--expose-gc`); without it this
 * does nothing.
 */
export class YoungGarbage {
  #bytes = 0;

  passed(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < 1 << 20) return;
    this.#bytes = 0;
    globalThis.gc?.({ type: 'minor', execution: 'sync' });
  }
}

/**
 * The whole heap of this thread, once, in some tens of milliseconds: for after a start, most of
 * which is garbage.
 */
export function collectAllGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
