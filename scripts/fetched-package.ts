import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Checksum of a package: `sha512-` and base64, as in package-lock.json. */
export interface Pinned {
  readonly version: string;
  readonly integrity: string;
}

/** Large packages without dependencies that few commands need. */
export const fetchedPackages: Readonly<Record<string, Pinned>> = JSON.parse(
  readFileSync(new URL('fetched-packages.json', import.meta.url), 'utf8'),
);

/**
 * The folder of a package, fetched with npm and checked, once for each version. `paths`: of its
 * archive, those that are unpacked; absent: all.
 */
export async function fetchedPackage(
  name: string,
  { version, integrity }: Pinned = fetchedPackages[name]!,
  paths: readonly string[] = [],
): Promise<string> {
  const cache = join(root, 'node_modules/.cache/gatehouse');
  const label = `${name.replace('@', '').replace('/', '-')}-${version}`;
  const unpacked = join(cache, label);
  if (existsSync(unpacked)) return unpacked;
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, 'fetching-'));
  try {
    await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: staging }).catch(error => {
      throw new Error(`npm could not fetch ${name}@${version}: ${(error.stderr || error.message).trim()}`);
    });
    const archive = join(staging, `${label}.tgz`);
    hold(`${name}@${version}`, await readFile(archive), integrity);
    await run('tar', ['-xzf', archive, '-C', staging, ...paths.map(path => `package/${path}`)]);
    await rename(join(staging, 'package'), unpacked).catch(error => {
      // Another process was faster.
      if (!existsSync(unpacked)) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return unpacked;
}

/** Throws if an archive is another one than the pinned one. */
export function hold(what: string, archive: Uint8Array, integrity: string): void {
  const found = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (found !== integrity) throw new Error(`${what} is not what is pinned: ${found} instead of ${integrity}`);
}

// For bin/biome: prints the folder.
if (import.meta.main) console.log(await fetchedPackage(process.argv[2]!));
