import type { Clock } from '../../runtime/clock.ts';
import { SiteDeviceFailure } from './failure.ts';

/**
 * The value of `work`, or what `late` makes when it takes longer. What `work` comes to afterwards
 * is dropped.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  late: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  work.catch(() => {});
  const over = new AbortController();
  const signals = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  try {
    return await Promise.race([work, clock.sleep(ms, signals).then(() => Promise.reject(late()))]);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    over.abort();
  }
}

/** Does `work` with a signal that is aborted after `ms`, or with `outer`: a run ends by itself. */
export async function bounded<T>(
  clock: Clock,
  ms: number,
  what: string,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(
    () => ending.abort(new SiteDeviceFailure('too_long', `${what} took longer than ${ms / 1000} s: try again`)),
    () => {},
  );
  try {
    return await work(outer ? AbortSignal.any([outer, ending.signal]) : ending.signal);
  } finally {
    over.abort();
  }
}
