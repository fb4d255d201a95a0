import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { seededRandom } from './clock.ts';
import { aStore, type TemporaryStore } from './store.ts';

const child = fileURLToPath(new URL('appending-child.ts', import.meta.url));
const node = fileURLToPath(new URL('../../bin/node', import.meta.url));

/** Starts of a process in one test: few, so that a test's time-out is for what hangs alone. */
export const killsOfTest = 2;

/** A process that appends, which is killed by a signal and not by a clock. */
export interface KilledAppends extends AsyncDisposable {
  /** Opened on a copy of what the last kill left. */
  readonly opened: TemporaryStore;
  /** The texts of the records that were told as committed, in that order. */
  readonly committed: readonly string[];
}

/**
 * A store whose process is killed -9 some times, each time when it has said that so many records,
 * at most `mostOfKill`, are committed. With `level`, each is in the tables before the next is sent.
 */
export async function killedAppends(seed: number, mostOfKill: number, level?: 'level'): Promise<KilledAppends> {
  await using parts = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-kill-'));
  parts.defer(() => rm(dataDir, { recursive: true, force: true }));
  const random = seededRandom(seed);
  const committed: string[] = [];
  for (let round = 0; round < killsOfTest; round++) {
    const appending = spawn(node, [child, dataDir, String(round), ...(level ? [level] : [])], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: appending.stdout });
    let heard = 0;
    const enough = 5 + Math.floor(random() * (mostOfKill - 5));
    lines.on('line', line => {
      committed.push(line);
      if (++heard === enough) appending.kill('SIGKILL');
    });
    await Promise.all([once(appending, 'close'), once(lines, 'close')]);
  }
  const copy = `${dataDir}-copy`;
  await cp(dataDir, copy, { recursive: true });
  const opened = parts.use(await aStore({ dataDir: copy }));
  await opened.store.catchUp();
  const owned = parts.move();
  return { opened, committed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
