import type { Clock } from '../runtime/clock.ts';

/** Does it again and again until it is disposed. */
export function every(ms: number, clock: Clock, act: () => Promise<void>): Disposable {
  const ending = new AbortController();
  const run = async () => {
    for (;;) {
      await clock.sleep(ms, ending.signal);
      await act();
    }
  };
  run().catch(() => {}); // ends by the signal alone: `act` does not throw
  return { [Symbol.dispose]: () => ending.abort() };
}
