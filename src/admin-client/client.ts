import { accessSync, constants } from 'node:fs';
import type { ApplyOutcome, BoxAdmin } from '../admin/index.ts';
import { AdminRefused } from '../runtime/admin-refused.ts';
import { knock } from './ask.ts';
import { operations } from './operations.generated.ts';
import { type Caller, remote } from './remote.ts';

/**
 * A running box over its Unix socket; null when no box listens there. Throws when one is there that
 * this user may not ask.
 */
export async function connectAdmin(dataDir: string): Promise<BoxAdmin | null> {
  try {
    await knock(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return null;
    if (code === 'EACCES')
      throw new AdminRefused({
        type: 'about:blank',
        title: 'Not allowed',
        status: 403,
        detail: `${dataDir}: this user may not ${mayLookInto(dataDir) ? 'ask the box that is running there' : 'look into it'}: run this with sudo, or as the user of the box`,
      });
    throw error;
  }
  return remoteAdmin(dataDir);
}

function mayLookInto(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function remoteAdmin(dataDir: string): BoxAdmin {
  const { site, records, ...resources } = Object.fromEntries(
    Object.entries(operations).map(([name, all]) => [name, remote(dataDir, all)]),
  ) as Record<string, Record<string, Caller>>;
  const box: Pick<BoxAdmin, 'site' | 'apply' | 'rows' | typeof Symbol.asyncDispose> = {
    site: async ({ withSecrets }) =>
      (await site!.read!({ with_secrets: withSecrets ? 'true' : 'false' })) as Awaited<ReturnType<BoxAdmin['site']>>,
    async apply({ dryRun, ...asked }): Promise<ApplyOutcome> {
      try {
        return { ok: true, ...((await site!.apply!({ ...asked, dry_run: dryRun })) as Changes) };
      } catch (error) {
        if (error instanceof AdminRefused && error.problem.status === 422)
          return { ok: false, problems: error.problem.problems as Problems };
        throw error;
      }
    },
    rows: (what, { after, signal, ...filter }) =>
      records!.export!({ what, ...filter, cursor: after }, signal ? { signal } : {}) as ReturnType<BoxAdmin['rows']>,
    [Symbol.asyncDispose]: async () => {},
  };
  // A test holds the table to the operations that the types come from.
  return { ...resources, ...box } as unknown as BoxAdmin;
}

type Changes = Pick<Extract<ApplyOutcome, { ok: true }>, 'changes'>;
type Problems = Extract<ApplyOutcome, { ok: false }>['problems'];
