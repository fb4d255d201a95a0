import { resolve } from 'node:path';
import {
  type Config,
  FileRefused,
  type LastConfig,
  type LoadedConfig,
  lastConfigOf,
  loadConfig,
  recallConfig,
  siteInForce,
} from '../config/index.ts';
import { type Call, textOption } from './command.ts';

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
 * config with which the box last ran. `loaded`: where the command has read it already.
 */
export function configInForce(call: Call, loaded?: LoadedConfig): LastConfig {
  const named = textOption(call, 'config') !== undefined || Boolean(call.env.GATEHOUSE_CONFIG);
  const last = recallConfig(loaded?.config.data_dir ?? dataDirOf(call));
  if (last && !named) return last;
  const { config, origin } = loaded ?? loadedConfigOf(call);
  const chosen = last?.chosen ?? {};
  const inForce = lastConfigOf({ ...config, site: siteInForce(config.site, chosen, origin) }, chosen);
  // The cloud may have been set on a page: what waits for it is kept.
  return { ...inForce, upstream: inForce.upstream || (last?.upstream ?? false) };
}

/**
 * The time zone of the site without a box that could be asked, as `configInForce` has it; UTC where
 * the config cannot be read.
 */
export function zoneInForce(call: Call, loaded?: LoadedConfig): string {
  try {
    return configInForce(call, loaded).timezone;
  } catch (error) {
    if (error instanceof FileRefused) return 'UTC';
    throw error;
  }
}
