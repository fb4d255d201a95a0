/**
 * Runs the garbage collector every so many bytes of a stream. Buffers are outside the heap: while
 * little else is allocated the collector does not run, and a stream of half a gigabyte holds 60 MB
 * more than it needs. `bin/gatehouse` exposes the collector (`--expose-gc`); without it this does
 * nothing.
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
