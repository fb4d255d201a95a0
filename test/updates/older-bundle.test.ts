import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compareVersions } from '../../src/runtime/compare-versions.ts';
import { allowAsRoot } from '../../src/updates/allow-as-root.ts';
import { Machine } from '../support/machine.ts';

const system = 'gatehouse-generic-arm64';
const program = 'gatehouse-program-arm64';

/** A box that is updated by bundles: system 7, and the packaged program 0.1.0. */
async function aMachine(): Promise<Machine> {
  const machine = await Machine.make();
  await machine.put(
    'etc/rauc/system.conf',
    `[system]\ncompatible=${system}\nstatusfile=/data/slots.raucs\n\n[keyring]\npath=/etc/rauc/keyring.pem\n`,
  );
  await machine.put('var/lib/gatehouse-program/.keep', '');
  return machine;
}

/** What RAUC does with a bundle that is signed well, whoever handed it over. */
async function offered(machine: Machine, compatible: string, version: string, boots = 'A'): Promise<unknown> {
  await machine.put(
    'mounted/manifest.raucm',
    `[update]\ncompatible=${compatible}\nversion=${version}\n\n[bundle]\nformat=verity\n`,
  );
  const { status } = await machine.run('rauc-pre-install', [], undefined, {
    RAUC_BUNDLE_MOUNT_POINT: join(machine.root, 'mounted'),
    RAUC_CURRENT_BOOTNAME: boots,
    ...{ RAUC_SLOTS: '1 2 3', RAUC_SLOT_NAME_3: 'boot.0', RAUC_SLOT_BOOTNAME_3: '' },
    ...{ RAUC_SLOT_NAME_1: 'rootfs.1', RAUC_SLOT_BOOTNAME_1: 'B' },
    ...{ RAUC_SLOT_NAME_2: 'rootfs.0', RAUC_SLOT_BOOTNAME_2: 'A' },
  });
  return status === 0 ? 'taken' : JSON.parse((await machine.kept('refused'))!);
}

const older = (version: string, runs: string) => ({ code: 'update_older', params: { version, runs } });

test('root refuses an older bundle, whatever the service says that handed it over', async () => {
  await using machine = await aMachine();
  expect(await offered(machine, program, '0.0.9')).toEqual(older('0.0.9', '0.1.0'));
  expect(await offered(machine, system, '6.9')).toEqual(older('6.9', '7'));
  expect(await offered(machine, program, '0.0.9~rc2+5')).toEqual(older('0.0.9~rc2+5', '0.1.0'));
  for (const [compatible, version] of [
    [program, '0.1.0'],
    [program, '0.1.1'],
    [system, '7'],
    [system, '7.0.1'],
  ] as const)
    expect(await offered(machine, compatible, version)).toBe('taken');
});

test('a program is compared with the one that an update brought', async () => {
  await using machine = await aMachine();
  await machine.run('program', ['install', await machine.bundle('0.5.0')]);
  await machine.run('program', ['count']);
  await machine.run('program', ['good']);
  expect(await offered(machine, program, '0.4.9')).toEqual(older('0.4.9', '0.5.0'));
  expect(await offered(machine, program, '0.5.1')).toBe('taken');
});

test('a system is compared with the bundle in the slot that was booted, whatever its image says', async () => {
  await using machine = await aMachine();
  await machine.put(
    'data/slots.raucs',
    '[slot.rootfs.1]\nbundle.version=2026.11.1\nstatus=ok\n\n[slot.boot.0]\nbundle.version=3000\n',
  );
  expect(await offered(machine, system, '2026.9.30', 'B')).toEqual(older('2026.9.30', '2026.11.1'));
  expect(await offered(machine, system, '2026.11.1', 'B')).toBe('taken');
  expect(await offered(machine, system, '8', 'A')).toBe('taken');
});

test('root refuses a bundle for another machine, and one without a version', async () => {
  await using machine = await aMachine();
  expect(await offered(machine, 'gatehouse-raspberrypi', '9')).toEqual({
    code: 'update_wrong_machine',
    params: { compatible: 'gatehouse-raspberrypi', machine: system },
  });
  expect(await offered(machine, system, '')).toEqual({ code: 'update_without_version', params: {} });
});

test('nothing is taken while an update is on trial', async () => {
  await using machine = await aMachine();
  await machine.run('program', ['install', await machine.bundle('0.5.0')]);
  expect(await offered(machine, program, '0.6.0')).toEqual({ code: 'update_on_trial', params: {} });
});

test.each(['var/lib/gatehouse-program/allow-older', 'boot/card/allow-older.txt'])(
  '%s allows one older bundle, once',
  async file => {
    await using machine = await aMachine();
    await machine.put(file, '0.0.8\r\n');
    expect(await offered(machine, program, '0.0.9')).toMatchObject({ code: 'update_older' });
    expect(await offered(machine, program, '0.0.8')).toBe('taken');
    expect(await offered(machine, program, '0.0.8')).toMatchObject({ code: 'update_older' });
    await machine.put(file, '');
    expect(await offered(machine, system, '5')).toBe('taken');
    expect(await offered(machine, system, '5')).toMatchObject({ code: 'update_older' });
  },
);

test('`gatehouse update --allow-older` of root leaves the version where RAUC asks for it, and follows no link', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-allowed-'));
  try {
    allowAsRoot('0.0.9', folder);
    expect(await readFile(join(folder, 'allow-older'), 'utf8')).toBe('0.0.9\n');
    allowAsRoot('0.0.9', join(folder, 'nowhere'));
    await writeFile(join(folder, 'shadow'), 'kept');
    await rm(join(folder, 'allow-older'));
    await symlink(join(folder, 'shadow'), join(folder, 'allow-older'));
    expect(() => allowAsRoot('0.0.9', folder)).toThrow(/ELOOP/);
    expect(await readFile(join(folder, 'shadow'), 'utf8')).toBe('kept');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the script of root orders versions as the box does', () => {
  const versions = [
    ...['', 'rc', '0', '1', '1.0', '1.0.0', '1.0.0.1', '1.9', '1.10', 'v1.2', '01.2', '1.2+5', '1.0-rc.2', '1.0-rc.10'],
    ...['1.0rc2', '1.0-rc', '1.0-beta', '1.0-1', '1.0~a', '2026.11.1', '2026.9.30', '9'.repeat(20), ' 1 ', '1.0.'],
  ];
  const pairs = versions.flatMap(a => versions.map(b => [a, b] as const));
  const loop = 'while [ $# -gt 0 ]; do if "$0" "$1" "$2"; then echo older; else echo not; fi; shift 2; done';
  const isOlder = fileURLToPath(new URL('../../systemd/lib/is-older', import.meta.url));
  const said = execFileSync('sh', ['-c', loop, isOlder, ...pairs.flat()], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const wrong = pairs.filter(([a, b], at) => (said[at] === 'older') !== compareVersions(a, b) < 0);
  expect([said.length, wrong]).toEqual([pairs.length, []]);
});
