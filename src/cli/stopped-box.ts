import { fullStrength } from '../accounts/index.ts';
import { type BoxAdmin, stoppedAdmin } from '../admin/index.ts';
import { type Config, namingOf } from '../config/index.ts';
import { silentLog } from '../runtime/log.ts';
import { realClock } from '../runtime/real-world.ts';
import { openStore, openStoreForReading, type Store } from '../store/index.ts';
import { type Call, CommandFailed } from './command.ts';
import { configInForce, configOf } from './config-of.ts';

/** What can be asked of a box that is not running, on its store. */
export async function stoppedBox(call: Call, dataDir: string): Promise<BoxAdmin> {
  refuseRegion(call, dataDir);
  const store = await openStoreForReading({ dataDir });
  return stoppedAdmin(store, () => ownStore(call, dataDir, store.environment), {
    clock: realClock,
    hashStrength: fullStrength,
    dataDir,
    naming: () => configInForce(call).naming ?? namingOf(configOf(call)),
  });
}

/**
 * Opens the store of a stopped box for writing, or makes one (`apply` before the first start). Uses
 * the named config or, if none is named, the config with which the box last ran.
 */
export async function ownStore(call: Call, dataDir: string, environment?: string): Promise<Store> {
  refuseRegion(call, dataDir);
  const { timezone: timeZone, actions, upstream, ...option } = configInForce(call);
  return openStore({
    dataDir,
    environment: (environment as Config['environment'] | undefined) ?? option.environment,
    timeZone,
    actions,
    upstream,
    clock: realClock,
    log: silentLog,
  });
}

/** Its store is no file here: one that a command made would be for nobody. */
function refuseRegion(call: Call, dataDir: string): void {
  if (configInForce(call).engine === 'postgres')
    throw new CommandFailed(
      `${dataDir}: this process of a region is stopped, and its store is a database: start it, then repeat the command`,
    );
}
