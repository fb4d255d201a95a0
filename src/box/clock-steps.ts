import { BackgroundJob } from '../runtime/background-job.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { DeviceWrites, WritePart } from '../store/index.ts';

const lookMs = 2_000;
/** What slewing does to a clock between two looks is far less. */
const stepMs = 2_000;

interface WatchedStore extends WritePart<Pick<DeviceWrites, 'noteClockSet'>> {
  catchUp(): Promise<void>;
}

/**
 * Notices when somebody sets the clock of the box, and says so in its log. What is known of the
 * clocks of devices was measured with the old time: it is forgotten, else a minute with a wrong
 * clock would call every device wrong from then on.
 */
export function watchClock(store: WatchedStore, { clock, log }: { clock: Clock; log: Log }): AsyncDisposable {
  const ahead = () => clock.now() - clock.monotonic();
  let before = ahead();
  return new BackgroundJob({
    clock,
    everyMs: lookMs,
    retryMs: () => lookMs,
    firstAfterMs: lookMs,
    async run() {
      const after = ahead();
      const byMs = after - before;
      if (Math.abs(byMs) < stepMs) {
        before = after;
        return;
      }
      // What came before the step is read with the bounds that it was measured with.
      await store.catchUp();
      await store.write.noteClockSet({});
      before = after;
      log.warn({ by_s: Math.round(byMs / 1000) }, 'the clock of this box was set');
    },
    onFailed: error =>
      log.warn({ error: String(error) }, 'that the clock was set could not be noted; it is tried again'),
  });
}
