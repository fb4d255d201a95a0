import { open } from 'node:fs/promises';
import { sha256Of } from './checksums.ts';

/** Of a squashfs: magic, and at byte 40 how many bytes it uses, as u64 little-endian. */
const superblock = { magic: 'hsqs', bytesUsedAt: 40, bytes: 96 };

/**
 * SHA-256 of the file system at the start of a RAUC bundle, in hex: all that a box installs. Behind
 * it come a hash tree with a salt of chance and the signature with its moment, which differ each
 * time. `head -c BYTES BUNDLE | sha256sum` gives the same.
 */
export async function bundleContent(bundle: string): Promise<{ sha256: string; bytes: number }> {
  const head = Buffer.alloc(superblock.bytes);
  await using file = await open(bundle);
  await file.read(head, 0, head.length, 0);
  if (head.toString('latin1', 0, superblock.magic.length) !== superblock.magic)
    throw new Error(`${bundle} is not a bundle: it does not begin with a squashfs`);
  const bytes = Number(head.readBigUInt64LE(superblock.bytesUsedAt));
  return { sha256: await sha256Of(bundle, bytes), bytes };
}
