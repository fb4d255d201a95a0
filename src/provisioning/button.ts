import { readFile } from 'node:fs/promises';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

const lookMs = 200;
const heldMs = 5000;
const unreadableMs = 60_000;

/**
 * Watches a file that reads 0 or 1, as GPIO pins do, and calls `held` once when it has read `pressed` for 5 s; again only after it was
 * let go. A file that cannot be read is said once and looked for again every minute.
 */
export function watchButton(options: {
  readonly file: string;
  readonly pressed: '0' | '1';
  readonly clock: Clock;
  readonly log: Log;
  readonly held: () => void;
}): AsyncDisposable {
  const { file, pressed, clock, log, held } = options;
  const closing = new AbortController();
  const watch = async () => {
    let since: number | null = null;
    let told = false;
    let missing = false;
    for (;;) {
      const read = await readFile(file, 'utf8').catch((error: Error) => error);
      if (read instanceof Error) {
        if (!missing) log.warn({}, `provisioning.button ${file}: the button cannot be read: ${read.message}`);
        missing = true;
        since = null;
        await clock.sleep(unreadableMs, closing.signal);
        continue;
      }
      missing = false;
      if (read.trim() !== pressed) {
        since = null;
        told = false;
      } else {
        since ??= clock.monotonic();
        if (!told && clock.monotonic() - since >= heldMs) {
          told = true;
          held();
        }
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
