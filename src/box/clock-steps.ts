import { BackgroundJob } from '../runtime/background-job.ts';
import type { Clock } from '../runtime/clock.ts';
import type { KnownTime } from '../runtime/known-time.ts';
import type { Log } from '../runtime/log.ts';
import type { DeviceWrites, WritePart } from '../store/index.ts';

const lookMs = 2_000;
/** Slewing moves the clock far less than this between two checks. */
const stepMs = 2_000;
/** Asking the system may start a program. */
const askMs = 10_000;

interface WatchedStore extends WritePart<Pick<DeviceWrites, 'noteClockSet'>> {
  catchUp(): Promise<void>;
}

interface Watched {
  readonly clock: Clock;
  readonly time: KnownTime;
  readonly log: Log;
  /** State of synchronisation as the system reports it; null if unknown. */
  readonly isSynchronized: () => Promise<boolean | null>;
}

/**
 * Notices when somebody sets the clock of the box, and says so in its log. What is known of the
 * clocks of devices was measured with the old time: it is forgotten, else a minute with a wrong
 * clock would call every device wrong from then on. Asks the system about its clock after a step,
 * and while the box does not know the time.
 */
export function watchClock(store: WatchedStore, { clock, time, log, isSynchronized }: Watched): AsyncDisposable {
  const ahead = () => clock.now() - clock.monotonic();
  let before = ahead();
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = async () => {
    askedAt = clock.monotonic();
    time.noteSynchronized(await isSynchronized());
  };
  return new BackgroundJob({
    clock,
    everyMs: lookMs,
    retryMs: () => lookMs,
    firstAfterMs: lookMs,
    async run() {
      const after = ahead();
      const byMs = after - before;
      const isStep = Math.abs(byMs) >= stepMs;
      if (isStep || (time.doubt !== null && clock.monotonic() - askedAt >= askMs)) await ask();
      if (!isStep) {
        before = after;
        return;
      }
      // Records from before the step are read with the bounds of their time.
      await store.catchUp();
      await store.write.noteClockSet({});
      time.noteSet(byMs);
      before = after;
      log.warn({ by_s: Math.round(byMs / 1000) }, 'clock_set');
    },
    onFailed: error => log.warn({ error: String(error) }, 'clock_set_not_stored'),
  });
}
