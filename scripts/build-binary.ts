import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { bundleAll, licencesFile } from './build.ts';
import { lazyFiles } from './lazy-packages.ts';
import { type Arch, nodeFor } from './node-for.ts';
import { sbom } from './sbom.ts';
import { stripElf } from './strip-elf.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const sbomFile = 'gatehouse.cdx.json';
const arches: readonly Arch[] = ['arm64', 'x64'];

/**
 * The flags that `bin/gatehouse` and `bin/node` start Node with; nothing that is called from
 * outside can add to them.
 */
export const nodeFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  '--expose-gc',
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
];

export const binaryName = (arch: Arch): string => `gatehouse-linux-${arch}`;

/**
 * Makes the program as one executable for each architecture into `folder`: Node, the bundle, its
 * worker threads and the web UI in one file; beside them the list of what is in it, the licences
 * and the checksums. Two builds of one commit are the same bytes: there are no moments and no paths
 * of this machine in it.
 */
export async function buildBinary(wanted: readonly Arch[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const staging = await mkdtemp(join(folder, '.building-'));
  try {
    const parts = await bundleAll(staging, false);
    const pages = (await readdir(join(staging, 'ui'))).sort().map(name => `ui/${name}`);
    const assets = Object.fromEntries(
      ['store-thread.cjs', 'import-thread.cjs', ...lazyFiles, licencesFile, ...pages].map(name => [name, name]),
    );
    for (const arch of wanted) {
      const name = binaryName(arch);
      await writeFile(join(staging, 'node'), stripElf(await readFile(join(await nodeFor(arch), 'bin/node'))));
      await writeFile(
        join(staging, 'sea.json'),
        JSON.stringify({
          // Relative, as the path stands in the executable.
          main: 'gatehouse.js',
          mainFormat: 'module',
          executable: 'node',
          output: name,
          disableExperimentalSEAWarning: true,
          // The other architecture would refuse a code cache made here.
          useCodeCache: false,
          useSnapshot: false,
          execArgv: nodeFlags,
          execArgvExtension: 'none',
          assets,
        }),
      );
      await run(process.execPath, ['--build-sea', 'sea.json'], { cwd: staging });
      // A file that was written at one go lies in the page cache in large folios, each of which
      // counts completely as memory of a program that uses one byte of it: 45 MB more, until the
      // file is read from the disk again. A copy has small ones.
      await copyFile(join(staging, name), join(staging, 'copy'));
      await chmod(join(staging, 'copy'), 0o755);
      await rename(join(staging, 'copy'), join(folder, name));
    }
    await rename(join(staging, licencesFile), join(folder, licencesFile));
    await writeFile(join(staging, sbomFile), sbom(parts));
    await rename(join(staging, sbomFile), join(folder, sbomFile));
    await writeChecksums(folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** `SHA256SUMS`, in the form that `sha256sum --check` reads, of all that lies in the folder. */
async function writeChecksums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter(name => name !== 'SHA256SUMS' && !name.startsWith('.')).sort();
  const lines = await Promise.all(
    names.map(async name => {
      const hash = createHash('sha256').update(await readFile(join(folder, name)));
      return `${hash.digest('hex')}  ${name}\n`;
    }),
  );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { arch: { type: 'string', multiple: true } } });
  const unknown = values.arch?.find(one => !arches.includes(one as Arch));
  if (unknown !== undefined) throw new Error(`--arch ${unknown}: write ${arches.join(' or ')}`);
  await buildBinary((values.arch as Arch[] | undefined) ?? arches, join(root, 'dist/binary'));
}
