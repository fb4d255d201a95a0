import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Machine } from '../support/machine.ts';

/** `systemd/lib/health`: whether an update is kept. */

interface Slot {
  readonly state: 'booted' | 'inactive';
  readonly installed?: string;
  readonly activated?: string;
  readonly version?: string;
  readonly boot?: string;
}

/** As `rauc status --detailed --output-format=shell` says it. */
const slots = (b: Slot, a: Slot): string =>
  [
    `RAUC_SYSTEM_SLOTS='rootfs.1 rootfs.0'`,
    `RAUC_SLOTS='1 2'`,
    ...[b, a].flatMap((slot, index) => [
      `RAUC_SLOT_STATE_${index + 1}='${slot.state}'`,
      `RAUC_SLOT_CLASS_${index + 1}='rootfs'`,
      `RAUC_SLOT_BOOT_STATUS_${index + 1}='${slot.boot ?? 'good'}'`,
      `RAUC_SLOT_STATUS_BUNDLE_VERSION_${index + 1}='${slot.version ?? ''}'`,
      `RAUC_SLOT_STATUS_INSTALLED_TIMESTAMP_${index + 1}='${slot.installed ?? ''}'`,
      `RAUC_SLOT_STATUS_ACTIVATED_TIMESTAMP_${index + 1}='${slot.activated ?? slot.installed ?? ''}'`,
    ]),
    '',
  ].join('\n');

const flashed: Slot = { state: 'booted' };
const empty: Slot = { state: 'inactive', boot: 'bad' };
const installedAt = '2026-11-21T09:00:00Z';
const newSystem: Slot = { state: 'inactive', installed: installedAt, activated: '2026-11-21T09:00:03Z', version: '8' };

async function booted(machine: Machine, b: Slot, a: Slot): Promise<string[]> {
  await machine.put('etc/rauc/system.conf', '');
  await machine.say('slots', slots(b, a));
  const before = (await machine.asked()).length;
  await rm(join(machine.root, 'run/gatehouse-system-judged'), { force: true });
  expect(await machine.run('health')).toMatchObject({ status: 0 });
  return (await machine.asked()).slice(before);
}

async function serving(machine: Machine): Promise<void> {
  await machine.say('ActiveState', 'active\n');
  await machine.say('InvocationID', 'one\n');
}

test('a system that has proven itself is marked good at once, healthy or not: a quick power cut must not lose it', async () => {
  await using machine = await Machine.make();
  expect(await booted(machine, empty, flashed)).toEqual(['rauc status mark-good booted']);
  expect(await machine.last()).toBeNull();
});

test('a new system that serves for a minute is kept', async () => {
  await using machine = await Machine.make();
  await booted(machine, empty, flashed);
  await serving(machine);
  expect(await booted(machine, { ...newSystem, state: 'booted' }, { state: 'inactive' })).toEqual([
    'rauc status mark-good booted',
  ]);
  expect(await machine.last()).toMatchObject({ kind: 'image', from: '7', to: '8', outcome: 'good' });
  await machine.say('ActiveState', 'failed\n');
  expect(await booted(machine, { ...newSystem, state: 'booted' }, { state: 'inactive' })).toEqual([
    'rauc status mark-good booted',
  ]);
});

test('a new system that never serves goes back to the one before, and says why', async () => {
  await using machine = await Machine.make();
  await booted(machine, empty, flashed);
  await machine.say('ActiveState', 'activating\n');
  await machine.say('Result', 'exit-code\n');
  expect(await booted(machine, { ...newSystem, state: 'booted' }, { state: 'inactive' })).toEqual([
    'rauc status mark-bad booted',
    'rauc status mark-active other',
    'systemctl reboot',
  ]);
  const why = {
    code: 'update_unhealthy',
    params: { needed: '60', longest: '300', state: 'activating', result: 'exit-code' },
  };
  expect(await machine.last()).toMatchObject({ from: '7', to: '8', outcome: 'rolled-back', ...why });
  // Back on the one before: the verdict stands.
  expect(await booted(machine, { ...newSystem, boot: 'bad' }, flashed)).toEqual(['rauc status mark-good booted']);
  expect(await machine.last()).toMatchObject({ outcome: 'rolled-back', ...why });
});

test('a start that takes ten minutes, for a large store, is waited for', async () => {
  await using machine = await Machine.make();
  await machine.say('ActiveState', 'activating\n');
  await machine.say('InvocationID', 'one\n');
  // Of 5 s each.
  await machine.say('turns', '120\n');
  await booted(machine, { ...newSystem, state: 'booted' }, { state: 'inactive' });
  expect(await machine.last()).toMatchObject({ outcome: 'good' });
});

test('a start that hangs and is tried again by systemd is not healthy', async () => {
  await using machine = await Machine.make();
  await machine.say('ActiveState', 'activating\n');
  await machine.say('restarts', '');
  await booted(machine, { ...newSystem, state: 'booted' }, { state: 'inactive' });
  expect(await machine.last()).toMatchObject({
    outcome: 'rolled-back',
    params: expect.objectContaining({ state: 'activating' }),
  });
});

test('a service that restarts again and again is not healthy', async () => {
  await using machine = await Machine.make();
  await machine.say('ActiveState', 'active\n');
  await machine.say('restarts', '');
  await booted(machine, { ...newSystem, state: 'booted' }, { state: 'inactive' });
  expect(await machine.last()).toMatchObject({ outcome: 'rolled-back' });
});

test('a new system that did not even start is noticed by the one before', async () => {
  await using machine = await Machine.make();
  await booted(machine, empty, flashed);
  expect(await booted(machine, { ...newSystem, boot: 'bad' }, flashed)).toEqual([
    'rauc status mark-good booted',
    'rauc status mark-bad other',
    'rauc status mark-active booted',
  ]);
  expect(await machine.last()).toMatchObject({
    outcome: 'rolled-back',
    to: '8',
    code: 'update_system_not_up',
  });
  expect(await booted(machine, { ...newSystem, boot: 'bad' }, flashed)).toEqual(['rauc status mark-good booted']);
});

test('a system that was written but not yet activated when the power went is no rollback', async () => {
  await using machine = await Machine.make();
  await booted(machine, empty, flashed);
  const written: Slot = { ...newSystem, activated: '' };
  expect(await booted(machine, { ...written, activated: '2026-11-01T00:00:00Z' }, flashed)).toEqual([
    'rauc status mark-good booted',
  ]);
  expect(await machine.last()).toBeNull();
});

test('a system that nothing stands beside is kept, healthy or not', async () => {
  await using machine = await Machine.make();
  await machine.say('ActiveState', 'failed\n');
  expect(await booted(machine, { ...newSystem, state: 'booted' }, { state: 'inactive', boot: 'bad' })).toEqual([
    'rauc status mark-good booted',
  ]);
  expect(await machine.last()).toMatchObject({ outcome: 'kept' });
});

test('a system that is installed while the box runs is not judged before it was booted', async () => {
  await using machine = await Machine.make();
  await booted(machine, empty, flashed);
  await machine.say('slots', slots(newSystem, flashed));
  await machine.run('health');
  expect(await machine.last()).toBeNull();
});

test('a new program that serves for a minute is kept, without RAUC too', async () => {
  await using machine = await Machine.make();
  await machine.run('program', ['install', await machine.bundle('0.2.0')]);
  await serving(machine);
  expect(await machine.run('health')).toMatchObject({ status: 0 });
  expect(await machine.last()).toMatchObject({ kind: 'program', outcome: 'good' });
});

test('a new program that hangs is taken back, and the service starts on the one before', async () => {
  await using machine = await Machine.make();
  await machine.run('program', ['install', await machine.bundle('0.2.0')]);
  await machine.say('ActiveState', 'failed\n');
  await machine.say('Result', 'watchdog\n');
  await machine.run('health');
  expect(await machine.asked()).toEqual([
    'systemctl reset-failed gatehouse.service',
    'systemctl restart gatehouse.service',
  ]);
  expect(await machine.last()).toMatchObject({
    outcome: 'rolled-back',
    params: expect.objectContaining({ result: 'watchdog' }),
  });
  expect(await machine.runs()).toBe('ran 0.1.0 serve');
});
