import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { seededRandom } from '../support/clock.ts';
import { type Moment, shuffled } from './moments.ts';
import { type LogEntry, sectorBytes } from './write-log.ts';

const chunkBytes = 64 << 10;

/**
 * Makes of a disk and the log of its writes what a cut of the power leaves: all writes up to the
 * last flush before the moment, and of the later ones what the moment's kind says. It keeps one
 * disk in memory and advances it, so moments come in their order.
 */
export class Cutter {
  readonly #disk: Buffer;
  readonly #entries: readonly LogEntry[];
  /** Flushes that the disk only pretended to do. */
  readonly #lies: ReadonlySet<number>;
  /** Chunks that may hold something: the rest of an image stays a hole. */
  readonly #used: Uint8Array;
  #at = 0;
  /** Writes that no flush confirmed yet. */
  #pending: LogEntry[] = [];

  /**
   * `disk` is what it held before the first request, and is changed. `dropFlushes`: the portion of
   * flushes that are passed over, a control that must lose something.
   */
  constructor(disk: Buffer, entries: readonly LogEntry[], lies: { dropFlushes?: number; seed?: number } = {}) {
    this.#disk = disk;
    this.#entries = entries;
    const random = seededRandom(lies.seed ?? 1);
    this.#lies = new Set(
      entries.flatMap((entry, at) => (entry.isFlush && random() < (lies.dropFlushes ?? 0) ? [at] : [])),
    );
    this.#used = new Uint8Array(Math.ceil(disk.length / chunkBytes));
    const zeros = Buffer.alloc(chunkBytes);
    for (let chunk = 0; chunk < this.#used.length; chunk++) {
      const bytes = disk.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes);
      if (bytes.compare(zeros, 0, bytes.length) !== 0) this.#used[chunk] = 1;
    }
  }

  /** Writes the image of the disk that is left after the cut. */
  cut(moment: Moment, image: string): void {
    this.#advance(moment.entries);
    const undo: { at: number; bytes: Buffer }[] = [];
    for (const write of this.#kept(moment)) {
      const at = write.sector * sectorBytes;
      undo.push({ at, bytes: Buffer.from(this.#disk.subarray(at, at + write.bytes)) });
      this.#apply(write);
    }
    this.#save(image);
    for (const { at, bytes } of undo.reverse()) this.#disk.set(bytes, at);
  }

  #advance(to: number): void {
    if (to < this.#at) throw new Error('moments come in their order');
    for (; this.#at < to && this.#at < this.#entries.length; this.#at++) {
      const entry = this.#entries[this.#at]!;
      if (entry.isFlush && !this.#lies.has(this.#at)) {
        for (const write of this.#pending) this.#apply(write);
        this.#pending = [];
      }
      if (entry.bytes === 0) continue;
      if (entry.isDurable) {
        // What was written to the same place before must not come later.
        for (const write of this.#pending) this.#apply(write);
        this.#pending = [];
        this.#apply(entry);
      } else this.#pending.push(entry);
    }
  }

  #kept({ kind, seed }: Moment): LogEntry[] {
    const random = seededRandom(seed);
    const pending = this.#pending;
    switch (kind) {
      case 'none':
        return [];
      case 'all':
        return pending;
      case 'half':
        return pending.filter(() => random() < 0.5);
      case 'reordered':
        return shuffled(pending, random).slice(0, Math.ceil(random() * pending.length));
      case 'torn':
        return pending.length === 0 ? [] : [...pending.slice(0, -1), torn(pending.at(-1)!, random)];
    }
  }

  #apply({ sector, data, isDiscard, bytes }: LogEntry): void {
    const at = sector * sectorBytes;
    if (isDiscard) this.#disk.fill(0, at, at + bytes);
    else this.#disk.set(data, at);
    for (let chunk = Math.floor(at / chunkBytes); chunk * chunkBytes < at + bytes; chunk++) this.#used[chunk] = 1;
  }

  #save(image: string): void {
    const file = openSync(image, 'w', 0o600);
    ftruncateSync(file, this.#disk.length);
    for (let chunk = 0; chunk < this.#used.length; chunk++) {
      if (!this.#used[chunk]) continue;
      const from = chunk * chunkBytes;
      while (chunk + 1 < this.#used.length && this.#used[chunk + 1]) chunk++;
      const length = Math.min(this.#disk.length, (chunk + 1) * chunkBytes) - from;
      for (let done = 0; done < length; ) done += writeSync(file, this.#disk, from + done, length - done, from + done);
    }
    closeSync(file);
  }
}

/** Some sectors from the beginning or to the end of a write; the rest did not get to the disk. */
function torn(write: LogEntry, random: () => number): LogEntry {
  const sectors = write.bytes / sectorBytes;
  const kept = Math.floor(random() * sectors);
  const first = random() < 0.5 ? 0 : sectors - kept;
  const data = write.data.subarray(first * sectorBytes, (first + kept) * sectorBytes);
  return { ...write, sector: write.sector + first, data, bytes: kept * sectorBytes };
}
