import type { Clock } from './clock.ts';

/**
 * Waits for `promise`, but no longer than `ms`: then throws what `late` makes. What is waited for
 * goes on all the same.
 */
export async function within<T>(ms: number, clock: Clock, promise: Promise<T>, late: () => Error): Promise<T> {
  const over = new AbortController();
  const timeUp = clock.sleep(ms, over.signal).then(
    () => {
      throw late();
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([promise, timeUp]);
  } finally {
    over.abort();
    promise.catch(() => {}); // a failure after the time is up is nobody's any more
  }
}

/** Resolves when the signal is aborted; at once when it already is. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
