import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { bundleProgram } from './build.ts';
import { buildUi } from './build-ui.ts';
import { type Arch, nodeFor } from './node-for.ts';
import { stripElf } from './strip-elf.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist/binary');
const arches: readonly Arch[] = ['arm64', 'x64'];

/** The flags that `bin/gatehouse` and `bin/node` start Node with; nothing that is called from outside can add to them. */
export const nodeFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  '--expose-gc',
  '--max-semi-space-size=8',
  '--heap-growing-percent=50',
];

export const binaryName = (arch: Arch): string => `gatehouse-linux-${arch}`;

/**
 * Makes the program as one executable for each architecture into `dist/binary`: Node, the bundle, its worker thread and the web UI in one file.
 * Two builds of one commit are the same bytes: there are no moments and no paths of this machine in it.
 */
export async function buildBinary(wanted: readonly Arch[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const aside = await mkdtemp(join(folder, '.building-'));
  try {
    await bundleProgram(aside, false);
    await buildUi(join(aside, 'ui'));
    const assets = Object.fromEntries(
      ['writer-thread.cjs', ...(await readdir(join(aside, 'ui'))).sort().map(name => `ui/${name}`)].map(name => [
        name,
        name,
      ]),
    );
    for (const arch of wanted) {
      const name = binaryName(arch);
      await writeFile(join(aside, 'node'), stripElf(await readFile(join(await nodeFor(arch), 'bin/node'))));
      await writeFile(
        join(aside, 'sea.json'),
        JSON.stringify({
          // Relative, as the path stands in the executable.
          main: 'gatehouse.js',
          mainFormat: 'module',
          executable: 'node',
          output: name,
          disableExperimentalSEAWarning: true,
          // A cache made here is refused on the other architecture.
          useCodeCache: false,
          useSnapshot: false,
          execArgv: nodeFlags,
          execArgvExtension: 'none',
          assets,
        }),
      );
      await run(process.execPath, ['--build-sea', 'sea.json'], { cwd: aside });
      await chmod(join(aside, name), 0o755);
      await rename(join(aside, name), join(folder, name));
    }
    await writeChecksums();
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** `SHA256SUMS`, in the form that `sha256sum --check` reads, of all that lies in the folder. */
async function writeChecksums(): Promise<void> {
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
  await buildBinary((values.arch as Arch[] | undefined) ?? arches);
}
