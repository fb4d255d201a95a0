import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type LogEntry, readHead, sectorBytes } from './write-log.ts';

/**
 * A log that is larger than memory, as that of a machine which writes a whole system: the data of a
 * request are read when they are asked for, so it stays open as long as its entries are used.
 */
export class WriteLogFile implements Disposable {
  readonly entries: readonly LogEntry[];
  readonly #file: number;
  /** Where each request ends in the file. */
  readonly #ends: readonly number[];

  /** A last request that is cut off is left out. Throws when the file cannot be read. */
  constructor(path: string) {
    const file = openSync(path, 'r');
    this.#file = file;
    const size = fstatSync(file).size;
    const header = Buffer.alloc(sectorBytes);
    const entries: LogEntry[] = [];
    const ends: number[] = [];
    for (let at = sectorBytes; at + sectorBytes <= size; ) {
      readSync(file, header, 0, sectorBytes, at);
      const head = readHead(header);
      const from = at + sectorBytes;
      at = from + head.dataBytes;
      if (at > size) break;
      entries.push({
        ...head,
        get data() {
          const data = Buffer.alloc(head.dataBytes);
          if (readSync(file, data, 0, data.length, from) < data.length) throw new Error(`${path} has become shorter`);
          return data;
        },
      });
      ends.push(at);
    }
    this.entries = entries;
    this.#ends = ends;
  }

  /** How many requests are complete in so many bytes of the file. */
  entriesWithin(bytes: number): number {
    const after = this.#ends.findIndex(end => end > bytes);
    return after < 0 ? this.#ends.length : after;
  }

  /** How many bytes of the file hold the first `count` requests. */
  bytesOf(count: number): number {
    return this.#ends[count - 1] ?? sectorBytes;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
