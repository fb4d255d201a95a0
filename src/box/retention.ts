import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/index.ts';
import { every } from './every.ts';

const retentionEveryMs = 10 * 60 * 1000;
/** Of 200 records or segments each. What is not erased by then is left for the next time. */
const eraseTurnsMax = 500;

/** Removes what is older than its retention, of the store and of `others`, every 10 minutes. */
export const retireRegularly = (
  store: Store,
  others: readonly { retire(): Promise<void> }[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Disposable =>
  every(retentionEveryMs, clock, async () => {
    try {
      await store.write.retire({ now: clock.now() });
      for (let turn = 0; turn < eraseTurnsMax; turn++)
        if (!(await store.write.eraseStep({ now: clock.now() })).more) break;
      for (const one of others) await one.retire();
    } catch (error) {
      log.warn(
        { error: (error as Error).message },
        'old records could not be removed; it is tried again in 10 minutes',
      );
    }
  });
