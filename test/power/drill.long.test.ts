import { spawn } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { DrillReport } from '../../src/admin/index.ts';
import { BoxProcess } from '../support/program.ts';
import { suiteWhere } from '../support/tools.ts';
import { Cutter } from './cutter.ts';
import { makeExt4, mountExt4 } from './ext4.ts';
import { FuseDisk } from './fuse-disk.ts';
import type { Moment } from './moments.ts';
import { workFolder } from './power-record.ts';
import { repair } from './recover.ts';
import { readWriteLog } from './write-log.ts';

const program = fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));
const numbers = 60;

/**
 * Starts a box on the disk in `image`, tells the drill what was seen before, lets it count, and
 * cuts the power: the image is then what the disk has left. Resolves to the last number that the
 * command had printed before the cut.
 */
async function countAndCut(
  image: string,
  { seen, kind, liesFrom }: { seen: number | null; kind: Moment['kind']; liesFrom: number | null },
): Promise<number> {
  const [base, log] = [`${image}.base`, `${image}.log`];
  await copyFile(image, base);
  let last = 0;
  let entries = 0;
  {
    await using disk = await FuseDisk.make({ image, log });
    await using mounted = await mountExt4(disk.file);
    const dataDir = join(mounted.folder, 'data');
    await mkdir(dataDir, { recursive: true });
    if (seen !== null) await bootedAnew(dataDir);
    await using box = await BoxProcess.start({}, {}, {}, dataDir);
    const more = seen === null ? [] : ['--seen', String(seen)];
    const child = spawn(program, ['drill', 'card', '--json', '--data-dir', dataDir, ...more]);
    for await (const line of createInterface(child.stdout)) {
      const { written } = JSON.parse(line) as { written?: number };
      if (written === undefined) break;
      if (liesFrom !== null && written === liesFrom) disk.setFaults({ dropFlushes: 1 });
      if (written < numbers) continue;
      last = written;
      entries = disk.position;
      break;
    }
    child.kill('SIGKILL');
    await box.kill9();
  }
  new Cutter(await readFile(base), readWriteLog(log)).cut({ entries, kind, seed: 1 } as Moment, image);
  await repair(image);
  return last;
}

/** This machine is not booted between the cuts: the drill is told that it was. */
async function bootedAnew(dataDir: string): Promise<void> {
  const file = join(dataDir, 'drill', 'card.json');
  const state = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...state, bootId: 'of another boot' }));
}

/** Starts a box on what is left, and tells what was seen: how the drill ended. */
async function verdictOn(image: string, seen: number) {
  await using mounted = await mountExt4(image);
  const dataDir = join(mounted.folder, 'data');
  await bootedAnew(dataDir);
  await using box = await BoxProcess.start({}, {}, {}, dataDir);
  const { status, stdout } = await box.run('drill', 'card', '--seen', String(seen));
  const report = JSON.parse(await box.ask('drill', '--json')) as DrillReport;
  await box.stop();
  return { status, stdout, report };
}

suiteWhere(FuseDisk.possible, FuseDisk.needs, 'the drill of the card on a disk whose power is cut', () => {
  test('an honest disk passes, whatever a cut leaves of what was not flushed', async () => {
    const folder = await workFolder('drill-honest');
    try {
      const image = join(folder, 'disk.img');
      await makeExt4(image, 96);
      let seen: number | null = null;
      for (const kind of ['none', 'half', 'torn'] as const)
        seen = await countAndCut(image, { seen, kind, liesFrom: null });
      const { status, stdout, report } = await verdictOn(image, seen!);
      expect(stdout).toContain('The card keeps its word');
      expect(status).toBe(0);
      expect(report.results[0]!.cuts.map(({ cut, missing }) => [cut, missing])).toEqual([1, 2, 3].map(cut => [cut, 0]));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a disk that answers flushes without doing them is named', async () => {
    const folder = await workFolder('drill-lying');
    try {
      const image = join(folder, 'disk.img');
      await makeExt4(image, 96);
      const seen = await countAndCut(image, { seen: null, kind: 'none', liesFrom: 20 });
      const { status, stdout, report } = await verdictOn(image, seen);
      expect(status).toBe(1);
      expect(stdout).toContain('The card says "written" before it has written');
      expect(stdout).toContain('Buy an industrial card');
      const [{ outcome, cuts, device }] = report.results as [DrillReport['results'][number]];
      expect(outcome).toBe('failed');
      expect(cuts[0]!.missing).toBeGreaterThan(20);
      expect(device.device).toMatch(/^loop\d+$/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
