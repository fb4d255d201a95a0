import type { Site } from '../platform/site.ts';
import { BackgroundJob } from '../runtime/background-job.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { dayOf } from '../runtime/wall-time.ts';
import type { Lease, ScheduleWrites, WritePart } from '../store/index.ts';

const everyMs = 60_000;
/** In one transaction: more follow in the next. */
const atOnceMax = 200;

/**
 * Takes people off the terminals when their last day is over where the site is: looked at each
 * minute, so that a last day in the past takes effect at once. Costs one index lookup.
 */
export const takeOffTerminals = (
  store: WritePart<Pick<ScheduleWrites, 'leaveTerminals'>> & { readonly once: Lease },
  site: Pick<Site, 'timezone'>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): AsyncDisposable =>
  new BackgroundJob({
    clock,
    lease: store.once,
    everyMs,
    retryMs: () => everyMs,
    async run(signal) {
      const now = clock.now();
      const { day: today, from } = dayOf(now, site.timezone);
      const minute = Math.floor((now / 1000 - from) / 60);
      while (!signal.aborted) {
        const people = await store.write.leaveTerminals({ today, minute, limit: atOnceMax });
        if (people > 0) log.info({ people }, 'leavers_taken_off_terminals');
        if (people < atOnceMax) return;
      }
    },
    onFailed: error => log.warn({ error: String(error) }, 'leavers_not_taken_off_terminals'),
  });
