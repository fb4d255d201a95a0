import type { Clock } from '../../runtime/clock.ts';
import { type Reason, whyOf, withWhy } from '../../words/sentences.ts';
import { siteDeviceFailures } from '../../words/site-devices.ts';
import { SiteDeviceFailure } from './failure.ts';

/** Does `work` with a signal that is aborted after `ms`, or with `outer`: a run ends by itself. */
export async function bounded<T>(
  clock: Clock,
  ms: number,
  run: Reason,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(
    () =>
      ending.abort(
        new SiteDeviceFailure(
          'too_long',
          siteDeviceFailures.say('run_too_long', { ...withWhy(whyOf(run)), limit: ms / 1000 }),
        ),
      ),
    () => {},
  );
  try {
    return await work(outer ? AbortSignal.any([outer, ending.signal]) : ending.signal);
  } finally {
    over.abort();
  }
}
