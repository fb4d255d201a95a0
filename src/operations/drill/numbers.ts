import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CutFound } from '../../platform/drill.ts';
import { decodeSector, encodeSector, type SectorOf, sectorBytes } from './sectors.ts';

/**
 * The numbers of one cut in two files. In `numbers` each has a sector of its own, one behind the
 * other, so that a gap shows. In `places` eight sectors, far from each other, are overwritten in
 * turn: a card with a cache may keep what is appended and lose what is overwritten.
 */
const files = { numbers: 'numbers', places: 'places' } as const;
const places = 8;
const placeEveryBytes = 512 << 10;
/** 16 MiB: a quarter of an hour at the pace of the drill. */
export const numbersMax = 32_768;

/** Writes numbers, each on the disk when `write` has returned. Throws the error of the disk. */
export class NumbersWriter implements AsyncDisposable {
  readonly #of: SectorOf;
  readonly #numbers: FileHandle;
  readonly #places: FileHandle;
  #last: number;

  private constructor(of: SectorOf, numbers: FileHandle, placed: FileHandle, last: number) {
    this.#of = of;
    this.#numbers = numbers;
    this.#places = placed;
    this.#last = last;
  }

  /** Goes on behind the last number that can be read, if the process alone was restarted. */
  static async open(folder: string, of: SectorOf): Promise<NumbersWriter> {
    await mkdir(folder, { recursive: true });
    const { found } = await examine(folder, of, 0);
    const numbers = await open(join(folder, files.numbers), found === 0 ? 'w' : 'r+', 0o600);
    const placed = await open(join(folder, files.places), found === 0 ? 'w' : 'r+', 0o600);
    if (found === 0) {
      await placed.write(Buffer.alloc(places * placeEveryBytes), 0, undefined, 0);
      await placed.sync();
      await numbers.sync();
      // The names are on the disk only when their folders are.
      for (const one of [folder, dirname(folder)]) await syncFolder(one);
    }
    return new NumbersWriter(of, numbers, placed, found);
  }

  get last(): number {
    return this.#last;
  }

  /** The next number; resolves when the disk has said that it is written. */
  async write(): Promise<number> {
    const number = this.#last + 1;
    const sector = encodeSector(this.#of, number);
    await this.#numbers.write(sector, 0, sectorBytes, (number - 1) * sectorBytes);
    await this.#places.write(sector, 0, sectorBytes, placeOf(number));
    await this.#numbers.datasync();
    await this.#places.datasync();
    this.#last = number;
    return number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#numbers.close();
    await this.#places.close();
  }
}

/**
 * Numbers on the disk up to `seen`, the last one that was shown. A number that can be read proves
 * the sync of the one before it, so every number below it must be there too.
 */
export async function examine(folder: string, of: SectorOf, seen: number): Promise<Omit<CutFound, 'cut'>> {
  const numbers = await readIfThere(join(folder, files.numbers));
  const held = new Set<number>();
  for (let index = 0; index * sectorBytes < numbers.length && index < numbersMax; index++)
    if (decodeSector(of, numbers.subarray(index * sectorBytes, (index + 1) * sectorBytes)) === index + 1)
      held.add(index + 1);
  const found = Math.max(0, ...held);
  const required = Math.max(seen, found - 1);
  const missing = new Set<number>();
  for (let number = 1; number <= required; number++) if (!held.has(number)) missing.add(number);
  const placed = await readIfThere(join(folder, files.places));
  // The place of the number that was being written when the power went may hold anything.
  const beingWritten = placeOf(required + 1);
  for (let number = Math.max(1, required - places + 1); number <= required; number++) {
    const place = placeOf(number);
    const there = decodeSector(of, placed.subarray(place, place + sectorBytes)) ?? 0;
    if (there < number && place !== beingWritten) missing.add(number);
  }
  return { seen, found, missing: missing.size, firstMissing: missing.size === 0 ? null : Math.min(...missing) };
}

/** Of a drill that is over: its numbers and what was measured. */
export const removeNumbers = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

const placeOf = (number: number): number => (number % places) * placeEveryBytes;

async function readIfThere(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
