import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { CutDisk } from './cut-disk.ts';
import type { Moment } from './moments.ts';
import { type Lies, PowerCut } from './power-cut.ts';
import type { LogEntry } from './write-log.ts';

const chunkBytes = 64 << 10;

/** Makes images of what cuts of the power leave of a disk that is held in memory. */
export class Cutter {
  readonly #disk: Buffer;
  readonly #power: PowerCut;
  /** Chunks that may hold something: the rest of an image stays a hole. */
  readonly #used: Uint8Array;

  /** `disk` is what it held before the first request, and is changed. */
  constructor(disk: Buffer, entries: readonly LogEntry[], lies: Lies = {}) {
    this.#disk = disk;
    this.#used = new Uint8Array(Math.ceil(disk.length / chunkBytes));
    const zeros = Buffer.alloc(chunkBytes);
    for (let chunk = 0; chunk < this.#used.length; chunk++) {
      const bytes = disk.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes);
      if (bytes.compare(zeros, 0, bytes.length) !== 0) this.#used[chunk] = 1;
    }
    const inMemory: CutDisk = {
      read: (at, bytes) => Buffer.from(disk.subarray(at, at + bytes)),
      write: (at, data) => {
        disk.set(data, at);
        for (let chunk = Math.floor(at / chunkBytes); chunk * chunkBytes < at + data.length; chunk++)
          this.#used[chunk] = 1;
      },
    };
    this.#power = new PowerCut(inMemory, entries, lies);
  }

  /** Writes the image of the disk that is left after the cut. Moments come in their order. */
  cut(moment: Moment, image: string): void {
    using _ = this.#power.leave(moment);
    this.#save(image);
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
