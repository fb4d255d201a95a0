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
