import type { Committed } from '../store/index.ts';

/** Has the store for what writes: that of a stopped box is taken over for it, and let go again. */
export type Writing<Writes> = <T>(act: (write: Committed<Writes>) => Promise<T>) => Promise<T>;
