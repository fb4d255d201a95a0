import type { Clock } from '../../runtime/clock.ts';
import { SiteDeviceFailure } from './failure.ts';

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
