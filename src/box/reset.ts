import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import {
  askReset,
  isNetworkReset,
  type ProvisioningWrites,
  settleNetworkReset,
  type WritePart,
} from '../store/index.ts';
import type { RestartHook } from './restart.ts';

/** Time for the answer to be sent before the box closes. */
const answerMs = 500;

/**
 * Prepares a factory reset and restarts the box, which then carries it out. Returns false if
 * nothing can restart the box; the reset is then done at the next start.
 */
export const resetter =
  (options: { readonly dataDir: string; readonly clock: Clock; readonly log: Log; readonly restart: RestartHook }) =>
  async (): Promise<boolean> => {
    const { dataDir, clock, log } = options;
    askReset(dataDir);
    const { act } = options.restart;
    log.warn({}, 'box_reset');
    if (act) void clock.sleep(answerMs).then(() => act('same program'));
    return act !== null;
  };

/**
 * After a network reset, also forgets the network that NetworkManager keeps for the box, so that a
 * phone can set it up again.
 */
export async function noteReset(store: WritePart<ProvisioningWrites>, dataDir: string, clock: Clock): Promise<void> {
  if (!isNetworkReset(dataDir)) return;
  await store.write.noteNetworkSetup({ state: 'reset', changedAt: clock.now(), ssid: '' });
  settleNetworkReset(dataDir);
}
