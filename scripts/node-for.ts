import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

export type Arch = 'x64' | 'arm64';

/**
 * The folder of the Node package for an architecture. npm installs only this machine's; the other
 * one is fetched with npm and checked against package-lock.json, once for each version.
 */
export async function nodeFor(arch: Arch): Promise<string> {
  const name = `node-linux-${arch}`;
  const installed = join(root, 'node_modules', name);
  if (existsSync(join(installed, 'bin/node'))) return installed;
  const { version, integrity } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ];
  const cache = join(root, 'node_modules/.cache/gatehouse');
  const unpacked = join(cache, `${name}-${version}`);
  if (existsSync(join(unpacked, 'bin/node'))) return unpacked;
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, 'fetching-'));
  try {
    await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: staging }).catch(error => {
      throw new Error(`npm could not fetch ${name}@${version}: ${(error.stderr || error.message).trim()}`);
    });
    const archive = join(staging, `${name}-${version}.tgz`);
    hold(`${name}@${version}`, await readFile(archive), integrity);
    await run('tar', ['-xzf', archive, '-C', staging, 'package/bin/node', 'package/LICENSE', 'package/package.json']);
    await rename(join(staging, 'package'), unpacked).catch(error => {
      // Another process was faster.
      if (!existsSync(join(unpacked, 'bin/node'))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return unpacked;
}

/**
 * Throws if an archive is not the one that package-lock.json names; `integrity`: `sha512-` and
 * base64.
 */
export function hold(what: string, archive: Uint8Array, integrity: string): void {
  const found = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (found !== integrity)
    throw new Error(`${what} is not what package-lock.json holds: ${found} instead of ${integrity}`);
}
