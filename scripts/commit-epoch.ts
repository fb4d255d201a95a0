import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Seconds since 1970: of the commit, or as SOURCE_DATE_EPOCH says where there is no repository.
 * Null: neither is there.
 */
export function commitEpoch(): number | null {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch) return Number(epoch);
  try {
    const said = execFileSync('git', ['-C', root, 'log', '-1', '--format=%ct'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(said.toString());
  } catch {
    return null;
  }
}
