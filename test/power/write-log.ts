import { closeSync, openSync, readFileSync, writeSync, writevSync } from 'node:fs';

/**
 * The log of all that a disk was asked to write, in order, in the format of Linux's dm-log-writes,
 * which QEMU's `blklogwrites` writes too: a superblock of one sector, then for each request a
 * header of one sector and the data. All numbers are little-endian.
 *
 *     superblock   magic u64 · version u64 (1) · entries u64 · sector size u32
 *     header       sector u64 · sectors u64 · flags u64 · bytes of data that are no sectors u64 (0)
 *
 * The count in the superblock is not kept up to date by either: the size of the file tells.
 */
export const sectorBytes = 512;
const magic = 0x6a736677736872n;
const flag = { flush: 1n, fua: 2n, discard: 4n } as const;

/** One request to the disk. Its place in the log is what `Moment.entries` counts. */
export interface LogEntry {
  readonly sector: number;
  /** Empty: a flush. A view of the log. */
  readonly data: Uint8Array;
  /** What was written before it is on disk when it is answered. */
  readonly isFlush: boolean;
  /** Its own data are on disk when it is answered (FUA). */
  readonly isDurable: boolean;
  readonly isDiscard: boolean;
  /** Bytes that a discard makes zero; those of `data` otherwise. */
  readonly bytes: number;
}

/** Appends to a log; makes the file. Synchronous: for the thread that serves the disk. */
export class WriteLogWriter {
  readonly #file: number;
  readonly #header = Buffer.alloc(sectorBytes);

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600);
    const superblock = Buffer.alloc(sectorBytes);
    superblock.writeBigUInt64LE(magic, 0);
    superblock.writeBigUInt64LE(1n, 8);
    superblock.writeUInt32LE(sectorBytes, 24);
    writeSync(this.#file, superblock);
  }

  write(offset: number, data: Uint8Array): void {
    this.#head(offset, data.length, 0n);
    writevSync(this.#file, [this.#header, data]);
  }

  flush(): void {
    this.#head(0, 0, flag.flush);
    writeSync(this.#file, this.#header);
  }

  close(): void {
    closeSync(this.#file);
  }

  #head(offset: number, bytes: number, flags: bigint): void {
    if (offset % sectorBytes !== 0 || bytes % sectorBytes !== 0)
      throw new Error(`a write of ${bytes} bytes at ${offset} is not in whole sectors`);
    this.#header.writeBigUInt64LE(BigInt(offset / sectorBytes), 0);
    this.#header.writeBigUInt64LE(BigInt(bytes / sectorBytes), 8);
    this.#header.writeBigUInt64LE(flags, 16);
  }
}

/**
 * The requests of a log, at most `entriesMax` of them. A last request that is cut off is left out.
 * Throws when the file is no such log.
 */
export function readWriteLog(log: Uint8Array | string, entriesMax = Number.POSITIVE_INFINITY): LogEntry[] {
  const bytes = Buffer.from(typeof log === 'string' ? readFileSync(log) : log);
  if (bytes.length < sectorBytes || bytes.readBigUInt64LE(0) !== magic || bytes.readUInt32LE(24) !== sectorBytes)
    throw new Error('no log of writes with sectors of 512 bytes');
  const entries: LogEntry[] = [];
  for (let at = sectorBytes; at + sectorBytes <= bytes.length && entries.length < entriesMax; ) {
    const head = readHead(bytes.subarray(at, at + sectorBytes));
    const end = at + sectorBytes + head.dataBytes;
    if (end > bytes.length) break;
    entries.push({ ...head, data: bytes.subarray(at + sectorBytes, end) });
    at = end;
  }
  return entries;
}

/** What a header says. `dataBytes` of data follow it. */
export function readHead(header: Buffer): Omit<LogEntry, 'data'> & { readonly dataBytes: number } {
  const flags = header.readBigUInt64LE(16);
  const isDiscard = (flags & flag.discard) !== 0n;
  const bytes = Number(header.readBigUInt64LE(8)) * sectorBytes;
  return {
    sector: Number(header.readBigUInt64LE(0)),
    isFlush: (flags & flag.flush) !== 0n,
    isDurable: (flags & flag.fua) !== 0n,
    isDiscard,
    bytes,
    dataBytes: isDiscard ? 0 : bytes,
  };
}

/** The bytes of a log's beginning that hold this many requests. */
export function bytesOfEntries(entries: readonly LogEntry[], count: number): number {
  let bytes = sectorBytes;
  for (const { data } of entries.slice(0, count)) bytes += sectorBytes + data.length;
  return bytes;
}
