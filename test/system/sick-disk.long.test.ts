import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeExt4, mountExt4 } from '../power/ext4.ts';
import { FuseDisk } from '../power/fuse-disk.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { atWork, type Work } from '../support/work.ts';

const roomy = { limits: { log_per_second: 1000, log_per_day: 1_000_000 } };
const acknowledgedBy = (work: Work) => work.terminals.reduce((sum, one) => sum + one.acknowledged.length, 0);
const caOf = (box: BoxProcess) => readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');

/** A box whose data are on an ext4 of a disk that a test makes sick. */
async function aBoxOnADisk() {
  await using parts = new AsyncDisposableStack();
  const scratch = await mkdtemp(join(tmpdir(), 'gatehouse-sick-'));
  parts.defer(() => rm(scratch, { recursive: true, force: true }));
  const image = join(scratch, 'image');
  await makeExt4(image, 128);
  const disk = parts.use(await FuseDisk.make({ image }));
  let mounted = await mountExt4(disk.file);
  parts.defer(() => mounted[Symbol.asyncDispose]());
  const box = parts.use(await BoxProcess.start(roomy, aSite(), {}, join(mounted.folder, 'data')));
  parts.defer(() => disk.setFaults({}));
  const owned = parts.move();
  /** Mounts it again, as a start of the machine does; returns the data directory. */
  const remount = async (): Promise<string> => {
    await mounted[Symbol.asyncDispose]();
    mounted = await mountExt4(disk.file);
    return join(mounted.folder, 'data');
  };
  return { disk, box, remount, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What was acknowledged of check-ins, as `device person`. */
const acknowledgedPunches = (work: Work): string[] =>
  work.terminals.flatMap(({ deviceId, acknowledged }) =>
    acknowledged
      .filter(one => one.channel === 'device')
      .map(one => `${deviceId} ${JSON.parse(one.text).data.records[0].ext_id}`),
  );

async function expectStored(box: BoxProcess, work: Work): Promise<void> {
  const rows = await box.export<{ device_id: string; ext_id: string }>('checkins');
  const stored = new Set(rows.map(row => `${row.device_id} ${row.ext_id}`));
  expect(acknowledgedPunches(work).filter(one => !stored.has(one))).toEqual([]);
}

suiteWhere(FuseDisk.possible, FuseDisk.needs, 'a disk that is sick while the box works', () => {
  test('while a flush gets no answer nothing is acknowledged and the box answers questions; when the disk answers, it goes on without loss', async () => {
    await using site = await aBoxOnADisk();
    const { disk, box } = site;
    const work = atWork(box, await caOf(box), 4);
    await until('it works', () => acknowledgedBy(work) > 40);
    disk.setFaults({ holdFlushes: true });
    await until('a flush waits', () => disk.isWaiting);
    // What was committed before the flush may still be on its way to the terminals.
    await new Promise(resolve => setTimeout(resolve, 1_000));
    const held = acknowledgedBy(work);
    const begun = performance.now();
    expect(JSON.parse(await box.ask('status', '--json'))).toMatchObject({ running: true });
    expect(performance.now() - begun).toBeLessThan(15_000);
    // As long as a card that collects its garbage.
    await new Promise(resolve => setTimeout(resolve, 30_000));
    expect(acknowledgedBy(work)).toBe(held);
    expect(box.alive).toBe(true);
    disk.setFaults({});
    await until('it goes on', () => acknowledgedBy(work) > held + 40, 30_000);
    await work.stop();
    expect(work.terminals.every(({ said }) => said.every(one => one.acknowledged))).toBe(true);
    await expectStored(box, work);
  }, 240_000);

  test('a disk that fails every write is named, nothing is acknowledged on it, and after a start on a good disk nothing is lost', async () => {
    await using site = await aBoxOnADisk();
    const { disk, box } = site;
    const work = atWork(box, await caOf(box), 4);
    await until('it works', () => acknowledgedBy(work) > 40);
    disk.setFaults({ errors: [{ on: 'write' }, { on: 'flush' }] });
    const said = await until(
      'it says so',
      async () => {
        const { stdout, stderr } = await box.run('status');
        return /disk fails|cannot be written/.exec(stdout + stderr)?.[0];
      },
      60_000,
    );
    expect(said).toBeTruthy();
    const held = acknowledgedBy(work);
    await new Promise(resolve => setTimeout(resolve, 3_000));
    expect(acknowledgedBy(work)).toBe(held);
    await box.kill9();
    disk.setFaults({});
    await using again = await BoxProcess.start(roomy, aSite(), {}, await site.remount());
    await expectStored(again, work);
    await again.stop();
  }, 240_000);
});
