import type { Clock } from './clock.ts';

/**
 * Waits for `promise`, but no longer than `ms`, nor after `signal` is aborted. Rejects with what
 * `late` makes when the time is up, and with the signal's reason when it is aborted. Whatever
 * `promise` comes to after that is ignored.
 */
export async function within<T>(
  ms: number,
  clock: Clock,
  promise: Promise<T>,
  late: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const ended = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  promise.catch(() => {}); // nobody waits for a failure after the time is up
  try {
    return await Promise.race([promise, clock.sleep(ms, ended).then(() => Promise.reject(late()))]);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    over.abort();
  }
}

/** Resolves when the signal is aborted; at once when it already is. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
