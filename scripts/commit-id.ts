import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Paths of all that a build reads, from the top of the repository. */
const read = ['src', 'tools', 'web-ui', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'];

/**
 * Twelve digits of the commit that a build is made from, with ` with changes` behind them if a file
 * that it reads differs from the commit. Null: there is no repository.
 */
export function commitId(): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  try {
    const id = git('rev-parse', 'HEAD').slice(0, 12);
    const changed = git('status', '--porcelain', '--', ...read.map(path => `:/${path}`));
    return changed === '' ? id : `${id} with changes`;
  } catch {
    return null;
  }
}
