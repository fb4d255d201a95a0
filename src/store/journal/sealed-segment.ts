import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BrokenSeal, type Seal, type SealedBytes } from '../schema/sealing.ts';
import { checkPacked, packedVersion, segmentPlace } from './segment.ts';

/**
 * What stands in `sealed_records`, opened: the packed records (segment.ts), or these compressed:
 *
 *     version   u8    2
 *     length    u32   of the packed records, unpacked; big-endian
 *     frame           one of zstd, which holds the packed records from their version on
 *
 * Compressed before it is sealed, because sealed bytes do not shrink.
 */
const compressedVersion = 2;
const headBytes = 1 + 4;

/** A smaller segment saves no page of the file, and zstd takes as long for it as for 8 KiB. */
const compressedFrom = 2 << 10;
/** A larger segment stays as it is, so that opening one never takes more memory than this. */
const unpackedBytesMax = 32 << 20;
/** What is hardly smaller (pictures are compressed already) would be unpacked for nothing. */
const worthwhile = 7 / 8;
const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A segment that cannot be read. The message says which, and why. */
export class UnreadableSegment extends Error {
  constructor(firstSeq: number, why: string) {
    super(`segment ${firstSeq}: ${why}`);
    this.name = 'UnreadableSegment';
  }
}

interface SealingOptions {
  /** Whether this store may hold compressed segments (segment-format.ts). */
  readonly compress: boolean;
  /** See Seal.seal. */
  readonly room?: Uint8Array;
}

export function sealSegment(seal: Seal, packed: Buffer, firstSeq: number, options: SealingOptions): SealedBytes {
  const bytes = (options.compress ? compressed(packed) : null) ?? packed;
  return seal.seal(bytes, segmentPlace(firstSeq), options.room);
}

/** The packed records of a segment. Throws UnreadableSegment, and nothing else. */
export function openSegment(seal: Seal, sealed: Uint8Array, firstSeq: number): Buffer {
  const opened = unsealed(seal, sealed, firstSeq);
  const packed = opened[0] === compressedVersion ? decompressed(opened, firstSeq) : opened;
  if (packed[0] !== packedVersion)
    throw new UnreadableSegment(firstSeq, `version ${packed[0]} is not known here: it is of a newer Gatehouse`);
  if (!checkPacked(packed)) throw new UnreadableSegment(firstSeq, 'a record reaches past its end');
  return packed;
}

function unsealed(seal: Seal, sealed: Uint8Array, firstSeq: number): Buffer {
  try {
    return seal.open(sealed, segmentPlace(firstSeq));
  } catch (error) {
    if (!(error instanceof BrokenSeal)) throw error;
    throw new UnreadableSegment(firstSeq, 'the seal is broken');
  }
}

/** Null where it does not pay. */
function compressed(packed: Buffer): Buffer | null {
  if (packed.length < compressedFrom || packed.length > unpackedBytesMax) return null;
  const frame = zstdCompressSync(packed, { ...level, pledgedSrcSize: packed.length });
  if (headBytes + frame.length > packed.length * worthwhile) return null;
  const bytes = Buffer.allocUnsafe(headBytes + frame.length);
  bytes[0] = compressedVersion;
  bytes.writeUInt32BE(packed.length, 1);
  bytes.set(frame, headBytes);
  return bytes;
}

function decompressed(bytes: Buffer, firstSeq: number): Buffer {
  if (bytes.length < headBytes) throw new UnreadableSegment(firstSeq, 'its head is cut off');
  const length = bytes.readUInt32BE(1);
  if (length > unpackedBytesMax)
    throw new UnreadableSegment(firstSeq, `it would unpack to ${length} bytes, more than a segment has`);
  let packed: Buffer;
  try {
    // One byte of room more: Node then needs no second piece, which it would join to the first.
    const room = { chunkSize: Math.max(length + 1, constants.Z_MIN_CHUNK), maxOutputLength: Math.max(length, 1) };
    packed = zstdDecompressSync(bytes.subarray(headBytes), room);
  } catch (error) {
    throw new UnreadableSegment(firstSeq, `it cannot be unpacked (${(error as NodeJS.ErrnoException).code})`);
  }
  if (packed.length !== length)
    throw new UnreadableSegment(firstSeq, `it unpacks to ${packed.length} bytes instead of ${length}`);
  return packed;
}
