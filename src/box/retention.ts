import { BackgroundJob } from '../runtime/background-job.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { ErasureWrites, Lease, RetentionWrites, WritePart } from '../store/index.ts';

const everyMs = 10 * 60 * 1000;
/** Batches of 200 records or segments in one run. What is left over is erased in the next run. */
const eraseBatchesMax = 500;

/**
 * Every 10 minutes removes what is older than its retention, from the store and from `others`; for
 * its age nothing while the clock is not trusted.
 */
export const retireRegularly = (
  store: WritePart<RetentionWrites & ErasureWrites> & { readonly once: Lease },
  others: readonly { retire(): Promise<void> }[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): AsyncDisposable =>
  new BackgroundJob({
    clock,
    lease: store.once,
    everyMs,
    retryMs: () => everyMs,
    firstAfterMs: everyMs,
    async run(signal) {
      const { isClockTrusted } = await store.write.retire({ now: clock.now() });
      for (let batch = 0; batch < eraseBatchesMax && !signal.aborted; batch++)
        if (!(await store.write.eraseStep({ now: clock.now() })).more) break;
      if (isClockTrusted) for (const one of others) if (!signal.aborted) await one.retire();
    },
    onFailed: error => log.warn({ error: (error as Error).message }, 'old_records_not_removed'),
  });
