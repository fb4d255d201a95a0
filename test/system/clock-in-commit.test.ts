import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeExt4, mountExt4 } from '../power/ext4.ts';
import { FuseDisk } from '../power/fuse-disk.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { atWork } from '../support/work.ts';

const year = 365 * 86_400_000;
const possible = FuseDisk.possible && FakeClock.possible;
const needs = FuseDisk.possible ? FakeClock.otherwise : FuseDisk.needs;

suiteWhere(possible, needs, 'a clock that is set while a commit waits for the disk', () => {
  test('years ahead and years back: the commit is acknowledged once the disk answers, and every record is kept once and in order', async () => {
    await using parts = new AsyncDisposableStack();
    const scratch = await mkdtemp(join(tmpdir(), 'gatehouse-clock-commit-'));
    parts.defer(() => rm(scratch, { recursive: true, force: true }));
    const image = join(scratch, 'image');
    await makeExt4(image, 96);
    const clock = parts.use(await FakeClock.make());
    const disk = parts.use(await FuseDisk.make({ image }));
    const mounted = parts.use(await mountExt4(disk.file));
    const roomy = { limits: { log_per_second: 1000, log_per_day: 1_000_000 } };
    const box = parts.use(await BoxProcess.start(roomy, aSite(), clock.env, join(mounted.folder, 'data')));
    parts.defer(() => disk.setFaults({}));
    const work = atWork(box, await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8'), 4);
    const acknowledged = () => work.terminals.reduce((sum, one) => sum + one.acknowledged.length, 0);
    for (const years of [10, -20, 0]) {
      const before = acknowledged();
      await until('it works', () => acknowledged() > before + 40);
      disk.setFaults({ holdFlushes: true });
      await until('a commit waits', () => disk.isWaiting);
      clock.set(Date.now() + years * year);
      const held = acknowledged();
      // What the box does by the clock, it does now.
      expect(JSON.parse(await box.ask('status', '--json'))).toMatchObject({ running: true });
      disk.setFaults({});
      await until('it goes on', () => acknowledged() > held + 40);
    }
    await work.stop();
    expect(work.terminals.every(({ said }) => said.every(one => one.acknowledged))).toBe(true);
    const checkins = await box.export<{ device_id: string; ext_id: string }>('checkins');
    for (const { deviceId, said } of work.terminals) {
      const people = said
        .filter(one => one.channel === 'device')
        .map(one => JSON.parse(one.text).data.records[0].ext_id);
      expect(checkins.filter(row => row.device_id === deviceId).map(row => row.ext_id)).toEqual(people);
    }
    await box.stop();
  });
});
