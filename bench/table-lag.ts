import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Server } from './servers.ts';

interface Lag extends Disposable {
  /** Records of the journal that the tables do not hold yet. */
  behind(): number;
}

/** Read from the store's own file, so that the box is not disturbed. */
export function lagOf(dataDir: string): Lag {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true, timeout: 1000 });
  const journal = database.prepare('SELECT coalesce(max(first_seq + count - 1), 0) AS seq FROM segment');
  const tables = database.prepare('SELECT seq FROM projection_cursor WHERE id = 1');
  return {
    // A journal that retention has emptied is not behind the tables.
    behind: () => Math.max(0, Number(journal.get()!.seq) - Number(tables.get()?.seq ?? 0)),
    [Symbol.dispose]: () => database.close(),
  };
}

/**
 * How far the tables are behind the journal when the load ends, and how long they take to catch up.
 */
export async function tableLag({ dataDir }: Server, withinMs: number): Promise<string> {
  using lag = lagOf(dataDir);
  const begun = performance.now();
  const first = lag.behind();
  while (lag.behind() > 0 && performance.now() - begun < withinMs) await wait(20);
  const left = lag.behind();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  return left > 0
    ? `the tables were ${first.toLocaleString('en-US')} records behind and still ${left.toLocaleString('en-US')} after ${seconds} s`
    : `the tables were ${first.toLocaleString('en-US')} records behind and level after ${seconds} s`;
}
