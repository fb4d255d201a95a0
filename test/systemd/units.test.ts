import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { suiteNeeding } from '../support/tools.ts';

const systemd = fileURLToPath(new URL('../../systemd', import.meta.url));
const backup = join(systemd, 'backup');
const mounts = readdirSync(backup);
const units = readdirSync(systemd).filter(name => /\.(service|path|socket|timer)$/.test(name));
/** Every service that the project ships, in packages and images; drop-ins for Debian's own have no unit. */
const services = [systemd, fileURLToPath(new URL('../../firmware-images', import.meta.url))]
  .flatMap(folder => readdirSync(folder, { recursive: true }).map(name => join(folder, String(name))))
  .filter(file => file.endsWith('.service'));
/** `systemd-analyze security` in tenths: root's units, and the service that the network reaches. */
const exposureMax = (file: string) => (basename(file) === 'gatehouse.service' ? 15 : 39);

/** What the units start is there, in a root of its own. */
function rootWithPrograms(): string {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-units-'));
  const folder = join(root, 'usr/lib/systemd/system');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(systemd))
    if (/\.(service|path|socket|timer)(\.d)?$/.test(name))
      cpSync(join(systemd, name), join(folder, name), { recursive: true });
  for (const name of mounts) cpSync(join(backup, name), join(folder, name));
  const targets = [
    'sysinit',
    'basic',
    'multi-user',
    'shutdown',
    'local-fs',
    'network',
    'network-online',
    'paths',
    'default',
  ];
  for (const name of targets) writeFileSync(join(folder, `${name}.target`), '[Unit]\nDescription=there\n');
  for (const unit of units)
    for (const [, path] of readFileSync(join(systemd, unit), 'utf8').matchAll(/^Exec\w+=[-+!@:]*(\/\S+)/gm)) {
      mkdirSync(join(root, path!, '..'), { recursive: true });
      writeFileSync(join(root, path!), '#!/bin/sh\n', { mode: 0o755 });
    }
  return root;
}

suiteNeeding('systemd-analyze', 'systemd', 'the units', () => {
  test.each([...units, ...mounts])('%s: systemd finds nothing wrong', unit => {
    const root = rootWithPrograms();
    const { stdout, stderr, status } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', '--recursive-errors=no', `--root=${root}`, unit.replace('@.', '@sda1.')],
      { encoding: 'utf8' },
    );
    rmSync(root, { recursive: true });
    expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: '' });
  });

  test.each(services)('%s is exposed to less than 4 of 10, the service of the box to at most 1.5', file => {
    const { stdout, stderr, status } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=yes', `--threshold=${exposureMax(file)}`, '--no-pager', file],
      { encoding: 'utf8' },
    );
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    console.info(`systemd-analyze security: ${basename(file)} ${exposure}`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(Number(exposure)).toBeGreaterThan(0);
  });

  test('a unit that mounts for everybody has no mounts of its own', () => {
    const unit = readFileSync(join(systemd, 'gatehouse-usb@.service'), 'utf8');
    expect(unit).not.toMatch(/^(Private(Mounts|Tmp|Devices|Network|IPC)|Protect\w+|ProcSubset|\w+Paths|MountFlags)=/m);
  });
});

test('the service may do what V8 and the source need', () => {
  const service = readFileSync(join(systemd, 'gatehouse.service'), 'utf8');
  // V8 compiles while it runs.
  expect(service).not.toMatch(/^MemoryDenyWriteExecute=yes/m);
  expect(service).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
  expect(service).not.toMatch(/^ProcSubset=/m);
  expect(service).toMatch(/^CapabilityBoundingSet=$/m);
  // A program that the box has started, and that the kernel kills for its memory, takes nothing with it.
  expect(service).toMatch(/^OOMPolicy=continue$/m);
});

test('everything in systemd/ has its comment: why, not what', () => {
  const files = readdirSync(systemd, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const silent = files
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !/\/deb\/|\.service$|\.path$/.test(file))
    .filter(file => !/^(\s*)(#|\/\/|<!--)/m.test(readFileSync(file, 'utf8')));
  expect(silent).toEqual([]);
});
