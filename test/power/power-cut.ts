import { seededRandom } from '../support/clock.ts';
import type { CutDisk } from './cut-disk.ts';
import { type Moment, shuffled } from './moments.ts';
import { type LogEntry, sectorBytes } from './write-log.ts';

/** What a disk only pretends: it answers these flushes and durable writes without doing them. */
export interface Lies {
  /** The portion of flushes, 0 to 1. */
  readonly dropFlushes?: number;
  readonly seed?: number;
  /** The request from which on it does so; 0 where it is left out. */
  readonly from?: number;
}

/**
 * Makes of a disk and the log of its writes what a cut of the power leaves: all writes up to the
 * last flush before the moment, and of the later ones what the moment's kind says. It advances the
 * disk, so moments come in their order.
 */
export class PowerCut {
  readonly #disk: CutDisk;
  readonly #entries: readonly LogEntry[];
  readonly #lies: ReadonlySet<number>;
  #at = 0;
  /** Writes that no flush confirmed yet. */
  #pending: LogEntry[] = [];

  /** `disk` is what it held before the first request, and is changed. */
  constructor(disk: CutDisk, entries: readonly LogEntry[], { dropFlushes = 0, seed = 1, from = 0 }: Lies = {}) {
    this.#disk = disk;
    this.#entries = entries;
    const random = seededRandom(seed);
    this.#lies = new Set(
      entries.flatMap((entry, at) =>
        (entry.isFlush || entry.isDurable) && at >= from && random() < dropFlushes ? [at] : [],
      ),
    );
  }

  /** Leaves on the disk what the cut leaves. What it returns takes that back, for the next moment. */
  leave(moment: Pick<Moment, 'entries' | 'kind' | 'seed'>): Disposable {
    this.#advance(moment.entries);
    const undo: { at: number; bytes: Uint8Array }[] = [];
    for (const write of this.#kept(moment)) {
      const at = write.sector * sectorBytes;
      undo.push({ at, bytes: this.#disk.read(at, write.bytes) });
      this.#apply(write);
    }
    return {
      [Symbol.dispose]: () => {
        for (const { at, bytes } of undo.reverse()) this.#disk.write(at, bytes);
      },
    };
  }

  #advance(to: number): void {
    if (to < this.#at) throw new Error('moments come in their order');
    for (; this.#at < to && this.#at < this.#entries.length; this.#at++) {
      const entry = this.#entries[this.#at]!;
      const lies = this.#lies.has(this.#at);
      if (entry.isFlush && !lies) this.#settle(() => true);
      if (entry.bytes === 0) continue;
      if (entry.isDurable && !lies) {
        // What was written to the same place before must not come later.
        this.#settle(write => isSamePlace(write, entry));
        this.#apply(entry);
      } else this.#pending.push(entry);
    }
  }

  #settle(which: (write: LogEntry) => boolean): void {
    for (const write of this.#pending.filter(which)) this.#apply(write);
    this.#pending = this.#pending.filter(write => !which(write));
  }

  #kept({ kind, seed }: Pick<Moment, 'kind' | 'seed'>): LogEntry[] {
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
    this.#disk.write(sector * sectorBytes, isDiscard ? new Uint8Array(bytes) : data);
  }
}

const isSamePlace = (one: LogEntry, other: LogEntry): boolean =>
  one.sector * sectorBytes < other.sector * sectorBytes + other.bytes &&
  other.sector * sectorBytes < one.sector * sectorBytes + one.bytes;

/** Some sectors from the beginning or to the end of a write; the rest did not get to the disk. */
function torn(write: LogEntry, random: () => number): LogEntry {
  const sectors = write.bytes / sectorBytes;
  const kept = Math.floor(random() * sectors);
  const first = random() < 0.5 ? 0 : sectors - kept;
  const data = write.data.subarray(first * sectorBytes, (first + kept) * sectorBytes);
  return { ...write, sector: write.sector + first, data, bytes: kept * sectorBytes };
}
