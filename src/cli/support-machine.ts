import { createHash } from 'node:crypto';
import { createReadStream, type Dirent, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { availableParallelism, freemem, loadavg, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { diskBelow, ownNetwork } from '../operations/index.ts';
import { realClock } from '../runtime/real-world.ts';
import { programAt, programCommit, programVersion } from '../runtime/version.ts';
import { outputOf } from './output-of.ts';
import { unavailable } from './support-parts.ts';

/** Facts about the machine and the program; nothing of them is a person's. */
export async function machineFacts(): Promise<object> {
  const { hostName: _, ...network } = ownNetwork();
  return {
    program: {
      version: programVersion,
      commit: programCommit,
      made_at: new Date(programAt).toISOString(),
      files: await programFiles(),
    },
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
  (await outputOf('dpkg-query', ['--show', 'gatehouse'])).trim().replace('\t', ' ') || null;

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
export async function diskFacts(dataDir: string): Promise<object> {
  const { type, bsize, blocks, bavail, files, ffree } = statfsSync(dataDir);
  const { device, name } = diskBelow(dataDir);
  return {
    file_system: {
      type: `0x${type.toString(16)}`,
      ...mountOf(dataDir),
      ...{ bytes: blocks * bsize, free_bytes: bavail * bsize, inodes: files, free_inodes: ffree },
    },
    disk: { device, name },
    sync_ms: await syncTimes(dataDir).catch(unavailable),
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

const syncs = 20;

/** How long a write of 4 KiB takes until it is on the disk. */
async function syncTimes(dataDir: string): Promise<{ readonly median: number; readonly longest: number }> {
  const path = join(dataDir, `.support-${process.pid}`);
  const file = await open(path, 'wx', 0o600);
  try {
    const times: number[] = [];
    for (let count = 0; count < syncs; count++) {
      const from = realClock.monotonic();
      await file.write(Buffer.alloc(4096, count), 0, 4096, 0);
      await file.datasync();
      times.push(realClock.monotonic() - from);
    }
    times.sort((a, b) => a - b);
    const rounded = (ms: number) => Math.round(ms * 100) / 100;
    return { median: rounded(times[syncs / 2]!), longest: rounded(times.at(-1)!) };
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
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

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
