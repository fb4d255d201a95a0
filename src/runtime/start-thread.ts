import { isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { bundleText } from './asset.ts';

/**
 * Starts a worker thread: from the sources (`source`, the file of its entry), or from its bundle
 * `NAME.cjs`, which is beside the program or an asset of the executable.
 */
export function startThread(name: string, source: () => URL, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(bundleText(`${name}.cjs`), { ...options, eval: true });
  return new Worker(import.meta.url.endsWith('.ts') ? source() : new URL(`./${name}.cjs`, import.meta.url), options);
}
