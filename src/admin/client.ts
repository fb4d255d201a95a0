import { createInterface } from 'node:readline';
import { auditOperations } from './audit.ts';
import type { RecoveryKeyReport } from './backups.ts';
import { diskOperations } from './disk.ts';
import { grantOperations } from './grants.ts';
import type { ApplyOutcome, AttendanceReport, BoxAdmin, DeviceReport, ParkedReport } from './port.ts';
import { AdminRefused } from './problem.ts';
import type { ProvisionResultReport } from './provision-port.ts';
import { ask, readAll, remote } from './remote.ts';
import { serviceOperations } from './services.ts';
import { sessionOperations } from './sessions.ts';
import type { BoxStatus } from './status-report.ts';
import { tokenOperations } from './tokens.ts';
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
    status: () => call<BoxStatus>('GET', '/status'),
    device: (id, { limit }) => call<DeviceReport>('GET', `/devices/${encodeURIComponent(id)}?limit=${limit}`),
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
    attendance: () => call('GET', '/attendance'),
    syncOrganization: async () =>
      (await call<{ mirror: AttendanceReport['mirror'] }>('POST', '/attendance/sync')).mirror,
    settleRefusedWrite: async (id, what) =>
      (await call<{ found: boolean }>('POST', `/attendance/refused-writes/${id}/${what}`)).found,
    dismissConflict: async id => (await call<{ found: boolean }>('POST', `/attendance/conflicts/${id}/dismiss`)).found,
    setup: () => call('GET', '/setup'),
    hotspot: () => call('POST', '/setup/hotspot'),
    resetNetwork: async () => {
      await call('POST', '/setup/reset-network');
    },
    async resetAll(name) {
      try {
        return (await call<{ outcome: 'starts_anew' | 'at_next_start' }>('POST', '/reset-all', { name })).outcome;
      } catch (error) {
        if (error instanceof AdminRefused && error.problem.title === 'wrong_name') return 'wrong_name';
        throw error;
      }
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
    parked: async () => (await call<{ parked: ParkedReport[] }>('GET', '/parked')).parked,
    sendAgain: async seq => (await call<{ count: number }>('POST', '/parked/send-again', { seq })).count,
    async doctor(what, told, signal) {
      const answer = await ask(dataDir, 'POST', '/admin/v1/doctor', { what }, signal);
      for await (const line of createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY })) {
        const { check, done } = JSON.parse(line);
        if (check) await told(check);
        if (done !== undefined) return done === true;
      }
      throw new Error('the box stopped in the middle of the answer: try again');
    },
    updates: {
      report: () => call('GET', '/update'),
      inspect: file => call('POST', '/update/inspect', { file }),
      start: (file, { allowOlder = false } = {}) => call('POST', '/update', { file, allow_older: allowOlder }),
      rollBack: async () => void (await call('POST', '/update/rollback')),
    },
    lastBackupAt: async () => (await call<{ last_at: number | null }>('GET', '/backup')).last_at,
    backup: ({ to, passphrase, withFiles }) =>
      call('POST', '/backup', { file: 'file' in to ? to.file : to.name, passphrase, with_files: withFiles }),
    recoveryKey: async () => (await call<{ recovery_key: RecoveryKeyReport | null }>('GET', '/backup')).recovery_key,
    makeRecoveryKey: () => call('POST', '/recovery-key'),
    [Symbol.asyncDispose]: async () => {},
  };
}
