import { accessSync, constants, existsSync } from 'node:fs';
import { defaultDataDir, resolvePath } from '../runtime/resolve-path.ts';
import { type Call, type Command, CommandFailed, type Terminal } from './command.ts';

/** Places of the box in the Debian package and the images. */
const installed = { config: '/etc/gatehouse/gatehouse.yaml', dataDir: '/var/lib/gatehouse' } as const;
export const installedDataDir = installed.dataDir;

/**
 * The options of a command that acts on a box, where neither they nor the environment name one and
 * the installed one is there. Refuses where there is one in the working directory too.
 */
export function withInstalledBox(
  { name, options: known = {} }: Command,
  options: Call['options'],
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): Call['options'] {
  const isNamed =
    options['data-dir'] !== undefined ||
    options.config !== undefined ||
    Object.entries(env).some(([key, value]) => key.startsWith('GATEHOUSE_') && Boolean(value));
  if (name === 'serve' || !('data-dir' in known && 'config' in known) || isNamed) return options;
  if (!existsSync(installed.dataDir)) return options;
  if (existsSync(resolvePath(defaultDataDir, cwd)))
    throw new CommandFailed(
      `two boxes: ${defaultDataDir} here, and the installed one in ${installed.dataDir}: name one with --data-dir`,
    );
  return mayRead(installed.config)
    ? { ...options, config: installed.config }
    : { ...options, 'data-dir': installed.dataDir };
}

function mayRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
