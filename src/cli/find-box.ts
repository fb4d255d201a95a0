import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BoxClient, connectAdmin } from '../admin-client/index.ts';
import { defaultDataDir, resolvePath } from '../runtime/resolve-path.ts';
import { type Call, CommandFailed, textOption } from './command.ts';

/**
 * Most commands ask a running box and need no more than its socket. So the config and the store,
 * which take a command longer than all else that it does, are loaded where they are needed.
 */

/** As `dataDirOf`; the config is read only if there is one. */
async function findDataDir(call: Call): Promise<string> {
  const option = textOption(call, 'data-dir');
  if (option !== undefined) return resolve(call.cwd, option);
  if (!namesConfig(call)) return resolvePath(call.env.GATEHOUSE_DATA_DIR || defaultDataDir, call.cwd);
  const { dataDirOf } = await import('./config-of.ts');
  return dataDirOf(call);
}

/** A config file is named, or a variable that may be a key of the config, or a misspelt one. */
const namesConfig = (call: Call): boolean =>
  textOption(call, 'config') !== undefined ||
  Object.entries(call.env).some(
    ([name, value]) => name.startsWith('GATEHOUSE_') && name !== 'GATEHOUSE_DATA_DIR' && Boolean(value),
  );

/** The box: over its socket if it runs, otherwise on its store. */
export async function findBox(call: Call): Promise<BoxClient> {
  const box = await findBoxIfAny(call);
  if (box) return box;
  throw new CommandFailed(
    `${await findDataDir(call)}: no box here: name its --data-dir or --config, or start one with \`gatehouse serve\``,
  );
}

/** Box; null if there is no data directory. */
export async function findBoxIfAny(call: Call): Promise<BoxClient | null> {
  const dataDir = await findDataDir(call);
  const running = await connectAdmin(dataDir);
  if (running) return running;
  if (!existsSync(dataDir)) return null;
  const { stoppedBox } = await import('./stopped-box.ts');
  return stoppedBox(call, dataDir);
}
