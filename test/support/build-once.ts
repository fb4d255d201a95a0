import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

/** Where the processes of the tests keep the compiled program (`NODE_COMPILE_CACHE`). */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/gatehouse-tests', import.meta.url));

/** Where the tests find the bundles of the store's threads (`GATEHOUSE_THREADS`). */
export const threadsFolder = fileURLToPath(new URL('../../dist/.test-threads', import.meta.url));

/**
 * Builds from the sources under test what a file of this run needs: the bundles of threads, and
 * `dist/` for one that starts `bin/gatehouse` or serves the web UI.
 */
export default async function buildOnce(project: TestProject): Promise<void> {
  // Of a run with several projects, the first one builds.
  if (process.env.GATEHOUSE_BUILT_BY === String(process.pid)) return;
  process.env.GATEHOUSE_BUILT_BY = String(process.pid);
  const { bundleThreads } = await import('../../scripts/thread-bundle.ts');
  await bundleThreads(threadsFolder);
  const seen = new Set<string>();
  if (!project.vitest.state.getPaths().some(file => needsBuild(file, seen))) return;
  const { buildUnlessBuilt } = await import('../../scripts/build.ts');
  // The compile cache of an earlier build is useless for this one.
  if ((await buildUnlessBuilt()) === 'built') rmSync(compileCache, { recursive: true, force: true, maxRetries: 10 });
}

function needsBuild(file: string, seen: Set<string>): boolean {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (/bin\/gatehouse|src\/(box|listeners)\//.test(text)) return true;
  return [...text.matchAll(/'(\.\.?\/[^']+\.ts)'/g)]
    .map(([, path]) => resolve(dirname(file), path!))
    .some(path => path.includes('/test/') && needsBuild(path, seen));
}
