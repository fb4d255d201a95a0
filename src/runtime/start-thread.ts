import { isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { bundleText } from './asset.ts';

/**
 * Starts a worker thread from its bundle `NAME.cjs`: an asset of the executable, or a file beside
 * the program. A program that runs from its sources starts `source()`, the file of the thread's
 * entry, or the bundle in the folder that GATEHOUSE_THREADS names: Node takes 140 ms of processor
 * time to strip and compile the sources of a thread.
 */
export function startThread(name: string, source: () => URL, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(bundleText(`${name}.cjs`), { ...options, eval: true });
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(`./${name}.cjs`, import.meta.url), options);
  const bundles = process.env.GATEHOUSE_THREADS;
  return new Worker(bundles ? `${bundles}/${name}.cjs` : source(), options);
}
