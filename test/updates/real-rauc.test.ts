import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { connectSystemBus } from '../../src/bus/index.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { compatibleOf, inspect, slotsOf } from '../../src/updates/rauc.ts';
import { TestBus } from '../support/dbus.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = (name: string, ...args: string[]) =>
  promisify(execFile)(join(root, 'bin/node'), [join(root, `scripts/${name}.ts`), ...args]);

const systemConf = (folder: string) => `[system]
compatible=gatehouse-program
bootloader=noop
bundle-formats=verity
data-directory=${folder}/data
statusfile=${folder}/data/slots.raucs
[keyring]
path=${folder}/ours/keyring.pem
use-bundle-signing-time=true
[slot.none.0]
device=${folder}/none
type=raw
`;

/** What can be asked of RAUC without mounting anything; the image test installs. */
suiteNeeding('rauc', 'rauc squashfs-tools', 'RAUC itself', () => {
  test('reads what we sign, and refuses what another signed or what is damaged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-rauc-'));
    await using bus = await TestBus.open();
    const before = process.env.DBUS_SYSTEM_BUS_ADDRESS;
    process.env.DBUS_SYSTEM_BUS_ADDRESS = bus.address;
    await mkdir(join(folder, 'data'));
    await script('update-keys', join(folder, 'ours'));
    await script('update-keys', join(folder, 'theirs'));
    await writeFile(join(folder, 'system.conf'), systemConf(folder));
    const rauc = spawn('rauc', ['-c', join(folder, 'system.conf'), 'service', '--override-boot-slot=_external_'], {
      stdio: 'ignore',
    });
    try {
      const program = join(folder, 'gatehouse');
      await writeFile(program, randomBytes(50_000));
      const made = async (keys: string) => {
        const out = join(folder, `${keys}.raucb`);
        const options = ['--from', program, '--version', '0.2.0', '--keys', join(folder, keys), '--out', out];
        await script('build-update', '--program', 'x64', ...options);
        return out;
      };
      const ours = await made('ours');
      using system = await connectSystemBus(realClock);
      await until('RAUC is on the bus', () => system.has('de.pengutronix.rauc'));
      expect(await compatibleOf(system)).toBe('gatehouse-program');
      expect(await slotsOf(system)).toEqual([]);
      expect(await inspect(system, ours)).toMatchObject({ compatible: 'gatehouse-program-x64', version: '0.2.0' });
      await expect(inspect(system, await made('theirs'))).rejects.toMatchObject({ code: 'untrusted' });
      // What root's handler reads of the mounted bundle (older-bundle.test.ts).
      const { stdout: manifest } = await promisify(execFile)('unsquashfs', ['-cat', ours, 'manifest.raucm']);
      expect(manifest).toMatch(/^\[update\]\ncompatible=gatehouse-program-x64\nversion=0\.2\.0\n/);
      const { size } = await stat(ours);
      {
        await using file = await open(ours, 'r+');
        await file.write(Buffer.from('damage'), 0, 6, size - 400);
      }
      await expect(inspect(system, ours)).rejects.toMatchObject({ name: 'UpdateRefused' });
      await expect(inspect(system, join(folder, 'absent.raucb'))).rejects.toMatchObject({ name: 'UpdateRefused' });
    } finally {
      rauc.kill();
      if (rauc.exitCode === null) await once(rauc, 'exit');
      if (before === undefined) delete process.env.DBUS_SYSTEM_BUS_ADDRESS;
      else process.env.DBUS_SYSTEM_BUS_ADDRESS = before;
      await rm(folder, { recursive: true, force: true });
    }
  });
});
