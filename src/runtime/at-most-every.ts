import type { Clock } from './clock.ts';

/**
 * Returns a function that calls `run` after this turn of the event loop, but at most once every
 * `ms`. Calls in between are merged. `run` is not called after `signal`. Where `ms` is a function,
 * it says how long to rest after a run that took so many milliseconds.
 */
export function atMostEvery(
  ms: number | ((tookMs: number) => number),
  clock: Clock,
  signal: AbortSignal,
  run: () => void,
): () => void {
  let pending = false;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const begin = () => {
    pending = false;
    if (signal.aborted) return;
    const begun = clock.monotonic();
    if (typeof ms === 'number') restsUntil = begun + ms;
    run();
    if (typeof ms === 'number') return;
    const ended = clock.monotonic();
    restsUntil = ended + ms(ended - begun);
  };
  return () => {
    if (pending || signal.aborted) return;
    pending = true;
    const rest = restsUntil - clock.monotonic();
    if (rest > 0) clock.sleep(rest, signal).then(begin, () => {});
    else setImmediate(begin);
  };
}
