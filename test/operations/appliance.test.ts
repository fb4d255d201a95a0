import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { machineSerial } from '../../src/operations/appliance/machine-serial.ts';
import { applianceChecks } from '../../src/operations/doctor/appliance.ts';
import { readTracking } from '../../src/operations/doctor/synchronized.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-root-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const found = () => [...applianceChecks(root)].map(([name, look]) => `${name} ${look().state} ${look().code}`);

test('a machine that was not flashed is somebody’s own', () => expect(found()).toEqual([]));

test('a container is said to be one, with where to read what it lacks', () => {
  put('usr/lib/gatehouse/container', '');
  expect(found()).toEqual(['container ok container']);
});

test('a flashed box without a watchdog, on a system that can be written, is to be looked at', () => {
  mkdirSync(join(root, 'boot/card'), { recursive: true });
  put('proc/mounts', '/dev/root / ext4 rw,noatime 0 0\n');
  expect(found()).toEqual(['watchdog warn watchdog_none', 'system warn system_writable']);
});

test('a flashed box that is as it should be, on an eMMC that is half used', () => {
  mkdirSync(join(root, 'boot/card'), { recursive: true });
  put('proc/mounts', 'rootfs / rootfs rw 0 0\n/dev/root / squashfs ro,relatime 0 0\n/dev/x /data ext4 rw 0 0\n');
  put('sys/class/watchdog/watchdog0/state', 'active\n');
  put('sys/block/mmcblk0/device/life_time', '0x02 0x05\n');
  put('sys/block/sda/size', '1\n');
  expect(found()).toEqual(['watchdog ok watchdog', 'system ok system', 'card ok card']);
  put('sys/block/mmcblk0/device/life_time', '0x0b 0x05\n');
  expect(found().at(-1)).toBe('card failed card_worn');
});

test.each([
  ['proc/device-tree/serial-number', '10000000abcdef12\0', '10000000ABCDEF12'],
  ['proc/device-tree/serial-number', '00000000abcdef12\0', 'ABCDEF12'],
  ['sys/class/dmi/id/product_serial', 'CZC-1234XY\n', 'CZC-1234XY'],
])('the serial number of the machine: %s %j', (file, text, serial) => {
  put(file, text);
  expect(machineSerial(root)).toBe(serial);
});

test.each([
  'To be filled by O.E.M.',
  'Default string',
  'System Serial Number',
  '0000000000',
  '',
  'a b',
  '12',
  'Not Specified',
  '123456789',
])('what stands where no serial number is, is none: %j', text => {
  put('sys/class/dmi/id/product_serial', `${text}\n`);
  const [one, other] = [machineSerial(root), machineSerial(root)];
  expect(one).toMatch(/^[A-HJKMNP-Z2-9]{10}$/);
  expect(other).not.toBe(one);
});

test.each([
  ['C0A80101,192.168.1.1,3,1732190000.1,0.00001,0.00002,0.00003,-1.2,0.001,0.02,0.03,0.04,64.2,Normal\n', true],
  ['00000000,,0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,1.0,1.0,0.0,Not synchronised\n', false],
  ['7F7F0101,,10,1732190000.1,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,64.0,Normal\n', false],
  ['506 Cannot talk to daemon\n', null],
])('chrony says %s', (line, synchronized) => expect(readTracking(line)).toBe(synchronized));
