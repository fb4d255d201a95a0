import { createInterface } from 'node:readline';
import { attendanceOperations } from './attendance.ts';
import { auditOperations } from './audit.ts';
import { backupOperations } from './backups.ts';
import { deviceOperations } from './device.ts';
import { deviceListOperations } from './device-list.ts';
import { diskOperations } from './disk.ts';
import { doctorOperations } from './doctor.ts';
import { grantOperations } from './grants.ts';
import { namingOperations } from './naming.ts';
import { parkedOperations } from './parked.ts';
import type { ApplyOutcome, BoxAdmin } from './port.ts';
import { AdminRefused } from './problem.ts';
import { provisionOperations } from './provision.ts';
import { ask, readAll, remote } from './remote.ts';
import { serviceOperations } from './services.ts';
import { sessionOperations } from './sessions.ts';
import { setupOperations } from './setup.ts';
import { statusOperations } from './status.ts';
import { tokenOperations } from './tokens.ts';
import { updateOperations } from './updates.ts';
import { userOperations } from './users.ts';

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
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    JSON.parse(await readAll(await ask(dataDir, method, `/admin/v1${path}`, body)));
  return {
    status: remote(dataDir, statusOperations),
    device: remote(dataDir, deviceOperations),
    parked: remote(dataDir, parkedOperations),
    attendance: remote(dataDir, attendanceOperations),
    setup: remote(dataDir, setupOperations),
    naming: remote(dataDir, namingOperations),
    devices: remote(dataDir, deviceListOperations),
    site: ({ withSecrets }) => call('GET', `/site?with_secrets=${withSecrets}`),
    async apply({ site, prune, dryRun }): Promise<ApplyOutcome> {
      try {
        return { ok: true, ...(await call<{ changes: [] }>('POST', '/site', { site, prune, dry_run: dryRun })) };
      } catch (error) {
        if (error instanceof AdminRefused && error.problem.status === 422)
          return { ok: false, problems: error.problem.problems as [] };
        throw error;
      }
    },
    async *rows(what, { after, signal, ...filter }) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
      if (after !== undefined) query.set('cursor', String(after));
      const answer = await ask(dataDir, 'GET', `/admin/v1/export/${what}?${query}`, undefined, signal);
      let whole = false;
      for await (const line of createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY })) {
        if (line === '') whole = true;
        else yield JSON.parse(line);
      }
      if (!whole) throw new Error('the box stopped in the middle of the answer: try again');
    },
    provision: remote(dataDir, provisionOperations),
    doctor: remote(dataDir, doctorOperations),
    services: remote(dataDir, serviceOperations),
    grants: remote(dataDir, grantOperations),
    sessions: remote(dataDir, sessionOperations),
    users: remote(dataDir, userOperations),
    tokens: remote(dataDir, tokenOperations),
    audit: remote(dataDir, auditOperations),
    disk: remote(dataDir, diskOperations),
    updates: remote(dataDir, updateOperations),
    backups: remote(dataDir, backupOperations),
    [Symbol.asyncDispose]: async () => {},
  };
}
