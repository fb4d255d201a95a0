import { workerData } from 'node:worker_threads';

export type ThreadRole = 'writer' | 'reader' | 'examiner' | 'postgres writer' | 'postgres reader';

const entries: Readonly<Record<ThreadRole, () => Promise<unknown>>> = {
  writer: () => import('./writer/thread.ts'),
  reader: () => import('./readers/thread.ts'),
  examiner: () => import('./data-dir/examiner-thread.ts'),
  'postgres writer': () => import('./postgres/writer-thread.ts'),
  'postgres reader': () => import('./postgres/reader-thread.ts'),
};

/** The entry of the store's threads: one bundle, of which each loads its own part. */
void entries[(workerData as { readonly role: ThreadRole }).role]();
