import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutEnd } from '../../runtime/without-end.ts';

/** Where boards and PCs keep their serial number; only root can read DMI's. */
const places = [
  'proc/device-tree/serial-number',
  'sys/class/dmi/id/product_serial',
  'sys/class/dmi/id/board_serial',
] as const;

/** Placeholders that makers leave in place of a serial number. */
const placeholders =
  /^(0+|1?2345678\d*|none|n\/?a|not.*|default.*|system.*|chassis.*|base.*|to.?be.?filled.*|.*o\.?e\.?m\.?.*|x+|\.+|-+)$/i;
const charactersMin = 6;
const charactersMax = 24;
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const madeCharacters = 10;

/**
 * A serial number for the box (SPEC 5.1: letters, digits, hyphens): that of its machine, else a
 * random one (49 bits). At most 24 characters, in upper case, without leading zeros, since the last
 * six make the names under which phones find it. `root` is for tests.
 */
export function machineSerial(root = '/'): string {
  for (const place of places) {
    const serial = read(join(root, place));
    if (serial.length < charactersMin || serial.length > charactersMax || placeholders.test(serial)) continue;
    if (/^[0-9A-Z-]+$/.test(serial)) return serial;
  }
  return Array.from({ length: madeCharacters }, () => alphabet[randomInt(alphabet.length)]).join('');
}

function read(file: string): string {
  try {
    // The device tree ends its texts with a NUL.
    return withoutEnd(readFileSync(file, 'utf8'), '\0').trim().toUpperCase().replace(/^0+/, '');
  } catch {
    return '';
  }
}
