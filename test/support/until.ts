import { TestRunner } from 'vitest';

/** Where no test runs, such as in a hook: for what hangs alone. */
const withoutTestMs = 60_000;

/** A look that costs much, such as a command in a process of its own, gets a quarter of the time. */
const pauseMs = (tookMs: number): number => Math.min(Math.max(20, 3 * tookMs), 500);

/**
 * Calls `look` every few milliseconds, or twice a second where it costs much, until it returns
 * something. No wait has a bound of its own, which a slow machine would miss: it ends with the
 * time-out of its test, and then writes what it waited for and what `look` returned last.
 */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const test = TestRunner.getCurrentTest();
  // Vitest knows only which of them began last: the end of another one would be taken for the own.
  if (test?.concurrent) throw new Error(`${what}: until() waits in tests that run one after the other`);
  const signal = test?.context.signal ?? AbortSignal.timeout(withoutTestMs);
  let last: unknown;
  const message = () => `still waiting: ${what} (last: ${String(last)})`;
  // Said at once: a look may hang.
  const say = () => process.stderr.write(`${message()}\n`);
  signal.addEventListener('abort', say);
  try {
    for (;;) {
      const begun = performance.now();
      try {
        last = await look();
        if (last) return last as NonNullable<T>;
      } catch (error) {
        last = error;
      }
      if (signal.aborted) throw new Error(message());
      await new Promise(resolve => setTimeout(resolve, pauseMs(performance.now() - begun)));
      // Nobody waits any more: another test runs by now.
      if (test && TestRunner.getCurrentTest() !== test) return new Promise(() => {});
    }
  } finally {
    signal.removeEventListener('abort', say);
  }
}
