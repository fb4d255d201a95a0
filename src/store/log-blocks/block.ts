import { compressed, NotUnpacked, unpacked } from '../journal/compression.ts';
import { checkPacked, packedVersion, unpack } from '../journal/segment.ts';
import type { DeviceNo, JournalRecord, Seq } from '../port/journal.ts';
import { BrokenSeal, type Seal, type SealedBytes } from '../schema/sealing.ts';

/**
 * The logs of one block, packed. All numbers are big-endian.
 *
 *     version   u8    1
 *     gaps      u32   how many gaps there are: between logs stand records of other channels
 *     then for each gap:
 *     index     u32   before which log of the block it is, from 0
 *     skipped   u32   how many seqs are not of this block there
 *     then the logs   packed as in a segment, from its version on (journal/segment.ts)
 *
 * The first log has the block's `first_seq`, each other one the next seq, but for the gaps. The
 * column `sealed_logs` holds this, compressed where that pays (journal/compression.ts) and sealed.
 */
const version = 1;
const headBytes = 1 + 4;
const gapBytes = 4 + 4;

export interface Gap {
  readonly index: number;
  readonly skipped: number;
}

export interface LogBlock {
  readonly firstSeq: number;
  readonly gaps: readonly Gap[];
  /** As in a segment. */
  readonly packed: Buffer;
}

/** A block that cannot be read. The message says which, and why. */
export class UnreadableBlock extends Error {
  readonly firstSeq: number;

  constructor(firstSeq: number, why: string) {
    super(`log block ${firstSeq}: ${why}`);
    this.name = 'UnreadableBlock';
    this.firstSeq = firstSeq;
  }
}

const blockPlace = (firstSeq: number): string => `log_block:${firstSeq}`;

/** `room`: see Seal.seal. */
export function sealBlock(seal: Seal, { firstSeq, gaps, packed }: LogBlock, room?: Uint8Array): SealedBytes {
  const bytes = Buffer.allocUnsafe(headBytes + gaps.length * gapBytes + packed.length);
  bytes[0] = version;
  let at = bytes.writeUInt32BE(gaps.length, 1);
  for (const { index, skipped } of gaps) {
    at = bytes.writeUInt32BE(index, at);
    at = bytes.writeUInt32BE(skipped, at);
  }
  bytes.set(packed, at);
  return seal.seal(compressed(bytes) ?? bytes, blockPlace(firstSeq), room);
}

/** Throws UnreadableBlock, and nothing else. */
export function openBlock(seal: Seal, sealed: Uint8Array, firstSeq: number): LogBlock {
  const bytes = opened(seal, sealed, firstSeq);
  if (bytes[0] !== version)
    throw new UnreadableBlock(firstSeq, `version ${bytes[0]} is not known here: it is of a newer Gatehouse`);
  const count = bytes.length < headBytes ? Number.POSITIVE_INFINITY : bytes.readUInt32BE(1);
  const from = headBytes + count * gapBytes;
  if (from >= bytes.length) throw new UnreadableBlock(firstSeq, 'its head is cut off');
  const gaps: Gap[] = [];
  for (let at = headBytes; at < from; at += gapBytes)
    gaps.push({ index: bytes.readUInt32BE(at), skipped: bytes.readUInt32BE(at + 4) });
  const packed = bytes.subarray(from);
  if (packed[0] !== packedVersion || !checkPacked(packed))
    throw new UnreadableBlock(firstSeq, 'a log reaches past its end');
  return { firstSeq, gaps, packed };
}

function opened(seal: Seal, sealed: Uint8Array, firstSeq: number): Buffer {
  try {
    return unpacked(seal.open(sealed, blockPlace(firstSeq)));
  } catch (error) {
    if (error instanceof BrokenSeal) throw new UnreadableBlock(firstSeq, 'the seal is broken');
    if (error instanceof NotUnpacked) throw new UnreadableBlock(firstSeq, error.message);
    throw error;
  }
}

/**
 * Passes each log to `take`, with its payload as a view into `packed`. With `asked`, no object is
 * made for the others; `from` and `to` say where in `packed` a log begins and ends.
 */
export function eachLog(
  { firstSeq, gaps, packed }: LogBlock,
  take: (log: JournalRecord) => void,
  asked: (seq: number, deviceNo: DeviceNo, from: number, to: number) => boolean = () => true,
): void {
  let next = 0;
  let seq = firstSeq;
  unpack(
    packed,
    0,
    log => take({ ...log, seq: seq as Seq }),
    (deviceNo, index, _channel, from, to) => {
      if (index > 0) seq++;
      for (; gaps[next]?.index === index; next++) seq += gaps[next]!.skipped;
      return asked(seq, deviceNo, from, to);
    },
  );
}

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
