import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { withoutItsEngine } from '../../runtime/zstd.ts';

/**
 * Packed bytes, whose first byte is their version, compressed:
 *
 *     version   u8    2
 *     length    u32   of the packed bytes; big-endian
 *     frame           one of zstd, which holds the packed bytes from their version on
 *
 * Compressed before they are sealed, because sealed bytes do not shrink.
 */
const compressedVersion = 2;
const headBytes = 1 + 4;

/** Less saves no page of the file, and zstd takes as long for it as for 8 KiB. */
const compressedFrom = 2 << 10;
/** More stays as it is, so that unpacking never takes more memory than this. */
const unpackedBytesMax = 32 << 20;
/**
 * Maximum ratio: hardly smaller data (pictures are compressed already) would be unpacked for
 * nothing.
 */
const worthwhile = 7 / 8;
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, info: true };

/** The message says why, and begins with what it is about: `it`. */
export class NotUnpacked extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'NotUnpacked';
  }
}

/** Null where it does not pay. */
export function compressed(packed: Buffer): Buffer | null {
  if (packed.length < compressedFrom || packed.length > unpackedBytesMax) return null;
  const frame = withoutItsEngine(zstdCompressSync(packed, { ...options, pledgedSrcSize: packed.length }));
  if (headBytes + frame.length > packed.length * worthwhile) return null;
  const bytes = Buffer.allocUnsafe(headBytes + frame.length);
  bytes[0] = compressedVersion;
  bytes.writeUInt32BE(packed.length, 1);
  bytes.set(frame, headBytes);
  return bytes;
}

/** The packed bytes, compressed or not. Throws NotUnpacked, and nothing else. */
export function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== compressedVersion) return bytes;
  if (bytes.length < headBytes) throw new NotUnpacked('its head is cut off');
  const length = bytes.readUInt32BE(1);
  if (length > unpackedBytesMax) throw new NotUnpacked(`it would unpack to ${length} bytes, more than there ever are`);
  let packed: Buffer;
  try {
    // One byte of room more: Node then needs no second piece, which it would join to the first.
    const room = { chunkSize: Math.max(length + 1, constants.Z_MIN_CHUNK), maxOutputLength: Math.max(length, 1) };
    packed = withoutItsEngine(zstdDecompressSync(bytes.subarray(headBytes), { ...room, info: true }));
  } catch (error) {
    throw new NotUnpacked(`it cannot be unpacked (${(error as NodeJS.ErrnoException).code})`);
  }
  if (packed.length !== length) throw new NotUnpacked(`it unpacks to ${packed.length} bytes instead of ${length}`);
  return packed;
}
