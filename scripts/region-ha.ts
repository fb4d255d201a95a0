import { HaCluster } from './region-ha/cluster.ts';

/**
 * A database that goes on when its primary dies, on this machine, to try: `npm run region-ha`. The
 * address for `store.url` is printed; all that it started ends with it, at SIGINT or SIGTERM.
 */
await using cluster = await HaCluster.start();
console.log(cluster.url());
await new Promise(resolve => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
});
