import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { bundleAll, codeCacheOf, licencesFile, programFiles } from './build.ts';
import { writeChecksums } from './checksums.ts';
import { makeCodeCache } from './code-cache.ts';
import { lazyFiles } from './lazy-packages.ts';
import { nodeFlags } from './node-flags.ts';
import { type Arch, nodeFor } from './node-for.ts';
import { regionFile } from './region-bundle.ts';
import { sbom } from './sbom.ts';
import { stripElf } from './strip-elf.ts';
import { regionThreadFile, threadFiles } from './thread-bundle.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const sbomFile = 'gatehouse.cdx.json';
const arches: readonly Arch[] = ['arm64', 'x64'];

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
    const texts = [...programFiles, ...threadFiles, ...lazyFiles, regionFile, regionThreadFile, licencesFile];
    const files = [...(await Promise.all(texts.map(file => compressed(staging, file)))), ...pages];
    for (const arch of wanted) {
      const name = binaryName(arch);
      const assets = Object.fromEntries([...files, ...(await codeCaches(arch, staging))].map(file => [file, file]));
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
          // This would be of the loader alone.
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

/**
 * Compresses a file for the executable; `runtime/asset.ts` reads it. Reading a card costs more than
 * unpacking, which takes 5 ms for the program. Who unpacks holds a window in memory: 1 MB, where
 * the level alone would make it 8 MB.
 */
async function compressed(folder: string, file: string): Promise<string> {
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 20 } };
  await writeFile(
    join(folder, `${file}.zst`),
    await promisify(zstdCompress)(await readFile(join(folder, file)), options),
  );
  return `${file}.zst`;
}

/** The code caches as files to put into the executable; none if they cannot be made here. */
async function codeCaches(arch: Arch, folder: string): Promise<readonly string[]> {
  const made: string[] = [];
  for (const file of programFiles) {
    const cache = codeCacheOf(file);
    if (!(await makeCodeCache(arch, join(folder, file), join(folder, cache)))) {
      console.warn(
        `${binaryName(arch)} gets no code cache: apt-get install qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross`,
      );
      return [];
    }
    made.push(await compressed(folder, cache));
  }
  return made;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { arch: { type: 'string', multiple: true } } });
  const unknown = values.arch?.find(one => !arches.includes(one as Arch));
  if (unknown !== undefined) throw new Error(`--arch ${unknown}: write ${arches.join(' or ')}`);
  await buildBinary((values.arch as Arch[] | undefined) ?? arches, join(root, 'dist/binary'));
}
