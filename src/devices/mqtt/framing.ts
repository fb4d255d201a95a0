import type { Duplex } from 'node:stream';

/** What becomes of the PUBLISH packets that the tap takes. */
export interface PublishTaker {
  /** False while the tap passes everything on: before the login is through, and after the connection ended. */
  isOpen(): boolean;
  /** Whether a topic is one that the tap may take; asked once for each topic that is seen, the answer is remembered. */
  mayTake(topic: string): boolean;
  /** Takes one message. `settled` is called once: null sends the PUBACK, an error ends the connection without one. */
  take(topic: string, payload: Buffer, settled: (error: Error | null) => void): void;
  /** Something came in: the keep-alive starts anew. */
  heard(): void;
  failed(error: Error): void;
}

const publish = 0x30;
const topicsRemembered = 4;

/**
 * Stands between a socket and the broker and takes the PUBLISH packets of QoS 0 and 1 for known topics straight off the bytes: no object is made
 * for a packet, and the PUBACKs of one commit go out in one write. Every other packet passes through unchanged and in order, and so does a PUBLISH
 * that the broker should refuse. Measured: docs/performance.md.
 */
export class Framing {
  readonly #stream: Duplex;
  readonly #taker: PublishTaker;
  readonly #read: (size?: number) => Buffer | null;
  readonly #topics: { readonly bytes: Buffer; readonly text: string }[] = [];
  /** The beginning of a packet whose end has not come: its parts, their length, and how long it will be (0: not known yet). */
  #parts: Buffer[] = [];
  #partsBytes = 0;
  #wanted = 0;
  #acks: number[] = [];

  constructor(stream: Duplex, taker: PublishTaker) {
    this.#stream = stream;
    this.#taker = taker;
    this.#read = stream.read.bind(stream);
    // Node's own, as in read-gate.ts.
    stream.read = (size?: number) => (size === 0 ? this.#read(0) : this.#pass());
  }

  #pass(): Buffer | null {
    const chunk = this.#read();
    if (chunk === null) return null;
    if (!this.#taker.isOpen()) return this.#withParts(chunk);
    this.#taker.heard();
    if (this.#wanted > this.#partsBytes + chunk.length) {
      this.#keep(chunk);
      return null;
    }
    const bytes = this.#withParts(chunk);
    const passed: Buffer[] = [];
    /** Where the run of bytes that is passed on begins; -1 outside of one. */
    let run = -1;
    let at = 0;
    while (at < bytes.length) {
      const body = bodyAt(bytes, at);
      const end = body.at + body.length;
      if (body.at < 0 || end > bytes.length) {
        this.#wanted = body.at < 0 ? 0 : end - at;
        break;
      }
      if (this.#takes(bytes, at, body.at, end)) {
        if (run >= 0) passed.push(bytes.subarray(run, at));
        run = -1;
      } else if (run < 0) run = at;
      at = end;
    }
    if (run >= 0) passed.push(bytes.subarray(run, at));
    if (at < bytes.length) this.#keep(bytes.subarray(at));
    if (passed.length === 0) return null;
    return passed.length === 1 ? passed[0]! : Buffer.concat(passed);
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    this.#partsBytes += part.length;
  }

  #withParts(chunk: Buffer): Buffer {
    if (this.#partsBytes === 0) return chunk;
    this.#parts.push(chunk);
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partsBytes = 0;
    this.#wanted = 0;
    return bytes;
  }

  /** Takes the packet that stands at `start`, or answers false: the broker shall have it. */
  #takes(bytes: Buffer, start: number, body: number, end: number): boolean {
    const head = bytes[start]!;
    if ((head & 0xf0) !== publish) return false;
    const qos = (head >> 1) & 3;
    if (qos > 1 || end - body < 2) return false;
    const topicEnd = body + 2 + ((bytes[body]! << 8) | bytes[body + 1]!);
    const payload = topicEnd + (qos === 1 ? 2 : 0);
    if (payload > end) return false;
    const topic = this.#topicOf(bytes, body + 2, topicEnd);
    if (topic === null) return false;
    if (qos === 0) {
      this.#taker.take(topic, bytes.subarray(payload, end), error => {
        if (error) this.#taker.failed(error);
      });
      return true;
    }
    const id = (bytes[topicEnd]! << 8) | bytes[topicEnd + 1]!;
    if (id === 0) return false;
    this.#taker.take(topic, bytes.subarray(payload, end), error => {
      if (error) this.#taker.failed(error);
      else this.#acknowledge(id);
    });
    return true;
  }

  #topicOf(bytes: Buffer, start: number, end: number): string | null {
    for (const known of this.#topics)
      if (known.bytes.length === end - start && bytes.compare(known.bytes, 0, known.bytes.length, start, end) === 0)
        return known.text;
    const text = bytes.toString('utf8', start, end);
    if (!this.#taker.mayTake(text)) return null;
    if (this.#topics.length === topicsRemembered) this.#topics.shift();
    this.#topics.push({ bytes: Buffer.from(bytes.subarray(start, end)), text });
    return text;
  }

  /** The acknowledgements of one commit are called one after the other: they go out together. */
  #acknowledge(id: number): void {
    this.#acks.push(id);
    if (this.#acks.length === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const ids = this.#acks;
    this.#acks = [];
    if (this.#stream.destroyed || !this.#stream.writable) return;
    const packets = Buffer.allocUnsafe(ids.length * 4);
    for (let index = 0; index < ids.length; index++) packets.writeUInt32BE(0x40020000 | ids[index]!, index * 4);
    this.#stream.write(packets);
  }
}

/** Where the body of the packet at `start` begins and how long it is; -1 when its header is not all there. */
function bodyAt(bytes: Buffer, start: number): { at: number; length: number } {
  let length = 0;
  let factor = 1;
  for (let at = start + 1; at < bytes.length && at <= start + 4; at++) {
    const byte = bytes[at]!;
    length += (byte & 0x7f) * factor;
    if (byte < 0x80) return { at: at + 1, length };
    factor *= 128;
  }
  return { at: -1, length: 0 };
}
