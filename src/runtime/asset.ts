import { getRawAsset } from 'node:sea';

/**
 * More than any asset has. Node would unpack into pieces and then copy them together, and the C
 * library keeps the memory of the pieces: 10 MB. What is not written of this costs nothing.
 */
const unpackedAtMost = 8 << 20;

/** An asset of the executable, which its build compressed (`scripts/build-binary.ts`). */
export function compressedAsset(name: string): Buffer {
  // Only executables need it, and each start from a folder would take 3 ms longer.
  const { zstdDecompressSync } = process.getBuiltinModule('node:zlib');
  return zstdDecompressSync(new Uint8Array(getRawAsset(`${name}.zst`)), { chunkSize: unpackedAtMost });
}

/** The text of such an asset of a bundle, which is ASCII: V8 holds it with one byte a character. */
export const bundleText = (name: string): string => compressedAsset(name).toString('latin1');
