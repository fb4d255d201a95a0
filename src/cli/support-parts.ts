import { request } from 'node:http';
import type { BoxClient } from '../admin-client/index.ts';
import { parseAddress } from '../runtime/address.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** State of the box without its words: kinds, counts and times. */
export async function stateOf(box: BoxClient, fit: Pseudonyms): Promise<object> {
  const { standing, refusals, ...status } = await box.get('/status');
  const disk = await box.get('/disk').catch(unavailable);
  return {
    status: fit.report(status),
    standing: standing?.map(({ kind, severity, count, since, subject, details }) =>
      fit.report({ kind, severity, count, since, subject, details }),
    ),
    refusals: refusals.map(({ at, first_at, count, door, client_id, code }) =>
      fit.report({ at, first_at, count, door, client_id, code }),
    ),
    disk: fit.report(disk),
  };
}

export async function alertsOf(box: BoxClient, fit: Pseudonyms): Promise<object> {
  const { open, channels, ...rest } = await box.get('/alerts');
  const over = await box.get('/alerts/history', { limit: 200 });
  const short = (rows: typeof open) =>
    rows.map(({ kind, severity, since, opened_at, announced_at, over_at, subject, details }) =>
      fit.report({ kind, severity, since, opened_at, announced_at, over_at, subject, details }),
    );
  return {
    ...(fit.report(rest) as object),
    open: short(open),
    over: short(over.rows),
    channels: channels.map(({ name, ...channel }) => ({ channel: name, ...(fit.report(channel) as object) })),
  };
}

const auditEntriesMax = 500;

/** The last entries of the audit log, without who and whom. */
export async function auditOf(box: BoxClient, fit: Pseudonyms): Promise<object> {
  const entries: object[] = [];
  for await (const { id, at, count, role, action, outcome, said } of box.lines('get', '/audit/export')) {
    const code = said === null ? null : (JSON.parse(said) as { code?: string }).code;
    entries.push(fit.report({ id, at, count, role, action, outcome, code }) as object);
    if (entries.length > auditEntriesMax) entries.shift();
  }
  return entries;
}

/** `/metrics` of the running box; devices are named by their ids. */
export async function metricsOf(listener: string, fit: Pseudonyms): Promise<string> {
  const address = parseAddress(listener);
  if (!address) return '';
  const text = await new Promise<string>((resolve, reject) => {
    const { host, port } = address;
    const asked = request({ host, port, path: '/metrics', timeout: 10_000 }, async answer => {
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece as Buffer);
      resolve(Buffer.concat(pieces).toString('utf8'));
    });
    asked.once('error', reject).once('timeout', () => asked.destroy(new Error('no answer')));
    asked.end();
  });
  // Every second piece is the value of a label.
  const pieces = text.split('"');
  return pieces
    .map((piece, index) => {
      const isOfProgram = index % 2 === 0 || /\b(le|version)=$/.test(pieces[index - 1]!) || /^[a-z_]+$/.test(piece);
      return isOfProgram ? piece : fit.text(piece);
    })
    .join('"');
}

/** An error by its code: its message may quote a text. */
export const unavailable = (error: unknown): object => ({
  not_available: (error as NodeJS.ErrnoException).code ?? (error as Error).name,
});
