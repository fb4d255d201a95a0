import { workerData } from 'node:worker_threads';

export type ThreadRole = 'writer' | 'reader';

/** The entry of the store's threads: one bundle, of which each loads its own part. */
const { role } = workerData as { readonly role: ThreadRole };

void (role === 'writer' ? import('./writer/thread.ts') : import('./readers/thread.ts'));
