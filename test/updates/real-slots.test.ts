import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectSystemBus } from '../../src/bus/index.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { TestBus } from '../support/dbus.ts';
import { Machine } from '../support/machine.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';

const systemConf = (folder: string) => `[system]
compatible=gatehouse-generic-arm64
bootloader=grub
grubenv=${folder}/grubenv
bundle-formats=verity
data-directory=${folder}
statusfile=${folder}/slots.raucs
[keyring]
path=${folder}/keyring.pem
[slot.rootfs.0]
device=${folder}/a
type=ext4
bootname=A
[slot.rootfs.1]
device=${folder}/b
type=ext4
bootname=B
`;

/** What RAUC writes when it has installed version 8 into B and made it the next one. */
const installed = `[slot.rootfs.1]
bundle.compatible=gatehouse-generic-arm64
bundle.version=8
status=ok
installed.timestamp=2026-11-21T09:00:00Z
installed.count=1
activated.timestamp=2026-11-21T09:00:00Z
activated.count=1
`;

/**
 * `systemd/lib/health` with the RAUC and the bootloader's variables of a box; the card and systemd
 * alone are stood in.
 */
class SlotMachine implements AsyncDisposable {
  readonly #folder: string;
  readonly #bus: TestBus;
  readonly machine: Machine;

  private constructor(folder: string, bus: TestBus, machine: Machine) {
    this.#folder = folder;
    this.#bus = bus;
    this.machine = machine;
  }

  static async make(): Promise<SlotMachine> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-slots-'));
    const bus = await TestBus.open();
    const machine = await Machine.make();
    await writeFile(join(folder, 'system.conf'), systemConf(folder));
    for (const name of ['a', 'b', 'keyring.pem']) await writeFile(join(folder, name), '');
    const rauc = `DBUS_SYSTEM_BUS_ADDRESS=${bus.address} exec "$(PATH=$\{PATH#*:} command -v rauc)" -c ${folder}/system.conf "$@"`;
    await machine.say('bin/rauc', `#!/bin/sh\n${rauc}\n`, true);
    await machine.put('etc/rauc/system.conf', '');
    const slots = new SlotMachine(folder, bus, machine);
    slots.#grub('create');
    slots.grub({ ORDER: 'A B', A_OK: 1, A_TRY: 0, B_OK: 0, B_TRY: 0 });
    return slots;
  }

  #grub(...args: string[]): string {
    return execFileSync('grub-editenv', [join(this.#folder, 'grubenv'), ...args], {
      encoding: 'utf8',
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    });
  }

  /** Sets what is given, and tells all. */
  grub(values: Record<string, string | number> = {}): Record<string, string> {
    const words = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    if (words.length > 0) this.#grub('set', ...words);
    const lines = this.#grub('list').trim().split('\n');
    return Object.fromEntries(lines.map(line => line.split('=') as [string, string]));
  }

  /** As RAUC leaves it. */
  async install(): Promise<void> {
    await writeFile(join(this.#folder, 'slots.raucs'), installed);
    this.grub({ ORDER: 'B A', B_OK: 1, B_TRY: 0 });
  }

  /** The bootloader has counted the try, and the system of this slot judges. */
  async boot(slot: 'A' | 'B', state: 'active' | 'failed'): Promise<void> {
    this.grub({ [`${slot}_TRY`]: 1 });
    await this.machine.say('ActiveState', `${state}\n`);
    await this.machine.say('InvocationID', 'one\n');
    await rm(join(this.machine.root, 'run/gatehouse-system-judged'), { force: true });
    const options = ['-c', join(this.#folder, 'system.conf'), 'service', `--override-boot-slot=${slot}`];
    const rauc = spawn('rauc', options, {
      stdio: 'ignore',
      env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: this.#bus.address, PATH: `${process.env.PATH}:/usr/sbin` },
    });
    const before = process.env.DBUS_SYSTEM_BUS_ADDRESS;
    process.env.DBUS_SYSTEM_BUS_ADDRESS = this.#bus.address;
    try {
      using system = await connectSystemBus(realClock);
      await until('RAUC is on the bus', () => system.has('de.pengutronix.rauc'));
      expect(await this.machine.run('health')).toMatchObject({ status: 0 });
    } finally {
      if (before === undefined) delete process.env.DBUS_SYSTEM_BUS_ADDRESS;
      else process.env.DBUS_SYSTEM_BUS_ADDRESS = before;
      rauc.kill();
      if (rauc.exitCode === null && rauc.signalCode === null) await once(rauc, 'exit');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.machine[Symbol.asyncDispose]();
    await this.#bus[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

suiteWhere(
  ['rauc', 'grub-editenv', 'dbus-daemon'].every(hasTool),
  'needs rauc and grub-editenv: apt-get install rauc grub-common dbus-daemon',
  'slots, with RAUC and the variables of GRUB',
  () => {
    test('a new system that works becomes the first for good', async () => {
      await using box = await SlotMachine.make();
      await box.boot('A', 'active');
      expect(box.grub()).toMatchObject({ ORDER: 'A B', A_OK: '1', A_TRY: '0' });
      await box.install();
      await box.boot('B', 'active');
      expect(box.grub()).toMatchObject({ ORDER: 'B A', B_OK: '1', B_TRY: '0', A_OK: '1', A_TRY: '0' });
      expect(await box.machine.last()).toMatchObject({ kind: 'image', from: '7', to: '8', outcome: 'good' });
    });

    test('a new system that does not work is not started again', async () => {
      await using box = await SlotMachine.make();
      await box.boot('A', 'active');
      await box.install();
      await box.boot('B', 'failed');
      expect(box.grub()).toMatchObject({ ORDER: 'A B', B_OK: '0', A_OK: '1', A_TRY: '0' });
      expect(await box.machine.asked()).toContain('systemctl reboot');
      await box.boot('A', 'active');
      expect(box.grub()).toMatchObject({ ORDER: 'A B', B_OK: '0', A_OK: '1', A_TRY: '0' });
      expect(await box.machine.last()).toMatchObject({
        outcome: 'rolled-back',
        code: 'update_unhealthy',
      });
    });

    test('a new system that three times did not come up is given up by the one before', async () => {
      await using box = await SlotMachine.make();
      await box.boot('A', 'active');
      await box.install();
      box.grub({ B_TRY: 3 });
      await box.boot('A', 'active');
      expect(box.grub()).toMatchObject({ ORDER: 'A B', B_OK: '0', A_OK: '1', A_TRY: '0' });
      expect(await box.machine.last()).toMatchObject({ outcome: 'rolled-back', code: 'update_system_not_up' });
    });
  },
);
