import { readFile } from 'node:fs/promises';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

const lookMs = 200;
const networkMs = 5000;
const allMs = 10_000;
/** Held for so long, the button is stuck, or `button_pressed` is inverted. */
const stuckMs = 30_000;
const unreadableMs = 60_000;

/**
 * Watches a file that reads 0 or 1, as GPIO pins do. Released after 5 s it asks to reset the
 * network, after 10 s to reset everything, after 30 s for nothing. A press from before the start
 * does not count. A file that cannot be read is logged once and tried again every minute.
 */
export function watchButton(options: {
  readonly file: string;
  readonly pressed: '0' | '1';
  readonly clock: Clock;
  readonly log: Log;
  readonly held: (what: 'network' | 'all') => void;
}): AsyncDisposable {
  const { file, pressed, clock, log, held } = options;
  const closing = new AbortController();
  const watch = async () => {
    let since: number | null = null;
    let wasFree = false;
    let missing = false;
    for (;;) {
      const read = await readFile(file, 'utf8').catch((error: Error) => error);
      if (read instanceof Error) {
        if (!missing) log.warn({}, 'button_not_readable', { file, why: read.message });
        missing = true;
        since = null;
        wasFree = false;
        await clock.sleep(unreadableMs, closing.signal);
        continue;
      }
      missing = false;
      if (read.trim() === pressed) {
        if (wasFree) since ??= clock.monotonic();
      } else {
        const heldMs = since === null ? 0 : clock.monotonic() - since;
        since = null;
        wasFree = true;
        if (heldMs >= stuckMs) log.warn({}, 'button_stuck', { file });
        else if (heldMs >= networkMs) held(heldMs >= allMs ? 'all' : 'network');
      }
      await clock.sleep(lookMs, closing.signal);
    }
  };
  const ended = watch().catch(error => {
    if (!closing.signal.aborted) throw error;
  });
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await ended;
    },
  };
}
