import type { SiteProblem } from '../config/index.ts';
import type { SiteData } from '../store/index.ts';
import { byCommand } from './operation.ts';
import type { ApplyOutcome, BoxAdmin } from './port.ts';
import { AdminRefused } from './problem.ts';
import { recordOperations } from './records.ts';
import { ask, readAll, remote } from './remote.ts';
import { type Resources, resources } from './resources.ts';
import { siteOperations } from './site.ts';

/**
 * A running box over its Unix socket; null when no box listens there. Throws when one is there that
 * this user may not ask.
 */
export async function connectAdmin(dataDir: string): Promise<BoxAdmin | null> {
  try {
    const answer = await ask(dataDir, 'GET', '/admin/v1/status');
    await readAll(answer);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return null;
    if (code === 'EACCES')
      throw new AdminRefused({
        type: 'about:blank',
        title: 'Not allowed',
        status: 403,
        detail: `${dataDir}: a box is running there, but this user may not open its socket: run this as the user or group of the box`,
      });
    throw error;
  }
  return remoteAdmin(dataDir);
}

function remoteAdmin(dataDir: string): BoxAdmin {
  const site = remote(dataDir, siteOperations);
  const records = remote(dataDir, recordOperations);
  const clients = Object.entries(resources).map(([name, operations]) => [name, remote(dataDir, operations)]);
  return {
    ...(Object.fromEntries(clients) as Resources),
    site: async ({ withSecrets }) => (await site.read({ with_secrets: withSecrets ? 'true' : 'false' })) as SiteData,
    async apply({ dryRun, ...asked }): Promise<ApplyOutcome> {
      try {
        return { ok: true, ...(await site.apply({ ...asked, dry_run: dryRun })) };
      } catch (error) {
        if (error instanceof AdminRefused && error.problem.status === 422)
          return { ok: false, problems: error.problem.problems as SiteProblem[] };
        throw error;
      }
    },
    rows: (what, { after, signal, ...filter }) =>
      records.export({ what, ...filter, cursor: after }, { ...byCommand, ...(signal && { signal }) }),
    [Symbol.asyncDispose]: async () => {},
  };
}
