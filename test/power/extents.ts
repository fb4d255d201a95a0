import { sh } from './sh.ts';

/** Of a disk, in sectors of 512 bytes. */
export interface SectorRange {
  readonly fromSector: number;
  /** Exclusive. */
  readonly toSector: number;
}

/** A part of a file that lies together. */
export interface Extent extends SectorRange {
  /** Where it begins in the file. */
  readonly offset: number;
}

/**
 * Where a file lies on the disk that its file system is on, in the order of the file; without its
 * holes. Throws CommandFailed.
 */
export async function extentsOf(file: string): Promise<Extent[]> {
  const said = await sh('filefrag', '-s', '-e', '-b512', file);
  return [...said.matchAll(/^\s*\d+:\s+(\d+)\.\.\s*\d+:\s+(\d+)\.\.\s*(\d+):/gm)].map(([, logical, first, last]) => ({
    offset: Number(logical) * 512,
    fromSector: Number(first),
    toSector: Number(last) + 1,
  }));
}

/** Where a part of a file lies that is in one extent. Throws Error if it is in none. */
export function sectorsOf(
  extents: readonly Extent[],
  { offset, bytes }: { offset: number; bytes: number },
): SectorRange {
  for (const extent of extents) {
    const first = extent.fromSector + (offset - extent.offset) / 512;
    if (first >= extent.fromSector && first < extent.toSector)
      return { fromSector: first, toSector: first + bytes / 512 };
  }
  throw new Error(`nothing of the file lies at ${offset}: it has ${JSON.stringify(extents)}`);
}
