import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchedPackage, type Pinned } from './fetched-package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export type Arch = 'x64' | 'arm64';

/**
 * The folder of the Node package for an architecture. npm installs only this machine's; the other
 * one is fetched, as package-lock.json names it.
 */
export async function nodeFor(arch: Arch): Promise<string> {
  const name = `node-linux-${arch}`;
  const installed = join(root, 'node_modules', name);
  if (existsSync(join(installed, 'bin/node'))) return installed;
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const pinned: Pinned = packages[`node_modules/${name}`];
  return fetchedPackage(name, pinned, ['bin/node', 'LICENSE', 'package.json']);
}
