import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build as bundle } from 'esbuild';
import { leanBuiltins } from './lean-builtins.ts';
import { leanPackages } from './lean-packages.ts';

/** The bundles of the program's worker threads, and of the process that reads workbooks. */
export const threadFiles = [
  'store-thread.cjs',
  'import-thread.cjs',
  'reports-thread.cjs',
  'workbook-reader.cjs',
] as const;

/** The bundle of a region's connections: small, since a process starts three such threads. */
export const regionThreadFile = 'postgres-thread.cjs';

/** Options of esbuild that make these bundles. */
export const threadBuild = {
  entryPoints: {
    'store-thread': 'src/store/thread.ts',
    'import-thread': 'src/attendance/import/thread.ts',
    'reports-thread': 'src/attendance/reports-thread/thread.ts',
    'workbook-reader': 'src/attendance/import/workbook-reader.ts',
  },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // They start threads themselves, from the same files.
  define: { 'import.meta.url': '__threadUrl' },
  banner: { js: "const __threadUrl = require('node:url').pathToFileURL(__filename).href;" },
} as const satisfies BuildOptions;

/** The same for the thread of a region. */
export const regionThreadBuild = {
  ...threadBuild,
  entryPoints: { 'postgres-thread': 'src/store/postgres/bridge-thread.ts' },
} as const satisfies BuildOptions;

/**
 * Bundles the threads alone, each with all that it imports, for a program that runs from its
 * sources with GATEHOUSE_THREADS=`folder`. Takes a second. The files are made aside and moved into
 * place, so that a thread that starts meanwhile finds a whole one.
 */
export async function bundleThreads(folder: string): Promise<void> {
  const staging = `${folder}/.building-${process.pid}`;
  await mkdir(staging, { recursive: true });
  try {
    await bundle({
      ...threadBuild,
      entryPoints: { ...threadBuild.entryPoints, ...regionThreadBuild.entryPoints },
      absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
      outdir: staging,
      bundle: true,
      platform: 'node',
      target: 'node26',
      plugins: [leanPackages, leanBuiltins],
      logLevel: 'warning',
    });
    for (const file of await readdir(staging)) await rename(`${staging}/${file}`, `${folder}/${file}`);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
