import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ourTemplate, type TestBus } from './dbus.ts';

const slot = (state: string, bootname: string, more: Record<string, string> = {}) => ({
  class: 'rootfs',
  device: `/dev/disk/by-partlabel/root-${bootname.toLowerCase()}`,
  type: 'ext4',
  bootname,
  state,
  'boot-status': 'good',
  ...more,
});

/** Two systems: the flashed one runs in A, a newer one is in B. */
export const twoSystems = [
  ['rootfs.0', slot('booted', 'A')],
  ['rootfs.1', slot('inactive', 'B', { 'bundle.version': '6' })],
] as const;

/** A stand-in for RAUC on a bus of the test's own. */
export const raucOn = (bus: TestBus, parameters: Record<string, unknown> = {}) =>
  bus.mock(ourTemplate('rauc_gatehouse'), { compatible: 'gatehouse-generic-arm64', slots: twoSystems, ...parameters });

/** A file that the stand-in takes for a bundle. */
export async function aBundle(folder: string, about: Record<string, unknown> = {}): Promise<string> {
  const bundle = {
    compatible: `gatehouse-program-${process.arch}`,
    version: '0.2.0',
    description: 'Reads cards faster',
    signed: 'by us',
    ...about,
  };
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${bundle.compatible}-${bundle.version}.raucb`);
  await writeFile(file, JSON.stringify(bundle));
  return file;
}
