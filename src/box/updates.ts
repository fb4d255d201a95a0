import { isInContainer } from '../runtime/container.ts';
import { programVersion } from '../runtime/version.ts';
import { openUpdates, type Updates } from '../updates/index.ts';
import type { RestartHook } from './restart.ts';
import type { Storage } from './storage.ts';

/** The options of the box's own updates, from the config and the service manager. */
export function openBoxUpdates(
  { config, store, clock, log, signs }: Storage,
  restart: RestartHook,
  backup: (file: string) => Promise<unknown>,
): Promise<Updates> {
  // A supervisor that restarts the box also tells it where to report that it is ready.
  const isSupervised = Boolean(process.env.NOTIFY_SOCKET);
  return openUpdates({
    dataDir: config.data_dir,
    programDir: config.updates.program_dir,
    sticksDir: config.updates.sticks_dir,
    runtimeDir: process.env.RUNTIME_DIRECTORY ?? null,
    isInContainer: isInContainer(),
    version: programVersion,
    processor: process.arch,
    clock,
    log: log.child({ part: 'updates' }),
    storeBytes: () => store.health().usedBytes,
    backup,
    underWay: on => signs.updating(on),
    leaver: () => {
      const act = isSupervised ? restart.act : null;
      return act && (() => act('other program'));
    },
  });
}
