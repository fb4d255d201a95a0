import type { Channel, DeviceNo, IncomingRecord, JournalRecord, RecordMarks, Seq } from '../port/journal.ts';

/**
 * The records of one segment, packed. All numbers are big-endian; record n has seq `first_seq + n`.
 *
 *     version   u8    1
 *     then for each record:
 *     length    u32   of all that follows in this record
 *     device    u32   device number
 *     marks     u8    bit 0 log, 1 truncated, 2 repaired, 3 malformed, 4 invalid, 5 local, 6 clamped,
 *                     7 code
 *     received  u48   milliseconds since 1970
 *     path      u8    length of the log path (0 on channel `device`), then the path in UTF-8; with bit 7
 *                     4, then the code of the message's action as u32
 *     payload         the rest
 */
export const packedVersion = 1;
const headBytes = 4 + 4 + 1 + 6 + 1;
const pathBytesMax = 255;

/** The `channels` column: which channels a segment holds records of. */
export const channelBits = { device: 1, log: 2 } as const satisfies Record<Channel, number>;

const bits = {
  ...{ log: 1, truncated: 2, repaired: 4, malformed: 8, invalid: 16, local: 32, clamped: 64 },
  code: 128,
} as const;
const codeBytes = 4;

const marksOf = (record: IncomingRecord): number =>
  (record.channel === 'log' ? bits.log : 0) |
  (record.marks.truncated ? bits.truncated : 0) |
  (record.marks.repaired ? bits.repaired : 0) |
  (record.marks.malformed ? bits.malformed : 0) |
  (record.marks.invalid ? bits.invalid : 0) |
  (record.marks.local ? bits.local : 0) |
  (record.marks.clamped ? bits.clamped : 0);

const noMarks: RecordMarks = {};

const readMarks = (byte: number): RecordMarks =>
  (byte & ~(bits.log | bits.code)) === 0
    ? noMarks
    : {
        truncated: (byte & bits.truncated) !== 0,
        repaired: (byte & bits.repaired) !== 0,
        malformed: (byte & bits.malformed) !== 0,
        invalid: (byte & bits.invalid) !== 0,
        local: (byte & bits.local) !== 0,
        clamped: (byte & bits.clamped) !== 0,
      };

/** Whether a record is to be forwarded. */
const forwardable = (marks: number): boolean => (marks & bits.local) === 0;

/** Packs records one behind the other into a buffer that grows as it must; `bytes` says how far. */
export class SegmentPacker {
  #buffer: Buffer;
  #used = 1;
  count = 0;
  #pathText = '';
  #pathBytes: Uint8Array = new Uint8Array(0);
  #code = 0;
  readonly #codeBytes = Buffer.alloc(codeBytes);

  constructor(memory = new SharedArrayBuffer(16 * 1024)) {
    this.#buffer = Buffer.from(memory);
    this.#buffer[0] = packedVersion;
  }

  get bytes(): number {
    return this.#used;
  }

  add(record: IncomingRecord): void {
    const path = record.logPath === '' ? this.#encodeCode(record.code) : this.#encodePath(record.logPath);
    const size = headBytes + path.length + record.payload.length;
    if (this.#used + size > this.#buffer.length) this.#grow(size);
    const buffer = this.#buffer;
    let at = this.#used;
    at = buffer.writeUInt32BE(size - 4, at);
    at = buffer.writeUInt32BE(record.deviceNo, at);
    buffer[at++] = marksOf(record) | (path === this.#codeBytes ? bits.code : 0);
    at = buffer.writeUIntBE(record.receivedAt, at, 6);
    buffer[at++] = path.length;
    buffer.set(path, at);
    buffer.set(record.payload, at + path.length);
    this.#used += size;
    this.count++;
  }

  /** Puts records that are packed already behind those that it has. */
  addPacked(packed: Buffer, count: number): void {
    const size = packed.length - 1;
    if (this.#used + size > this.#buffer.length) this.#grow(size);
    this.#buffer.set(packed.subarray(1), this.#used);
    this.#used += size;
    this.count += count;
  }

  /** A view of what it has packed, valid until the next record. */
  get packed(): Buffer {
    return this.#buffer.subarray(0, this.#used);
  }

  /** Gives the memory away; the packer may not be used any more. */
  take(): { memory: SharedArrayBuffer; length: number; count: number } {
    return { memory: this.#buffer.buffer as SharedArrayBuffer, length: this.#used, count: this.count };
  }

  /** Encoded once while the path stays the same: a device writes the same one over and over. */
  #encodePath(path: string): Uint8Array {
    if (path !== this.#pathText) {
      this.#pathText = path;
      const bytes = Buffer.from(path);
      this.#pathBytes = bytes.length > pathBytesMax ? bytes.subarray(0, pathBytesMax) : bytes;
    }
    return this.#pathBytes;
  }

  /** Of the same kind of message one behind the other too. */
  #encodeCode(code: number | undefined): Uint8Array {
    if (code === undefined) return empty;
    if (code !== this.#code) {
      this.#code = code;
      this.#codeBytes.writeUInt32BE(code);
    }
    return this.#codeBytes;
  }

  #grow(size: number): void {
    let length = this.#buffer.length * 2;
    while (length < this.#used + size) length *= 2;
    const larger = Buffer.from(new SharedArrayBuffer(length));
    this.#buffer.copy(larger, 0, 0, this.#used);
    this.#buffer = larger;
  }
}

const empty = new Uint8Array(0);

export interface SegmentSummary {
  readonly receivedFrom: number;
  readonly receivedTo: number;
  /** See `channelBits`. */
  readonly channels: number;
  /**
   * How many messages and logs of each device are to be forwarded; a device with none is listed
   * with 0.
   */
  readonly forwardable: Readonly<Record<Channel, Map<DeviceNo, number>>>;
  /** Bytes of payload, without the headers of the records. */
  readonly payloadBytes: number;
}

/** The columns of a segment's row that describe its records, so that it need not be opened. */
export function summarize(packed: Buffer): SegmentSummary {
  let receivedFrom = Number.POSITIVE_INFINITY;
  let receivedTo = 0;
  let channels = 0;
  let payloadBytes = 0;
  const messages = new Map<DeviceNo, number>();
  const logs = new Map<DeviceNo, number>();
  for (let at = 1; at < packed.length; ) {
    const device = packed.readUInt32BE(at + 4) as DeviceNo;
    const marks = packed[at + 8]!;
    const received = packed.readUIntBE(at + 9, 6);
    if (received < receivedFrom) receivedFrom = received;
    if (received > receivedTo) receivedTo = received;
    const isLog = (marks & bits.log) !== 0;
    channels |= isLog ? channelBits.log : channelBits.device;
    const counts = isLog ? logs : messages;
    counts.set(device, (counts.get(device) ?? 0) + (forwardable(marks) ? 1 : 0));
    const length = 4 + packed.readUInt32BE(at);
    payloadBytes += length - headBytes - packed[at + 15]!;
    at += length;
  }
  return { receivedFrom, receivedTo, channels, forwardable: { device: messages, log: logs }, payloadBytes };
}

/** Whether every record ends within the bytes, and the last one at their end. */
export function checkPacked(packed: Buffer): boolean {
  let at = 1;
  while (at + headBytes <= packed.length) {
    const end = at + 4 + packed.readUInt32BE(at);
    if (at + headBytes + packed[at + 15]! > end) return false;
    at = end;
  }
  return at === packed.length;
}

/**
 * Passes each record to `take`, with its payload as a view into `packed`. With `asked`, no object
 * is made for the other records; it is told where in `packed` a record begins and ends. The caller
 * has the bytes from `openSegment`, which checks them.
 */
export function unpack(
  packed: Buffer,
  firstSeq: number,
  take: (record: JournalRecord) => void,
  asked?: (deviceNo: DeviceNo, seq: number, channel: Channel, from: number, to: number) => boolean,
): void {
  let seq = firstSeq;
  for (let at = 1; at < packed.length; seq++) {
    const end = at + 4 + packed.readUInt32BE(at);
    const marks = packed[at + 8]!;
    const pathLength = packed[at + 15]!;
    const path = at + headBytes;
    const deviceNo = packed.readUInt32BE(at + 4) as DeviceNo;
    const channel = marks & bits.log ? 'log' : 'device';
    if (asked && !asked(deviceNo, seq, channel, at, end)) {
      at = end;
      continue;
    }
    const hasCode = (marks & bits.code) !== 0 && pathLength === codeBytes;
    take({
      seq: seq as Seq,
      deviceNo,
      channel,
      receivedAt: packed.readUIntBE(at + 9, 6),
      logPath: pathLength === 0 || hasCode ? '' : packed.toString('utf8', path, path + pathLength),
      marks: readMarks(marks),
      code: hasCode ? packed.readUInt32BE(path) : undefined,
      payload: packed.subarray(path + pathLength, end),
    });
    at = end;
  }
}

/**
 * The same records with other payloads: where `payloadOf` returns null, a record stays byte for
 * byte. Numbers, marks and order do not change.
 */
export function withPayloads(
  packed: Buffer,
  firstSeq: number,
  payloadOf: (record: JournalRecord) => Uint8Array | null,
): Buffer {
  const pieces: Uint8Array[] = [packed.subarray(0, 1)];
  let from = 1;
  unpack(packed, firstSeq, record => {
    const start = record.payload.byteOffset - packed.byteOffset;
    const end = start + record.payload.length;
    const payload = payloadOf(record);
    if (payload) {
      const head = Buffer.from(packed.subarray(from, start));
      head.writeUInt32BE(head.length - 4 + payload.length);
      pieces.push(head, payload);
    } else pieces.push(packed.subarray(from, end));
    from = end;
  });
  return Buffer.concat(pieces);
}

export const segmentPlace = (firstSeq: number): string => `segment:${firstSeq}`;
