import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Bundles the program and its worker threads into `dist/`: one file for each thread, nothing else to install. */
export async function build(): Promise<void> {
  await rm(`${root}dist`, { recursive: true, force: true });
  await bundle({
    absWorkingDir: root,
    entryPoints: { gatehouse: 'src/cli/main.ts', 'writer-thread': 'src/store/writer-thread.ts' },
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node26',
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    // CommonJS dependencies inside an ES module bundle still call require for Node's own modules.
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  });
}

if (import.meta.main) await build();
