import { clockSynchronized } from '../operations/index.ts';
import type { BoxReport } from '../platform/box-report.ts';
import { programVersion } from '../runtime/version.ts';
import type { Updates } from '../updates/index.ts';
import { noWhy, whyIn } from '../words/sentences.ts';
import type { Gateways } from './gateways.ts';
import type { Storage } from './storage.ts';

/** Asked of RAUC and of the folders, and changes with somebody's doing. */
const updatesEveryMs = 5 * 60_000;

/** Report of this box to the box above: the figures of `status`, read from the same place. */
export function reportOf(
  { config, store, clock }: Storage,
  { devices, upstream }: Gateways,
  updates: Pick<Updates, 'report'>,
): () => Promise<BoxReport> {
  let known: { readonly at: number; readonly update: BoxReport['update'] } | null = null;
  return async () => {
    if (!known || clock.monotonic() - known.at >= updatesEveryMs)
      known = { at: clock.monotonic(), update: updateOf(await updates.report()) };
    const { outbox } = await upstream.status();
    const { state, usedBytes, freeBytes } = store.health();
    const { known: all, online, refused } = devices.status();
    return {
      at: clock.now(),
      version: programVersion,
      environment: config.environment,
      outbox: { waiting: outbox.waiting, oldest_at: outbox.oldestAt, parked: outbox.parked },
      disk: { state, used_bytes: usedBytes, free_bytes: freeBytes, low: store.room().isLow },
      clock_synchronized: await clockSynchronized(),
      update: known.update,
      devices: { known: all, online, refused },
    };
  };
}

const updateOf = ({ impossible, found, last }: Awaited<ReturnType<Updates['report']>>): BoxReport['update'] => ({
  found: impossible === null ? found.length : 0,
  outcome: last?.outcome ?? '',
  to: last?.to ?? '',
  ...whyIn(last ?? noWhy),
});
