import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a command of the project or of the machine to its end; answers what it said. What it said
 * stands in the error, too.
 */
export async function run(command: string, args: readonly string[]): Promise<string> {
  const PATH = [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter);
  const child = spawn(command, args, { cwd: root, env: { ...process.env, PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let said = '';
  child.stdout.on('data', chunk => (out += chunk));
  child.stderr.on('data', chunk => (said += chunk));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${(out + said).slice(-4000)}`);
  return out;
}
