/** One number of shared memory: 1 when a reply was posted that nobody has taken yet. */
export const replySignal = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

/** A reply was posted. */
export function signalReply(signal: Int32Array): void {
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}

/**
 * Sleeps until a reply was posted, for at most `withinMs`; false: none was. Looks at the number and
 * not at being woken: whoever asks again at once may be woken by the end of the signal before.
 */
export function awaitReply(signal: Int32Array, withinMs: number): boolean {
  const until = performance.now() + withinMs;
  while (Atomics.compareExchange(signal, 0, 1, 0) === 0) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    Atomics.wait(signal, 0, 0, leftMs);
  }
  return true;
}
