import { workerData } from 'node:worker_threads';
import type { ThreadRole } from './start-thread.ts';

/** Where the threads of the store begin: one bundle, of which each loads its own part. */
const { role } = workerData as { readonly role: ThreadRole };

void (role === 'writer' ? import('./writer/thread.ts') : import('./readers/thread.ts'));
