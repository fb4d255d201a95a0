import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { mountAny } from './btrfs.ts';
import { repair } from './recover.ts';

/**
 * Gives what a cut left to a real box, and returns the seconds until it said `ready`. Throws when
 * it does not start.
 */
export async function secondsToReady(image: string, config: Readonly<Record<string, unknown>>): Promise<number> {
  await repair(image);
  await using mounted = await mountAny(image);
  const dataDir = join(mounted.folder, 'data', 'gatehouse');
  await mkdir(dataDir, { recursive: true });
  await using box = await BoxProcess.make({ ...config }, aSite(), {}, dataDir);
  const began = performance.now();
  await box.start();
  return (performance.now() - began) / 1000;
}
