import type { Clock } from './clock.ts';

/**
 * Answers a function that has `run` called soon after it is called: after this turn of the event
 * loop, or, when that would be less than `ms` after the last time, so long after it. Calls in
 * between are one. Nothing is called after `signal`.
 */
export function atMostEvery(ms: number, clock: Clock, signal: AbortSignal, run: () => void): () => void {
  let pending = false;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const begin = () => {
    pending = false;
    if (signal.aborted) return;
    restsUntil = clock.monotonic() + ms;
    run();
  };
  return () => {
    if (pending || signal.aborted) return;
    pending = true;
    const rest = restsUntil - clock.monotonic();
    if (rest > 0) clock.sleep(rest, signal).then(begin, () => {});
    else setImmediate(begin);
  };
}
