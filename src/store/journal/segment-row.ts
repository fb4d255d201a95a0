import type { Channel, DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import { BrokenSeal, type Seal, type SealedBytes } from '../schema/sealing.ts';
import { compressed, NotUnpacked, unpacked } from './compression.ts';
import { checkPacked, packedVersion, type SegmentSummary, segmentPlace } from './segment.ts';

/** A segment that cannot be read. The message says which, and why. */
export class UnreadableSegment extends Error {
  constructor(firstSeq: number, why: string) {
    super(`segment ${firstSeq}: ${why}`);
    this.name = 'UnreadableSegment';
  }
}

/**
 * Value of `sealed_records`: the packed records (segment.ts), or these compressed. `where`: the
 * number of its first record; a place, where that is not known yet.
 */
export function sealSegment(
  seal: Pick<Seal, 'seal'>,
  packed: Buffer,
  where: number | string,
  room?: Uint8Array,
): SealedBytes {
  return seal.seal(compressed(packed) ?? packed, typeof where === 'number' ? segmentPlace(where) : where, room);
}

/**
 * The packed records of a segment of the store; null when it is gone. Throws UnreadableSegment and
 * notes it in `unreadable`, also if the disk does not give it back. In a transaction that the
 * failed read has ended it throws SQLite's error: who repeats the transaction gets
 * UnreadableSegment.
 */
export function readSegment(connection: Connection, firstSeq: number): Buffer | null {
  const { sql, seal, unreadable, database } = connection;
  if (unreadable.hasSegment(firstSeq)) throw new UnreadableSegment(firstSeq, 'it could not be read before');
  const isWithin = database.isTransaction;
  try {
    const row = sql('SELECT sealed_records FROM segment WHERE first_seq = ?').get(firstSeq) as
      | { sealed_records: Uint8Array }
      | undefined;
    return row ? openSegment(seal, row.sealed_records, firstSeq) : null;
  } catch (error) {
    const isLost = isReadFailure(error);
    if (!isLost && !(error instanceof UnreadableSegment)) throw error;
    unreadable.addSegment({ first: firstSeq, last: lastOf(connection, firstSeq) });
    if (!isLost) throw error;
    if (isWithin && !database.isTransaction) throw error;
    throw new UnreadableSegment(firstSeq, `the disk does not give it back: ${(error as Error).message}`);
  }
}

function lastOf({ sql }: Connection, firstSeq: number): number {
  try {
    const head = sql('SELECT count FROM segment WHERE first_seq = ?').get(firstSeq) as { count: number } | undefined;
    return firstSeq + (head?.count ?? 1) - 1;
  } catch (error) {
    if (isReadFailure(error)) return firstSeq;
    throw error;
  }
}

/** The packed records of a segment. Throws UnreadableSegment, and nothing else. */
export function openSegment(seal: Seal, sealed: Uint8Array, firstSeq: number): Buffer {
  const packed = opened(seal, sealed, firstSeq);
  if (packed[0] !== packedVersion)
    throw new UnreadableSegment(firstSeq, `version ${packed[0]} is not known here: it is of a newer Gatehouse`);
  if (!checkPacked(packed)) throw new UnreadableSegment(firstSeq, 'a record reaches past its end');
  return packed;
}

function opened(seal: Seal, sealed: Uint8Array, firstSeq: number): Buffer {
  try {
    return unpacked(seal.open(sealed, segmentPlace(firstSeq)));
  } catch (error) {
    if (error instanceof BrokenSeal) throw new UnreadableSegment(firstSeq, 'the seal is broken');
    if (error instanceof NotUnpacked) throw new UnreadableSegment(firstSeq, error.message);
    throw error;
  }
}

/**
 * The `devices` column: pairs of u32, device number and count. First those of messages, then a pair
 * of zeros, then those of logs; without logs the pair of zeros is left out.
 */
export function packDevices({ device: messages, log: logs }: SegmentSummary['forwardable']): Buffer {
  const pairs = messages.size + (logs.size === 0 ? 0 : logs.size + 1);
  const bytes = Buffer.alloc(pairs * 8);
  let at = 0;
  for (const [device, count] of messages) {
    at = bytes.writeUInt32BE(device, at);
    at = bytes.writeUInt32BE(count, at);
  }
  // There is no device 0, and nothing is counted for it.
  if (logs.size > 0) at += 8;
  for (const [device, count] of logs) {
    at = bytes.writeUInt32BE(device, at);
    at = bytes.writeUInt32BE(count, at);
  }
  return bytes;
}

/** Lists each device with its count, once for each channel. */
export function eachDevice(
  devices: Uint8Array,
  take: (device: DeviceNo, count: number, channel: Channel) => void,
): void {
  someDevice(devices, (device, channel, count) => {
    take(device, count, channel);
    return false;
  });
}

/** The same up to the first that is the right one. Returns whether there is one. */
export function someDevice(
  devices: Uint8Array,
  isIt: (device: DeviceNo, channel: Channel, count: number) => boolean,
): boolean {
  const view = new DataView(devices.buffer, devices.byteOffset, devices.byteLength);
  let channel: Channel = 'device';
  for (let at = 0; at + 8 <= devices.length; at += 8) {
    const device = view.getUint32(at);
    if (device === 0) channel = 'log';
    else if (isIt(device as DeviceNo, channel, view.getUint32(at + 4))) return true;
  }
  return false;
}
