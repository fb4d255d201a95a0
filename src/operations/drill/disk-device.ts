import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DiskDevice } from '../../platform/drill.ts';

const noDevice: DiskDevice = { device: '', name: '', serial: '', cid: '', bytes: null };
const sectorBytes = 512;

/**
 * The disk below a folder: through its partition, and through what lies between (LVM, encryption).
 * What the system does not say stays empty; a folder without a disk (a network, memory) has none.
 * `sys` is for tests.
 */
export function diskBelow(folder: string, sys = '/sys', deviceOf = deviceNumber): DiskDevice {
  try {
    const number = deviceOf(folder);
    return number === null ? noDevice : diskAt(realpathSync(join(sys, 'dev/block', number)), 0);
  } catch {
    return noDevice;
  }
}

/** `179:2`. Null: no block device (the major number is 0). */
function deviceNumber(folder: string): string | null {
  const { dev } = statSync(folder, { bigint: true });
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  return major === 0n ? null : `${major}:${minor}`;
}

/** Layers between the file system and the disk. */
const layersMax = 8;

function diskAt(path: string, layer: number): DiskDevice {
  if (read(path, 'partition') !== '') return diskAt(dirname(path), layer);
  const [below] = namesIn(join(path, 'slaves'));
  if (below !== undefined && layer < layersMax) return diskAt(realpathSync(join(path, 'slaves', below)), layer + 1);
  const device = join(path, 'device');
  const vendor = read(device, 'vendor');
  const model = read(device, 'model') || read(device, 'name');
  // The vendor of a PCI or virtio device is a number.
  const name = [/^0x/.test(vendor) ? '' : vendor, model].filter(Boolean).join(' ');
  const sectors = Number(read(path, 'size'));
  return {
    device: basename(path),
    name,
    serial: read(device, 'serial') || read(path, 'serial') || scsiSerial(device),
    cid: read(device, 'cid'),
    bytes: sectors > 0 ? sectors * sectorBytes : null,
  };
}

/**
 * Of disks that speak SCSI, which are those at SATA and USB too: their page 0x80, four bytes and
 * the number.
 */
function scsiSerial(device: string): string {
  try {
    return printable(readFileSync(join(device, 'vpd_pg80')).subarray(4));
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(folder: string, name: string): string {
  try {
    return printable(readFileSync(join(folder, name)));
  } catch {
    return '';
  }
}

const printable = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim();
