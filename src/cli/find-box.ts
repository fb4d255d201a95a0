import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BoxAdmin, connectAdmin, stoppedAdmin } from '../admin/index.ts';
import {
  type Config,
  type LastConfig,
  type LoadedConfig,
  lastConfigOf,
  loadConfig,
  namingOf,
  recallConfig,
  siteInForce,
} from '../config/index.ts';
import { realClock } from '../operations/index.ts';
import { silentLog } from '../runtime/log.ts';
import { openStore, openStoreForReading, type Store } from '../store/index.ts';
import { type Call, CommandFailed, textOption } from './command.ts';

/**
 * The config that a command is pointed at: `--config`, else `GATEHOUSE_CONFIG`, with `--data-dir`
 * over it; else the defaults.
 */
export const configOf = (call: Call): Config => loadedConfigOf(call).config;

/** The same with where each value comes from. */
export function loadedConfigOf(call: Call): LoadedConfig {
  const file = textOption(call, 'config') ?? (call.env.GATEHOUSE_CONFIG || undefined);
  const dataDir = textOption(call, 'data-dir');
  return loadConfig({
    ...(file === undefined ? {} : { file }),
    ...(dataDir === undefined ? {} : { dataDir }),
    env: call.env,
    cwd: call.cwd,
  });
}

/**
 * The data directory of the box (CONTRACT 7): `--data-dir`, else `GATEHOUSE_DATA_DIR`, else the one
 * in the config file, else `./gatehouse-data`. With `--data-dir` a wrong config file does not
 * matter.
 */
export const dataDirOf = (call: Call): string => {
  const option = textOption(call, 'data-dir');
  return option === undefined ? configOf(call).data_dir : resolve(call.cwd, option);
};

/**
 * The named config, with what was chosen at the box where it says nothing; if none is named, the
 * config with which the box last ran.
 */
export function configInForce(call: Call): LastConfig {
  const named = textOption(call, 'config') !== undefined || Boolean(call.env.GATEHOUSE_CONFIG);
  const last = recallConfig(dataDirOf(call));
  if (last && !named) return last;
  const { config, origin } = loadedConfigOf(call);
  const chosen = last?.chosen ?? {};
  return lastConfigOf({ ...config, site: siteInForce(config.site, chosen, origin) }, chosen);
}

/** The box: over its socket if it runs, otherwise on its store. */
export async function findBox(call: Call): Promise<BoxAdmin> {
  const box = await findBoxIfAny(call);
  if (box) return box;
  throw new CommandFailed(
    `${dataDirOf(call)}: no box here: name its --data-dir or --config, or start one with \`gatehouse serve\``,
  );
}

/** Null: there is no data directory. */
export async function findBoxIfAny(call: Call): Promise<BoxAdmin | null> {
  const dataDir = dataDirOf(call);
  const running = await connectAdmin(dataDir);
  if (running) return running;
  if (!existsSync(dataDir)) return null;
  const store = await openStoreForReading({ dataDir });
  return stoppedAdmin(store, () => ownStore(call, dataDir, store.environment), {
    clock: realClock,
    dataDir,
    naming: () => configInForce(call).naming ?? namingOf(configOf(call)),
  });
}

/**
 * Opens the store of a stopped box for writing, or makes one (`apply` before the first start). Uses
 * the named config or, if none is named, the config with which the box last ran.
 */
export function ownStore(call: Call, dataDir: string, environment?: string): Promise<Store> {
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
