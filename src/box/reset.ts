import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { askReset, isNetworkReset, type Store, settleNetworkReset } from '../store/index.ts';
import type { Restart } from './updates.ts';

/** The answer is out before the box closes. */
const answerMs = 500;

/**
 * Lays a reset to the state of the shelf ready and has the box start anew, which does it. False:
 * nobody can start it, and it is done when the box starts next.
 */
export const resetter =
  (options: {
    readonly dataDir: string;
    readonly clock: Clock;
    readonly log: Log;
    readonly restarter: () => ((how: Restart) => void) | null;
  }) =>
  async (): Promise<boolean> => {
    const { dataDir, clock, log, restarter } = options;
    askReset(dataDir);
    const restart = restarter();
    log.warn({}, 'the box is reset: everything that it holds is removed when it starts');
    if (restart) void clock.sleep(answerMs).then(() => restart('same program'));
    return restart !== null;
  };

/**
 * The network that NetworkManager keeps for the box goes with the rest: a phone can set it up anew.
 */
export async function noteReset(store: Store, dataDir: string, clock: Clock): Promise<void> {
  if (!isNetworkReset(dataDir)) return;
  await store.write.noteNetworkSetup({ state: 'reset', changedAt: clock.now(), ssid: '' });
  settleNetworkReset(dataDir);
}
