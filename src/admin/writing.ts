import type { StoreWriter } from '../store/index.ts';

/** Has the store for what writes: that of a stopped box is taken over for it, and let go again. */
export type Writing = <T>(act: (write: StoreWriter) => Promise<T>) => Promise<T>;
