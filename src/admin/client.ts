import { createInterface } from 'node:readline';
import { attendanceOperations } from './attendance.ts';
import { auditOperations } from './audit.ts';
import { backupOperations } from './backups.ts';
import { deviceOperations } from './device.ts';
import { diskOperations } from './disk.ts';
import { grantOperations } from './grants.ts';
import { parkedOperations } from './parked.ts';
import type { ApplyOutcome, BoxAdmin } from './port.ts';
import { AdminRefused } from './problem.ts';
import type { ProvisionResultReport } from './provision-port.ts';
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
    naming: () => call('GET', '/naming'),
    devices: ({ product, after, limit }) => {
      const query = new URLSearchParams({ limit: String(limit) });
      if (product !== undefined) query.set('product', product);
      if (after !== undefined) query.set('cursor', after);
      return call('GET', `/devices?${query}`);
    },
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
    async provision(run, asks, onEvent, signal) {
      const answer = await ask(dataDir, 'POST', `/admin/v1/provision/${run}`, asks, signal);
      for await (const line of createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY })) {
        const { event, outcome, failure } = JSON.parse(line);
        if (event) onEvent(event);
        if (outcome) return outcome;
        if (failure)
          throw new AdminRefused({ type: 'about:blank', title: failure.code, status: 409, detail: failure.says });
      }
      throw new Error('the box stopped in the middle of the answer: try again');
    },
    provisionResults: async limit =>
      (await call<{ results: ProvisionResultReport[] }>('GET', `/provision/results?limit=${limit}`)).results,
    services: remote(dataDir, serviceOperations),
    grants: remote(dataDir, grantOperations),
    sessions: remote(dataDir, sessionOperations),
    users: remote(dataDir, userOperations),
    tokens: remote(dataDir, tokenOperations),
    audit: remote(dataDir, auditOperations),
    disk: remote(dataDir, diskOperations),
    async doctor(what, told, signal) {
      const answer = await ask(dataDir, 'POST', '/admin/v1/doctor', { what }, signal);
      for await (const line of createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY })) {
        const { check, done } = JSON.parse(line);
        if (check) await told(check);
        if (done !== undefined) return done === true;
      }
      throw new Error('the box stopped in the middle of the answer: try again');
    },
    updates: remote(dataDir, updateOperations),
    backups: remote(dataDir, backupOperations),
    [Symbol.asyncDispose]: async () => {},
  };
}
