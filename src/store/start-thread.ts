import { getAsset, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';

export type ThreadRole = 'writer' | 'reader';

/** Starts a thread of the store: from the sources, beside the bundle, or out of the executable. */
export function startThread(role: ThreadRole, data: object): Worker {
  const options = { workerData: { ...data, role }, name: `store ${role}` };
  if (isSea()) return new Worker(getAsset('store-thread.cjs', 'utf8'), { ...options, eval: true });
  const file = import.meta.url.endsWith('.ts') ? './thread.ts' : './store-thread.cjs';
  return new Worker(new URL(file, import.meta.url), options);
}
