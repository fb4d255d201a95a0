import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build as bundle, type Metafile, type Plugin } from 'esbuild';
import { buildUi } from './build-ui.ts';
import { makeCodeCache } from './code-cache.ts';
import { partsFromProgram, partsOfProgram, programOfParts } from './commands-bundle.ts';
import { commitEpoch } from './commit-epoch.ts';
import { commitId } from './commit-id.ts';
import { lazyBuild, lazyPackages } from './lazy-packages.ts';
import { leanBuiltins } from './lean-builtins.ts';
import { leanPackages } from './lean-packages.ts';
import { licenceTexts } from './licence-texts.ts';
import type { Arch } from './node-for.ts';
import { bundleRegion, regionApart } from './region-bundle.ts';
import { type Part, thirdParties } from './third-party.ts';
import { regionThreadBuild, threadBuild } from './thread-bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles the program and its threads into `folder`: one file for each, and those that
 * are read when they are needed. The threads are CommonJS, as a single executable can start no
 * other from memory.
 */
async function bundleProgram(folder: string, sourcemap: boolean): Promise<Metafile> {
  const common = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node26',
    sourcemap: sourcemap && 'linked',
    sourcesContent: false,
    legalComments: 'none',
    // The source stays in memory, so blanks are removed; names are kept for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    plugins: [leanPackages, leanBuiltins] as Plugin[],
    logLevel: 'warning',
  } as const satisfies BuildOptions;
  const start = await bundle({
    ...common,
    entryPoints: { gatehouse: 'src/cli/start.ts' },
    format: 'esm',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  const region = await bundleRegion({ ...common, plugins: [...common.plugins, lazyPackages] });
  const apart = regionApart(region);
  const program = {
    ...common,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // node-ble requires it, the program imports it: one copy of the two that the package has.
    alias: { 'dbus-next': './node_modules/dbus-next/dist/index.cjs' },
    define: {
      ...{ 'import.meta.url': '__programUrl', 'import.meta.dirname': '__dirname' },
      // Of a commit from the future, by a clock that was ahead, now.
      commitSeconds: String(Math.min(commitEpoch() ?? 0, Math.floor(Date.now() / 1000))),
      commitId: JSON.stringify(commitId()),
    },
    // A function expression, for V8's code cache (`src/cli/program-script.ts`).
    banner: {
      js: "(function (exports, require, module, __filename, __dirname, __program) { const __programUrl = require('node:url').pathToFileURL(__filename).href;",
    },
    footer: { js: '})' },
  } as const satisfies BuildOptions;
  const everything = await bundle({
    ...program,
    entryPoints: { commands: 'src/cli/main.ts' },
    plugins: [apart, ...common.plugins, lazyPackages],
    // What is asked for is who imports what.
    ...{ write: false, sourcemap: false },
  });
  const parts = partsOfProgram(everything.metafile);
  const commands = await bundle({
    ...program,
    entryPoints: { commands: 'src/cli/main.ts' },
    plugins: [partsFromProgram(parts), ...common.plugins],
  });
  const rest = await bundle({
    ...program,
    entryPoints: ['program'],
    plugins: [programOfParts(parts), apart, ...common.plugins, lazyPackages],
  });
  const thread = await bundle({ ...common, ...threadBuild, plugins: [apart, ...common.plugins, lazyPackages] });
  const ofRegion = await bundle({ ...common, ...regionThreadBuild, plugins: [...common.plugins, lazyPackages] });
  const lazy = await bundle({ ...common, ...lazyBuild, plugins: [...lazyBuild.plugins, ...common.plugins] });
  const metafiles = [region, ...[start, commands, rest, thread, ofRegion, lazy].map(({ metafile }) => metafile)];
  return {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  };
}

/** The bundles of the program, which `dist/gatehouse.js` runs: the commands, and the box. */
export const programFiles = ['commands.cjs', 'program.cjs'] as const;

/** V8's code cache of such a bundle. */
export const codeCacheOf = (file: string): string => file.replace(/\.cjs$/, '.cache');

/**
 * The name of the file of licences, in `dist/`, in `dist/binary` and as an asset of the
 * executables.
 */
export const licencesFile = 'THIRD-PARTY-LICENCES.txt';

/** Bundles the whole program into `folder`; returns the third-party parts in it. */
export async function bundleAll(folder: string, sourcemap: boolean): Promise<readonly Part[]> {
  const parts = thirdParties([await bundleProgram(folder, sourcemap), ...(await buildUi(`${folder}/ui`))]);
  await writeFile(`${folder}/${licencesFile}`, licenceTexts(parts));
  return parts;
}

/** The file of `dist/` that says what it was built from. */
const builtFrom = `${root}dist/built-from.sha256`;

/** A digest of all that a build reads: sources, scripts, the packages by their lockfile, the commit. */
async function sourcesDigest(): Promise<string> {
  const files = globSync('{src,tools,web-ui,scripts}/**', { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => `${entry.parentPath}/${entry.name}`.slice(root.length));
  const digest = createHash('sha256').update(`${commitEpoch()} ${commitId()}`);
  for (const file of [...files.sort(), 'package-lock.json', 'tsconfig.json'])
    digest.update(`\0${file}\0`).update(await readFile(root + file));
  return digest.digest('hex');
}

/** Builds `dist/` unless it was built from these very sources. */
export async function buildUnlessBuilt(): Promise<'built' | 'was built'> {
  const last = await readFile(builtFrom, 'utf8').catch(() => '');
  if (last === (await sourcesDigest())) return 'was built';
  await build();
  return 'built';
}

/**
 * Bundles everything into `dist/`. The files are made aside and moved into place one by one, so
 * that a program that starts meanwhile finds a whole one. What other builds put into folders of
 * `dist/` is left alone.
 */
export async function build(): Promise<void> {
  const staging = `${root}dist/.building-${process.pid}`;
  const digest = await sourcesDigest();
  await rm(builtFrom, { force: true });
  await mkdir(staging, { recursive: true });
  try {
    await bundleAll(staging, true);
    for (const file of await readdir(staging))
      if (/\.c?js$/.test(file)) await refuseOtherThanAscii(`${staging}/${file}`);
    for (const file of programFiles)
      await makeCodeCache(process.arch as Arch, `${staging}/${file}`, `${staging}/${codeCacheOf(file)}`);
    const made = await readdir(staging);
    await rm(`${root}dist/ui`, { recursive: true, force: true });
    for (const file of made) await rename(`${staging}/${file}`, `${root}dist/${file}`);
    for (const file of await readdir(`${root}dist`, { withFileTypes: true }))
      if (file.isFile() && !made.includes(file.name)) await rm(`${root}dist/${file.name}`);
    await writeFile(builtFrom, digest);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * V8 holds an ASCII source with one byte a character; a single other character, in a regular
 * expression for example, doubles that for the whole text.
 */
async function refuseOtherThanAscii(file: string): Promise<void> {
  const at = (await readFile(file)).findIndex(byte => byte > 127);
  if (at < 0) return;
  const near = (await readFile(file, 'utf8')).match(/.{0,40}[^\0-\x7f].{0,20}/)?.[0];
  throw new Error(`${file} holds more than ASCII, which doubles its memory: write \\u escapes in: ${near}`);
}

if (import.meta.main) await build();
