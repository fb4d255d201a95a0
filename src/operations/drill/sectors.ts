import { crc32 } from 'node:zlib';

/** The smallest piece that a disk writes whole or not at all. */
export const sectorBytes = 512;

const magic = Buffer.from('GHDRILL1');
const at = { id: 8, cut: 24, number: 28, filler: 36, sum: sectorBytes - 4 } as const;

/** Whose number it is: a sector of another drill or another cut is not taken for one of this. */
export interface SectorOf {
  /** 16 characters. */
  readonly id: string;
  readonly cut: number;
}

/**
 * One number as a sector: magic "GHDRILL1" · id, 16 characters · cut u32 · number u64 · filler that
 * depends on the number · CRC32 of all before it. All big-endian.
 */
export function encodeSector({ id, cut }: SectorOf, number: number): Buffer {
  const sector = Buffer.alloc(sectorBytes);
  magic.copy(sector);
  sector.write(id, at.id, 16, 'latin1');
  sector.writeUInt32BE(cut, at.cut);
  sector.writeBigUInt64BE(BigInt(number), at.number);
  for (let index = at.filler; index < at.sum; index++) sector[index] = (number * 31 + index * 7) & 0xff;
  sector.writeUInt32BE(crc32(sector.subarray(0, at.sum)), at.sum);
  return sector;
}

/** The number of a sector; null: it is torn, was never written, or belongs to another drill. */
export function decodeSector({ id, cut }: SectorOf, sector: Uint8Array): number | null {
  if (sector.length < sectorBytes) return null;
  const bytes = Buffer.from(sector.buffer, sector.byteOffset, sectorBytes);
  if (!bytes.subarray(0, magic.length).equals(magic)) return null;
  if (bytes.readUInt32BE(at.sum) !== crc32(bytes.subarray(0, at.sum))) return null;
  if (bytes.toString('latin1', at.id, at.id + 16) !== id || bytes.readUInt32BE(at.cut) !== cut) return null;
  return Number(bytes.readBigUInt64BE(at.number));
}
