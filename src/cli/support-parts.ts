import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, type Dirent, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { availableParallelism, freemem, loadavg, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BoxClient } from '../admin-client/index.ts';
import { diskBelow, ownNetwork } from '../operations/index.ts';
import { parseAddress } from '../runtime/address.ts';
import { programAt, programVersion } from '../runtime/version.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Facts about the machine and the program; nothing of them is a person's. */
export async function machineFacts(): Promise<object> {
  const { hostName: _, ...network } = ownNetwork();
  return {
    program: { version: programVersion, made_at: new Date(programAt).toISOString(), files: await programFiles() },
    node: process.versions,
    package: await installedPackage(),
    system: named(readOrEmpty('/etc/os-release')).PRETTY_NAME ?? '',
    kernel: release(),
    architecture: process.arch,
    board: board(),
    processors: availableParallelism(),
    load: loadavg(),
    memory_bytes: { total: totalmem(), free: freemem() },
    up_s: Math.round(uptime()),
    network,
  };
}

/** SHA-256 of the executable and, run from its sources or `dist`, of the file that was started. */
async function programFiles(): Promise<object[]> {
  const files = new Set([process.execPath, ...process.argv.slice(1, 2)]);
  return Promise.all(
    [...files].map(async file => {
      const hash = createHash('sha256');
      try {
        for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
        return { file, bytes: statSync(file).size, sha256: hash.digest('hex') };
      } catch (error) {
        return { file, error: (error as NodeJS.ErrnoException).code };
      }
    }),
  );
}

/** Name and version of the Debian package; null: it is not installed. */
const installedPackage = async (): Promise<string | null> =>
  (await output('dpkg-query', ['--show', 'gatehouse'])).trim().replace('\t', ' ') || null;

const board = (): string =>
  readOrEmpty('/proc/device-tree/model').replaceAll('\u0000', '') ||
  ['sys_vendor', 'product_name']
    .map(name => readOrEmpty(`/sys/class/dmi/id/${name}`).trim())
    .join(' ')
    .trim();

/** Lines `NAME="value"`. */
const named = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').map(line => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1).replace(/^"|"$/g, '')];
    }),
  );

/** File system, its disk, and sizes of what lies in the data directory: folders as a sum each. */
export function diskFacts(dataDir: string): object {
  const { type, bsize, blocks, bavail, files, ffree } = statfsSync(dataDir);
  const { device, name } = diskBelow(dataDir);
  return {
    file_system: {
      type: `0x${type.toString(16)}`,
      ...mountOf(dataDir),
      ...{ bytes: blocks * bsize, free_bytes: bavail * bsize, inodes: files, free_inodes: ffree },
    },
    disk: { device, name },
    data_directory: readdirSync(dataDir, { withFileTypes: true })
      .map(entry => sizeOf(dataDir, entry))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function sizeOf(
  folder: string,
  entry: Dirent,
): { readonly name: string; readonly files: number; readonly bytes: number } {
  const path = join(folder, entry.name);
  if (!entry.isDirectory())
    return {
      name: /^[\w.-]+$/.test(entry.name) ? entry.name : '(another name)',
      files: 1,
      bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    };
  const inside = readdirSync(path, { withFileTypes: true }).map(one => sizeOf(path, one));
  const sum = (key: 'files' | 'bytes') => inside.reduce((total, one) => total + one[key], 0);
  return { name: `${entry.name}/`, files: sum('files'), bytes: sum('bytes') };
}

/** The mount with the longest path above the folder, from /proc/self/mountinfo. */
function mountOf(folder: string): object {
  const [best] = readOrEmpty('/proc/self/mountinfo')
    .split('\n')
    .map(line => {
      const [before = '', after = ''] = line.split(' - ');
      const [, , , , path = '', options = ''] = before.split(' ');
      const [kind = '', , more = ''] = after.split(' ');
      return { path, kind, options: `${options},${more}` };
    })
    .filter(({ path }) => path === '/' || `${folder}/`.startsWith(`${path}/`))
    .toSorted((a, b) => b.path.length - a.path.length);
  return best ? { kind: best.kind, options: best.options.split(',').filter(isMountOption) } : {};
}

/** Some file systems name a user or a server among their options. */
const isMountOption = (option: string): boolean => /^[a-z_]+(=(\d+|[a-z]+))?$/.test(option);

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

/** The last lines of a running box, from its memory. */
export async function logOf(box: BoxClient, fit: Pseudonyms): Promise<string> {
  const { lines } = await box.get('/ui/system-log');
  return lines
    .toReversed()
    .map(({ at, level, part, message, fields }) => {
      const said = `${part === '' ? '' : `${part}: `}${message}${fields.length > 0 ? ` (${fields.join(' ')})` : ''}`;
      return `${new Date(at).toISOString()} ${level} ${fit.line(said)}\n`;
    })
    .join('');
}

const journalBytesMax = 10 << 20;

/**
 * The newest lines of the journal of systemd for the units of the box, read up to a bound. Those of
 * systemd itself are as they are. Empty: there is no journal, or it may not be read.
 */
export async function journalOf(read = readJournal): Promise<(fit: Pseudonyms) => string> {
  const text = await read();
  return fit => {
    const lines: string[] = [];
    let bytes = 0;
    for (const line of text.split('\n')) {
      const entry = journalEntry(line);
      if (!entry) continue;
      const shown = `${entry.at} ${entry.unit} ${entry.isOfSystemd ? entry.message : fit.line(entry.message)}\n`;
      bytes += shown.length;
      if (bytes > journalBytesMax) break;
      lines.push(shown);
    }
    return lines.toReversed().join('');
  };
}

function journalEntry(line: string) {
  if (!line.startsWith('{')) return null;
  try {
    const { MESSAGE, __REALTIME_TIMESTAMP, _PID, _SYSTEMD_UNIT = '' } = JSON.parse(line) as Record<string, string>;
    if (typeof MESSAGE !== 'string') return null;
    const at = new Date(Number(__REALTIME_TIMESTAMP) / 1000).toISOString();
    const unit = /^(gatehouse[\w.-]*)/.exec(_SYSTEMD_UNIT)?.[1] ?? 'systemd';
    return { at, unit, message: MESSAGE, isOfSystemd: _PID === '1' };
  } catch {
    return null; // the last line was cut at the bound
  }
}

/** Newest first, so that the bound cuts the oldest. */
const readJournal = (): Promise<string> =>
  output('journalctl', [
    '--unit=gatehouse*',
    '--reverse',
    '--output=json',
    '--output-fields=MESSAGE,_PID,_SYSTEMD_UNIT',
    '--lines=60000',
    '--no-pager',
    '--quiet',
  ]);

/** Standard output up to a bound; empty where the program is missing or fails. */
const output = (program: string, words: readonly string[]): Promise<string> =>
  promisify(execFile)(program, [...words], { maxBuffer: 4 * journalBytesMax, timeout: 30_000 }).then(
    ({ stdout }) => stdout,
    (error: { readonly code?: string; readonly stdout?: string }) =>
      error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' ? (error.stdout ?? '') : '',
  );

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

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
