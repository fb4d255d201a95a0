import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BoxAdmin, connectAdmin, stoppedAdmin } from '../admin/index.ts';
import { type Config, type LastConfig, lastConfigOf, loadConfig, namingOf, recallConfig } from '../config/index.ts';
import { realClock } from '../operations/index.ts';
import { silentLog } from '../runtime/log.ts';
import { openStore, openStoreForReading, type Store } from '../store/index.ts';
import { type Call, CommandFailed, textOption } from './command.ts';

/**
 * The config that a command is pointed at: `--config`, else `GATEHOUSE_CONFIG`, with `--data-dir`
 * over it; else the defaults.
 */
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
 * The data directory of the box that is meant (CONTRACT 7): `--data-dir`, else the one of the
 * config file, else `GATEHOUSE_DATA_DIR`, else `./gatehouse-data`. A config file that is wrong is
 * no hindrance where `--data-dir` says it.
 */
export const dataDirOf = (call: Call): string => {
  const option = textOption(call, 'data-dir');
  return option === undefined ? configOf(call).data_dir : resolve(call.cwd, option);
};

/** What the named config says; where none is named, what was in force when the box was run last. */
export function configInForce(call: Call): LastConfig {
  const named = textOption(call, 'config') !== undefined || Boolean(call.env.GATEHOUSE_CONFIG);
  return (named ? null : recallConfig(dataDirOf(call))) ?? lastConfigOf(configOf(call));
}

/** The box that is meant: over its socket when it runs, on its store when it does not. */
export async function findBox(call: Call): Promise<BoxAdmin> {
  const box = await findBoxIfAny(call);
  if (box) return box;
  throw new CommandFailed(
    `${dataDirOf(call)}: no box here: name its --data-dir or --config, or start one with \`gatehouse serve\``,
  );
}

/** Null where there is no data directory. */
export async function findBoxIfAny(call: Call): Promise<BoxAdmin | null> {
  const dataDir = dataDirOf(call);
  const running = await connectAdmin(dataDir);
  if (running) return running;
  if (!existsSync(dataDir)) return null;
  const store = await openStoreForReading({ dataDir });
  return stoppedAdmin(store, () => ownStore(call, dataDir, store.environment), {
    clock: realClock,
    naming: () => configInForce(call).naming ?? namingOf(configOf(call)),
  });
}

/**
 * Opens the store of a stopped box to write to it, or makes one (`apply` before the first start).
 * As the named config says; where none is named, as the box was run last.
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
