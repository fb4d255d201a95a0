import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { suiteWithBus, TestBus } from '../support/dbus.ts';
import { BoxProcess, run } from '../support/program.ts';
import { until } from '../support/until.ts';
import { aBundle, raucOn } from '../support/updates.ts';

/** A box that finds RAUC, programs and sticks in a folder of the test. */
async function aBox(bus: TestBus, folder: string, env: NodeJS.ProcessEnv = {}): Promise<BoxProcess> {
  for (const name of ['programs', 'sticks/sda1', 'run']) await mkdir(join(folder, name), { recursive: true });
  const updates = { program_dir: join(folder, 'programs'), sticks_dir: join(folder, 'sticks') };
  return BoxProcess.start(
    { updates },
    {},
    { DBUS_SYSTEM_BUS_ADDRESS: bus.address, RUNTIME_DIRECTORY: join(folder, 'run'), ...env },
  );
}

suiteWithBus('gatehouse update', () => {
  test('installs a bundle from a stick after a backup, and the box ends with the status that systemd restarts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-update-'));
    try {
      await using bus = await TestBus.open();
      await raucOn(bus, { slots: [] });
      await using box = await aBox(bus, folder, { NOTIFY_SOCKET: join(folder, 'nobody') });
      const file = await aBundle(join(folder, 'sticks/sda1'), { version: '99.0.0' });
      expect(await box.ask('update', '--status')).toMatch(/^found +\/.*\.raucb$/m);
      const asked = await box.run('update', file);
      expect(asked).toMatchObject({ status: 2, stderr: expect.stringContaining('add --yes') });
      const done = await box.run('update', file, '--yes');
      expect(done).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('99.0.0 is installed and restarts now'),
      });
      await until('it ends', () => !box.alive);
      expect(await box.stop()).toBe(75);
      expect(await readdir(join(box.dataDir, 'before-update'))).toEqual([expect.stringMatching(/\.gh$/)]);
      await writeFile(
        join(folder, 'programs/last-update.json'),
        '{"kind":"program","from":"1.0.0","to":"99.0.0","outcome":"rolled-back","why":"it was not healthy after 3 starts","at":1795268367}\n',
      );
      await box.start();
      const status = await box.ask('update', '--status');
      expect(status).toMatch(
        /^last update +program .* to 99\.0\.0: rolled-back \(it was not healthy after 3 starts\)/m,
      );
      expect(JSON.parse(await box.ask('update', '--status', '--json'))).toMatchObject({ impossible: null });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('says why a bundle is refused, and that there is nothing to go back to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-update-'));
    try {
      await using bus = await TestBus.open();
      await raucOn(bus, { slots: [] });
      await using box = await aBox(bus, folder);
      await writeFile(
        join(folder, 'programs/last-update.json'),
        '{"kind":"program","from":"1.0.0","to":"","outcome":"rolled-back","code":"update_asked_for","params":{},"at":1795268367}\n',
      );
      expect(await box.ask('update', '--status')).toMatch(
        /^last update +program 1\.0\.0 to the packaged program: rolled-back/m,
      );
      const refused = async (...args: string[]) => {
        const { status, stderr } = await box.run('update', ...args, '--yes');
        expect(status).toBe(1);
        return stderr;
      };
      expect(await refused(await aBundle(folder, { signed: 'by them' }))).toContain(
        'is not signed by a key that this box trusts',
      );
      const other = await aBundle(folder, { compatible: 'gatehouse-program-riscv' });
      expect(await refused(other)).toContain('take the bundle for this machine');
      expect(await refused('/nowhere.raucb')).toContain('/nowhere.raucb');
      const old = await aBundle(folder, { version: '0.0.1' });
      expect(await refused(old)).toMatch(/0\.0\.1 is older than .*, which runs.*--allow-older/);
      expect(await refused('--rollback')).toContain('there is nothing to go back to');
      expect(await box.ask('update', old, '--allow-older', '--yes')).toContain('0.0.1 is installed');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('without RAUC, and without a box, says what to do', async () => {
    await using box = await BoxProcess.start({}, {}, { DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nowhere' });
    expect(await box.ask('update', '--status')).toContain('RAUC does not run on it');
    expect((await box.run('update', '/some.raucb', '--yes')).stderr).toContain('RAUC does not run on it');
    expect(await box.run('update')).toMatchObject({ status: 2 });
    await box.stop();
    expect((await box.run('update', '--status')).stderr).toContain('the box does not run');
    expect((await run(['help', 'update'])).stdout).toContain('--rollback');
  });
});
