/**
 * The part of Linux's FUSE protocol (7.31) that serves a folder with one file, `disk`, of a fixed
 * size. A request is 40 bytes of head (length u32, opcode u32, number u64, node u64, …) and a body;
 * an answer is 16 bytes (length u32, negative errno i32, number u64) and a body. Little-endian, as
 * the machine.
 */
export const opcode = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  open: 14,
  read: 15,
  write: 16,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  opendir: 27,
  releasedir: 29,
  interrupt: 36,
  batchForget: 42,
} as const;

export const errno = { EIO: 5, ENOSPC: 28, ENOENT: 2, ENOSYS: 38 } as const;

export const headBytes = 40;
/** Of one write or read. */
export const dataBytesMax = 1 << 20;
export const requestBytesMax = dataBytesMax + (64 << 10);

const rootNode = 1n;
export const diskNode = 2n;
const answerHeadBytes = 16;
const attributesForSeconds = 3600n;

/** Answers with an error, or with a body. One buffer is used for all. */
export class FuseAnswers {
  readonly #buffer = Buffer.alloc(answerHeadBytes + dataBytesMax);
  readonly #diskBytes: number;

  constructor(diskBytes: number) {
    this.#diskBytes = diskBytes;
  }

  error(unique: bigint, code: number): Buffer {
    return this.#answer(unique, 0, -code);
  }

  empty(unique: bigint): Buffer {
    return this.#answer(unique, 0);
  }

  init(unique: bigint): Buffer {
    const body = this.#clear(64);
    body.writeUInt32LE(7, 0);
    body.writeUInt32LE(31, 4);
    body.writeUInt32LE(1 << 20, 8); // max_readahead
    body.writeUInt32LE(0x400021, 12); // reads at the same time, writes over a page, max_pages
    body.writeUInt16LE(64, 16);
    body.writeUInt16LE(48, 18);
    body.writeUInt32LE(dataBytesMax, 20);
    body.writeUInt32LE(1, 24);
    body.writeUInt16LE(256, 28); // max_pages
    return this.#answer(unique, 64);
  }

  entry(unique: bigint): Buffer {
    const body = this.#clear(128);
    body.writeBigUInt64LE(diskNode, 0);
    body.writeBigUInt64LE(attributesForSeconds, 16);
    body.writeBigUInt64LE(attributesForSeconds, 24);
    this.#attributes(body.subarray(40), diskNode);
    return this.#answer(unique, 128);
  }

  attributes(unique: bigint, node: bigint): Buffer {
    const body = this.#clear(104);
    body.writeBigUInt64LE(attributesForSeconds, 0);
    this.#attributes(body.subarray(16), node);
    return this.#answer(unique, 104);
  }

  /** With direct I/O: the page cache of the host does not stand between. */
  opened(unique: bigint): Buffer {
    this.#clear(16).writeUInt32LE(1, 8);
    return this.#answer(unique, 16);
  }

  written(unique: bigint, bytes: number): Buffer {
    this.#clear(8).writeUInt32LE(bytes, 0);
    return this.#answer(unique, 8);
  }

  /** `fill` puts up to `bytes` bytes into its argument and returns how many. */
  data(unique: bigint, bytes: number, fill: (into: Buffer) => number): Buffer {
    return this.#answer(unique, fill(this.#buffer.subarray(answerHeadBytes, answerHeadBytes + bytes)));
  }

  #clear(bytes: number): Buffer {
    return this.#buffer.subarray(answerHeadBytes, answerHeadBytes + bytes).fill(0);
  }

  #answer(unique: bigint, bodyBytes: number, error = 0): Buffer {
    this.#buffer.writeUInt32LE(answerHeadBytes + bodyBytes, 0);
    this.#buffer.writeInt32LE(error, 4);
    this.#buffer.writeBigUInt64LE(unique, 8);
    return this.#buffer.subarray(0, answerHeadBytes + bodyBytes);
  }

  #attributes(into: Buffer, node: bigint): void {
    const isRoot = node === rootNode;
    into.writeBigUInt64LE(node, 0);
    into.writeBigUInt64LE(BigInt(isRoot ? 0 : this.#diskBytes), 8);
    into.writeBigUInt64LE(BigInt(isRoot ? 0 : this.#diskBytes / 512), 16);
    into.writeUInt32LE(isRoot ? 0o40755 : 0o100600, 60);
    into.writeUInt32LE(isRoot ? 2 : 1, 64);
    into.writeUInt32LE(4096, 80);
  }
}
