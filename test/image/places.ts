import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { sectorBytes } from '../power/write-log.ts';

export interface Place {
  readonly at: number;
  readonly bytes: number;
}

/** What lies where on the card of the image for arm64, in bytes, by its GPT. */
export interface Places {
  readonly card: Place;
  readonly A: Place;
  readonly B: Place;
  readonly data: Place;
}

/**
 * Reads the GPT as firmware and kernel do (the kernel is started with `gpt`): where the one at the
 * beginning is damaged, its copy at the end of the card. Throws when neither is whole.
 */
export async function placesOn(image: string): Promise<Places> {
  const file = await open(image);
  try {
    const { size } = await file.stat();
    const table = (await wholeTable(file, 1)) ?? (await wholeTable(file, size / sectorBytes - 1));
    if (table === null) throw new Error('neither partition table is whole');
    const [card, A, B, data] = [0, 1, 2, 3].map(index => {
      const [first, last] = [32, 40].map(field => Number(table.readBigUInt64LE(index * 128 + field)));
      return { at: first! * sectorBytes, bytes: (last! + 1 - first!) * sectorBytes };
    }) as [Place, Place, Place, Place];
    return { card, A, B, data };
  } finally {
    await file.close();
  }
}

/** The entries that the header in this sector belongs to; null: a checksum is wrong. */
async function wholeTable(file: FileHandle, headerSector: number): Promise<Buffer | null> {
  const header = Buffer.alloc(sectorBytes);
  await file.read(header, 0, sectorBytes, headerSector * sectorBytes);
  if (header.toString('latin1', 0, 8) !== 'EFI PART') return null;
  const sum = header.readUInt32LE(16);
  header.writeUInt32LE(0, 16);
  if (crc32(header.subarray(0, header.readUInt32LE(12))) !== sum) return null;
  const entries = Buffer.alloc(header.readUInt32LE(80) * header.readUInt32LE(84));
  await file.read(entries, 0, entries.length, Number(header.readBigUInt64LE(72)) * sectorBytes);
  return crc32(entries) === header.readUInt32LE(88) ? entries : null;
}
