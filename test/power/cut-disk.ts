import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/** What a `PowerCut` writes to: the disk that is put together. */
export interface CutDisk {
  /** A copy of what stands there. */
  read(at: number, bytes: number): Uint8Array;
  write(at: number, data: Uint8Array): void;
}

/** A disk in a file: for one that is too large to be held in memory. */
export class FileDisk implements CutDisk, Disposable {
  readonly #file: number;
  readonly bytes: number;

  /** Opens an image that is there, and changes it. */
  constructor(image: string) {
    this.#file = openSync(image, 'r+');
    this.bytes = fstatSync(this.#file).size;
  }

  read(at: number, bytes: number): Buffer {
    const data = Buffer.alloc(bytes);
    for (let done = 0; done < bytes; ) {
      const count = readSync(this.#file, data, done, bytes - done, at + done);
      if (count === 0) throw new Error(`the disk ends before ${at + bytes}`);
      done += count;
    }
    return data;
  }

  write(at: number, data: Uint8Array): void {
    for (let done = 0; done < data.length; ) done += writeSync(this.#file, data, done, data.length - done, at + done);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
