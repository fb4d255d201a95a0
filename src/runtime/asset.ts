import { getRawAsset } from 'node:sea';
import { zstdDecompressSync } from 'node:zlib';

/** An asset of the executable, which its build compressed (`scripts/build-binary.ts`). */
export const compressedAsset = (name: string): Buffer => zstdDecompressSync(new Uint8Array(getRawAsset(`${name}.zst`)));

/** The text of such an asset of a bundle, which is ASCII: V8 holds it with one byte a character. */
export const bundleText = (name: string): string => compressedAsset(name).toString('latin1');
