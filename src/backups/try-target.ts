import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { workPrefix } from '../store/index.ts';
import { failed, failureOf, type TargetFailed } from './target-failed.ts';
import type { Target } from './targets/target.ts';

/**
 * Writes a small file to a target and removes it, or asks it whether it can be used. Throws
 * TargetFailed.
 */
export async function tryTarget(
  target: Target,
  { dataDir, epoch }: { readonly dataDir: string; readonly epoch: string },
  signal: AbortSignal,
): Promise<void> {
  const folder = await mkdtemp(join(dataDir, `${workPrefix}try-`));
  try {
    await using opened = await target.open(signal);
    if (opened.probe) return await opened.probe();
    const file = join(folder, 'file');
    await writeFile(file, 'Gatehouse tries whether it can write here.\n', { mode: 0o600 });
    // Named as a part of this box: what a cut leaves, the next run removes.
    const name = `gatehouse-${epoch.slice(0, 8)}-try.part`;
    await opened.put(file, name, signal);
    await opened.remove(name);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const trialMs = 20_000;

/** Tries a target for a while. Null: it can be used. */
export async function whyUnusable(
  target: Target,
  room: { readonly dataDir: string; readonly epoch: string; readonly clock: Clock },
): Promise<TargetFailed | null> {
  const over = new AbortController();
  try {
    // A share that hangs holds up a system call, which hears no signal.
    const late = room.clock.sleep(trialMs, over.signal).then(
      () => failed('timed_out', target.where),
      () => null,
    );
    return await Promise.race([tryTarget(target, room, over.signal).then(() => null), late]);
  } catch (error) {
    return failureOf(error, target.where);
  } finally {
    over.abort();
  }
}
