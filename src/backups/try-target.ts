import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workPrefix } from '../store/index.ts';
import type { Target } from './targets/target.ts';

/** Writes a small file to a target and removes it. Throws TargetFailed. */
export async function tryTarget(
  target: Target,
  { dataDir, epoch }: { readonly dataDir: string; readonly epoch: string },
  signal: AbortSignal,
): Promise<void> {
  const folder = await mkdtemp(join(dataDir, `${workPrefix}try-`));
  try {
    await using opened = await target.open(signal);
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
