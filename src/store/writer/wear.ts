import { readFileSync } from 'node:fs';
import type { UnixMs } from '../../runtime/clock.ts';

/** Counters of the writer thread since its start; only what was committed. */
export interface WriteCounts {
  readonly records: number;
  /** Payload bytes from devices, without the headers of the records. */
  readonly payloadBytes: number;
  /**
   * Synced commits. Checkpoints, one for each 4 MB, sync once or twice more and are not counted.
   */
  readonly syncs: number;
}

export const nothingWritten: WriteCounts = { records: 0, payloadBytes: 0, syncs: 0 };

/**
 * How much the store writes to its disk, because an SD card can be written only so often. Since
 * `since`, unless said otherwise.
 */
export interface Wear extends WriteCounts {
  readonly since: UnixMs;
  /**
   * Bytes that this process wrote to block devices; the file system's metadata and the card's
   * internal copies come on top. Null: not known.
   */
  readonly writtenBytes: number | null;
  /** Over the last hour. */
  readonly syncsPerSecond: number;
  /** At the rate of the last 24 hours; null before there was an hour of them. */
  readonly bytesPerDay: number | null;
}

/**
 * Bytes that this process has written to block devices so far; null where the system does not say.
 */
export type WrittenBytes = () => number | null;

/**
 * From Linux's accounting of the process. What was deleted before it reached the disk does not
 * count.
 */
export const processWrittenBytes: WrittenBytes = () => {
  try {
    const text = readFileSync('/proc/self/io', 'latin1');
    const figure = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    const written = figure('write_bytes') - figure('cancelled_write_bytes');
    return Number.isFinite(written) ? Math.max(0, written) : null;
  } catch {
    return null;
  }
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A day of samples is kept: 145 of them. */
const sampleMs = 600_000;

interface Sample {
  /** Monotonic. */
  readonly at: number;
  readonly bytes: number | null;
  readonly syncs: number;
}

/**
 * Keeps how much was written in steps of ten minutes. It needs no timer: a running box commits at
 * least that often and calls `note`.
 */
export class WearMeter {
  readonly #writtenBytes: WrittenBytes;
  readonly #since: UnixMs;
  readonly #first: Sample;
  #samples: Sample[];

  constructor(writtenBytes: WrittenBytes, since: UnixMs, monotonic: number) {
    this.#writtenBytes = writtenBytes;
    this.#since = since;
    this.#first = this.#sample(nothingWritten, monotonic);
    this.#samples = [this.#first];
  }

  /** Called often; reads the system's accounting once in ten minutes. */
  note(counts: WriteCounts, monotonic: number): void {
    if (monotonic - this.#samples.at(-1)!.at < sampleMs) return;
    this.#samples.push(this.#sample(counts, monotonic));
    // The one before the last 24 hours stays: they begin there.
    while (this.#samples.length > 2 && this.#samples[1]!.at <= monotonic - dayMs) this.#samples.shift();
  }

  report(counts: WriteCounts, monotonic: number): Wear {
    const now = this.#sample(counts, monotonic);
    const day = this.#samples[0]!;
    const hour = this.#samples.findLast(sample => sample.at <= monotonic - hourMs) ?? day;
    const dayElapsed = now.at - day.at;
    return {
      ...counts,
      since: this.#since,
      writtenBytes: between(this.#first, now),
      syncsPerSecond: (now.syncs - hour.syncs) / Math.max(1, (now.at - hour.at) / 1000),
      bytesPerDay: dayElapsed < hourMs ? null : perDay(between(day, now), dayElapsed),
    };
  }

  #sample({ syncs }: WriteCounts, at: number): Sample {
    return { at, bytes: this.#writtenBytes(), syncs };
  }
}

const between = (from: Sample, to: Sample): number | null =>
  from.bytes === null || to.bytes === null ? null : Math.max(0, to.bytes - from.bytes);

const perDay = (bytes: number | null, elapsedMs: number): number | null =>
  bytes === null ? null : (bytes / elapsedMs) * dayMs;
