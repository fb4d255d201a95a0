import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BoxAdmin, connectAdmin, stoppedAdmin } from '../admin/index.ts';
import { type Config, lastConfigOf, loadConfig, recallConfig } from '../config/index.ts';
import { realClock } from '../operations/index.ts';
import { silentLog } from '../platform/log.ts';
import { openStore, openStoreForReading, type Store } from '../store/index.ts';
import { type Call, CommandFailed, textOption } from './command.ts';

/** The config that a command is pointed at: `--config`, else `GATEHOUSE_CONFIG`, with `--data-dir` over it; else the defaults. */
export function configOf(call: Call): Config {
  const file = textOption(call, 'config') ?? (call.env.GATEHOUSE_CONFIG || undefined);
  const dataDir = textOption(call, 'data-dir');
  return loadConfig({
    ...(file === undefined ? {} : { file }),
    ...(dataDir === undefined ? {} : { dataDir }),
    env: call.env,
    cwd: call.cwd,
  }).config;
}

/**
 * The data directory of the box that is meant (CONTRACT 7): `--data-dir`, else the one of the config file, else `GATEHOUSE_DATA_DIR`,
 * else `./gatehouse-data`. A config file that is wrong is no hindrance where `--data-dir` says it.
 */
export const dataDirOf = (call: Call): string => {
  const told = textOption(call, 'data-dir');
  return told === undefined ? configOf(call).data_dir : resolve(call.cwd, told);
};

/** The box that is meant: over its socket when it runs, on its store when it does not. */
export async function findBox(call: Call): Promise<BoxAdmin> {
  const dataDir = dataDirOf(call);
  const running = await connectAdmin(dataDir);
  if (running) return running;
  if (!existsSync(dataDir))
    throw new CommandFailed(
      `${dataDir}: no box here: name its --data-dir or --config, or start one with \`gatehouse serve\``,
    );
  const store = await openStoreForReading({ dataDir });
  return stoppedAdmin(store, () => ownStore(call, dataDir, store.environment), { clock: realClock });
}

/**
 * Opens the store of a stopped box to write to it, or makes one (`apply` before the first start). As the named config says; where none is
 * named, as the box was run last.
 */
export function ownStore(call: Call, dataDir: string, environment?: string): Promise<Store> {
  const config = lastConfigOf(configOf(call));
  const named = textOption(call, 'config') !== undefined || Boolean(call.env.GATEHOUSE_CONFIG);
  const { timezone: timeZone, actions, upstream, ...told } = (named ? null : recallConfig(dataDir)) ?? config;
  return openStore({
    dataDir,
    environment: (environment as Config['environment'] | undefined) ?? told.environment,
    timeZone,
    actions,
    upstream,
    clock: realClock,
    log: silentLog,
  });
}
