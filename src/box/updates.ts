import type { Config } from '../config/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { programVersion } from '../runtime/version.ts';
import type { Store } from '../store/index.ts';
import { openUpdates, type Updates } from '../updates/index.ts';

/** How a box is to be opened anew: in the same process, or in that of another program. */
export type Restart = 'same program' | 'other program';

export function boxUpdates(
  config: Config,
  parts: {
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Log;
    backup(file: string): Promise<unknown>;
    restarter(): ((how: Restart) => void) | null;
    underWay(on: boolean): void;
  },
): Promise<Updates> {
  const { store, clock, log, backup, restarter, underWay } = parts;
  // Whoever starts it again tells where to say that it is ready.
  const watched = Boolean(process.env.NOTIFY_SOCKET);
  return openUpdates({
    dataDir: config.data_dir,
    programDir: config.updates.program_dir,
    sticksDir: config.updates.sticks_dir,
    runtimeDir: process.env.RUNTIME_DIRECTORY ?? null,
    version: programVersion,
    processor: process.arch,
    clock,
    log: log.child({ part: 'updates' }),
    storeBytes: () => store.health().usedBytes,
    backup,
    underWay,
    leaver: () => {
      const restart = watched ? restarter() : null;
      return restart && (() => restart('other program'));
    },
  });
}
