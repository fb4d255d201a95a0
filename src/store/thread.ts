import { workerData } from 'node:worker_threads';

export type ThreadRole = 'writer' | 'reader' | 'examiner';

/** The entry of the store's threads: one bundle, of which each loads its own part. */
const { role } = workerData as { readonly role: ThreadRole };

if (role === 'writer') void import('./writer/thread.ts');
else if (role === 'reader') void import('./readers/thread.ts');
else void import('./data-dir/examiner-thread.ts');
