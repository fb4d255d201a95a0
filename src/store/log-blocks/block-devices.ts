import type { DeviceNo } from '../port/journal.ts';

/**
 * Which devices a block has logs of, in two columns:
 *
 *     devices         a bit for each device number from 0 on, the lowest of a byte first; it ends
 *                     with the greatest number
 *     device_counts   how many logs each of these devices has there, by their numbers: 7 bits a
 *                     byte, the lowest first, the high bit set where more follow
 *
 * Bits, because a search for one device passes over most blocks by them, in SQL.
 */
export function packBlockDevices(counts: ReadonlyMap<DeviceNo, number>): { devices: Buffer; deviceCounts: Buffer } {
  const numbers = [...counts.keys()].sort((a, b) => a - b);
  const devices = Buffer.alloc(((numbers.at(-1) ?? 0) >> 3) + 1);
  const deviceCounts: number[] = [];
  for (const deviceNo of numbers) {
    devices[deviceNo >> 3]! |= 1 << (deviceNo & 7);
    let count = counts.get(deviceNo)!;
    for (; count > 127; count >>>= 7) deviceCounts.push((count & 127) | 128);
    deviceCounts.push(count);
  }
  return { devices, deviceCounts: Buffer.from(deviceCounts) };
}

/** Lists the devices with their counts, by number. */
export function* blockDevices(devices: Uint8Array, deviceCounts: Uint8Array): Iterable<[DeviceNo, number]> {
  let at = 0;
  for (const [index, bits] of devices.entries())
    for (let bit = 0; bit < 8; bit++) {
      if ((bits & (1 << bit)) === 0) continue;
      let count = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = deviceCounts[at++] ?? 0;
        count |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      yield [(index * 8 + bit) as DeviceNo, count];
    }
}

/**
 * A condition of SQL: the block has logs of a device. `deviceBit` gives its three parameters, the
 * first of which is ?`at`. SQL has no operator for the bits of a blob: the digit of its hexadecimal
 * form that holds the bit is looked up. Past the end of `devices` there is no digit, which counts
 * as 0.
 */
export const holdsDevice = (at: number): string =>
  `(instr('0123456789ABCDEF', substr(hex(substr(devices, ?${at}, 1)), ?${at + 1}, 1)) - 1) & ?${at + 2} <> 0`;

export const deviceBit = (deviceNo: DeviceNo): [byte: number, digit: number, bit: number] => {
  const bit = deviceNo & 7;
  return [(deviceNo >> 3) + 1, bit < 4 ? 2 : 1, 1 << (bit & 3)];
};
