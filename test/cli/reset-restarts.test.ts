import { existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { until } from '../support/until.ts';

const site = { name: 'Plant 4' };
const held = (box: BoxProcess) => box.ask('export', '--what', 'site');

/** A box that holds something, started without its site file from then on. */
async function aBox(): Promise<BoxProcess> {
  const box = await BoxProcess.start({ site }, aSite());
  writeFileSync(join(box.folder, 'site.yaml'), '');
  await box.stop();
  await box.start();
  expect(await held(box)).toContain('FACE-T1');
  return box;
}

describe('reset --all', () => {
  test('of a running box: it restarts with nothing in it, and a new authority', async () => {
    await using box = await aBox();
    const ca = await box.ask('trust', 'export', '--edition', 'slim');
    expect(await box.ask('reset', '--all', '--yes')).toBe('everything is being removed; the box restarts now\n');
    await until('it has restarted', () => box.stderr.match(/^ready /gm)?.length === 2);
    expect(box.alive).toBe(true);
    expect(await held(box)).not.toContain('FACE-T1');
    expect(await box.ask('trust', 'export', '--edition', 'slim')).not.toBe(ca);
    expect(box.stderr.match(/^setup code: /gm)).toHaveLength(2);
    expect((await box.run('setup', '--json')).stdout).toContain('"mode": "off"');
  });

  test('keeps a backup where one is asked for, outside of what is cleared', async () => {
    await using box = await aBox();
    const inside = await box.run('reset', '--all', '--yes', '--keep-backup', join(box.dataDir, 'kept.gh'));
    expect(inside).toMatchObject({ status: 1 });
    expect(inside.stderr).toContain("which is the box's own: name a file elsewhere");
    writeFileSync(join(box.folder, 'key.txt'), await box.ask('recovery-key', 'new'));
    expect(await box.ask('reset', '--all', '--yes', '--keep-backup', 'kept.gh')).toContain('kept.gh holds what it was');
    await box.stop();
    await box.ask('restore', join(box.folder, 'kept.gh'), '--recovery-key-file', join(box.folder, 'key.txt'));
    await box.start();
    expect(await held(box)).toContain('FACE-T1');
  });

  test('a power cut in the middle: the next start removes the rest, and till then no command reads the half', async () => {
    await using box = await aBox();
    await box.kill9();
    writeFileSync(join(box.dataDir, 'reset-asked'), '');
    await rm(join(box.dataDir, 'keys'), { recursive: true });
    expect((await box.run('status')).stderr).toContain('a reset was interrupted: start the box, which finishes it');
    await box.start();
    expect(await held(box)).not.toContain('FACE-T1');
    expect(existsSync(join(box.dataDir, 'reset-asked'))).toBe(false);
  });
});
