import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';

/**
 * So few bytes take less time in the calling thread than to go to another one and back: 16 KiB are
 * compressed in 0.1 ms, and 256 KiB unpacked in less than one.
 */
const atOnceBytesMax = 16 << 10;
const unpackedAtOnceMax = 256 << 10;

const [compressElsewhere, unpackElsewhere] = [promisify(zstdCompress), promisify(zstdDecompress)];

/**
 * Node makes an engine for each call. V8 frees one only when it collects the whole heap of the
 * thread, and it would keep the memory of the result until then: under load that alone made V8
 * collect it several times a second. Takes what a call with `info` returned.
 */
export function withoutItsEngine(result: unknown): Buffer {
  const { buffer, engine } = result as { buffer: Buffer; engine: { _outBuffer: unknown } };
  engine._outBuffer = null;
  return buffer;
}

/** A frame of zstd. */
export async function zstdCompressed(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > atOnceBytesMax) return compressElsewhere(bytes);
  return withoutItsEngine(zstdCompressSync(bytes, { info: true, pledgedSrcSize: bytes.length }));
}

/**
 * Rejects with Node's error: code ERR_BUFFER_TOO_LARGE when it unpacks to more than `bytesMax`
 * bytes, and another one when it is no zstd.
 */
export async function zstdUnpacked(bytes: Buffer, bytesMax: number): Promise<Buffer> {
  if (bytes.length <= atOnceBytesMax)
    try {
      const maxOutputLength = Math.min(bytesMax, unpackedAtOnceMax);
      return withoutItsEngine(zstdDecompressSync(bytes, { info: true, maxOutputLength }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    }
  return unpackElsewhere(bytes, { maxOutputLength: bytesMax });
}
