import type { EventKind } from '../platform/event-topics.ts';
import type { UnixMs } from '../runtime/clock.ts';
import { type EventStore, readEvents } from './record-events.ts';

/**
 * The `seq` after which the events begin that the box has received since a moment: some twenty
 * looks, since rows are in the order of receipt. Of a moment that is to come, the newest one.
 */
export async function placeSince(store: EventStore, kind: EventKind, since: UnixMs): Promise<number> {
  let [low, high] = [0, (await store.read.newestRecords())[kind]];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = await readEvents(store, { kind, after: middle, limit: 1 });
    if (!next || (JSON.parse(next.payload) as { received_at: UnixMs }).received_at >= since) high = middle;
    else low = next.seq;
  }
  return high;
}
