import type { Duplex } from 'node:stream';
import {
  bodyBytesOf,
  bodyStart,
  idBytesOf,
  isPublishBelowQos2,
  PacketCursor,
  pubackBytes,
  readU16,
  topicEnd,
  topicStart,
  writePuback,
} from '../../../mqtt-wire/index.ts';
import { GrowingBuffer } from '../../../runtime/growing-buffer.ts';
import type { Receipt } from '../../pipeline.ts';

/** The two sides of the layer: the gateway, which takes messages, and the broker. */
export interface FramingEnds {
  /**
   * False while everything goes to the broker: before the login is complete, and after the
   * connection has ended.
   */
  isOpen(): boolean;
  /** Whether a message on this topic may be taken. The broker handles all others. */
  mayTake(topic: string): boolean;
  /**
   * Takes one message. Calls its receipt once: null sends the PUBACK, an error ends the connection
   * without one.
   */
  take(topic: string, payload: Buffer, receipt: Receipt): void;
  /** Passes bytes to the broker, which handles every packet that ends in them before it returns. */
  pass(bytes: Buffer): void;
  /** A packet was taken that the broker did not see: restarts its keep-alive timer. */
  onTaken(): void;
  onFailed(error: Error): void;
}

const topicsRemembered = 4;

/**
 * Stands between a socket and the broker and takes PUBLISH packets of QoS 0 and 1 to known topics
 * directly from the bytes. It allocates nothing for a packet but its receipt, and writes the
 * PUBACKs of one commit together. Figures: docs/performance.md.
 *
 * A device must not notice who reads its packets. So everything else reaches the broker unchanged,
 * at once and in order: a packet is taken only after the broker has handled all packets before it,
 * since one of them may have ended the connection. Only a PUBLISH that may still be taken is held
 * back until it is complete; the broker could not handle a part of one either.
 */
export class Framing {
  readonly #stream: Duplex;
  readonly #ends: FramingEnds;
  readonly #read: () => Buffer | null;
  readonly #topics: { readonly bytes: Buffer; readonly text: string }[] = [];
  /**
   * The start of a PUBLISH that is held back, and the packet's length (0: not known yet).
   */
  readonly #held = new GrowingBuffer();
  #wanted = 0;
  /** The broker's packet of which only a part has arrived. */
  readonly #brokers = new PacketCursor();
  /** Packet ids that the next write acknowledges. */
  #acks: number[] = [];
  /** The receipt of QoS 0 messages, which need no acknowledgement. */
  readonly #unasked: Receipt;

  constructor(stream: Duplex, ends: FramingEnds) {
    this.#stream = stream;
    this.#ends = ends;
    this.#unasked = new Unasked(ends);
    const read = stream.read.bind(stream);
    this.#read = read;
    // The broker's own reads return nothing: its bytes are passed to it by then, in their order
    // among the packets that were taken.
    stream.read = (size?: number) => (size === 0 ? read(0) : this.#readOn());
  }

  #readOn(): null {
    const chunk = this.#read();
    if (chunk === null) return null;
    if (this.#wanted > this.#held.length + chunk.length) {
      this.#held.add(chunk);
      return null;
    }
    const bytes = this.#withHeld(chunk);
    /** Bytes between the last packet that was taken and `at` belong to the broker. */
    let passed = 0;
    let at = 0;
    let taken = false;
    while (at < bytes.length) {
      if (this.#brokers.isInside || !isPublishBelowQos2(bytes[at]!)) {
        at = this.#skip(bytes, at);
        continue;
      }
      const body = bodyStart(bytes, at);
      const end = body < 0 ? 0 : body + bodyBytesOf(bytes, at, body);
      if (body < 0 || end > bytes.length) {
        this.#held.add(bytes.subarray(at));
        this.#wanted = body < 0 ? 0 : end - at;
        break;
      }
      const topic = this.#ends.isOpen() ? this.#topicOf(bytes, at, body, end) : null;
      if (topic !== null) {
        this.#pass(bytes, passed, at);
        passed = at;
        if (this.#ends.isOpen()) {
          this.#take(topic, bytes, at, body, end);
          passed = end;
          taken = true;
        }
      }
      at = end;
    }
    this.#pass(bytes, passed, at);
    this.#flush();
    if (taken) this.#ends.onTaken();
    return null;
  }

  #withHeld(chunk: Buffer): Buffer {
    if (this.#held.length === 0) return chunk;
    this.#held.add(chunk);
    this.#wanted = 0;
    return this.#held.take();
  }

  /**
   * The end of the broker's packet that starts or continues at `at`. It may be cut anywhere, also
   * within its length field.
   */
  #skip(bytes: Buffer, at: number): number {
    const body = this.#brokers.bodyLeft > 0 ? at : this.#brokers.readHeader(bytes, at);
    return this.#brokers.skipBody(bytes, body);
  }

  #pass(bytes: Buffer, from: number, to: number): void {
    if (from === to) return;
    this.#flush();
    this.#ends.pass(bytes.subarray(from, to));
  }

  /**
   * The topic of the PUBLISH from `start` to `end` if it may be taken; null: the broker handles it.
   */
  #topicOf(bytes: Buffer, start: number, body: number, end: number): string | null {
    if (end - body < 2) return null;
    const from = topicStart(body);
    const to = topicEnd(bytes, body);
    if (to + idBytesOf(bytes[start]!) > end) return null;
    // Of the id 0, which is none: the broker ends the connection.
    if (idBytesOf(bytes[start]!) > 0 && readU16(bytes, to) === 0) return null;
    for (const known of this.#topics)
      if (known.bytes.length === to - from && bytes.compare(known.bytes, 0, known.bytes.length, from, to) === 0)
        return this.#ends.mayTake(known.text) ? known.text : null;
    const text = bytes.toString('utf8', from, to);
    if (!this.#ends.mayTake(text)) return null;
    if (this.#topics.length === topicsRemembered) this.#topics.shift();
    this.#topics.push({ bytes: Buffer.from(bytes.subarray(from, to)), text });
    return text;
  }

  #take(topic: string, bytes: Buffer, start: number, body: number, end: number): void {
    const behindTopic = topicEnd(bytes, body);
    if (idBytesOf(bytes[start]!) === 0) {
      this.#ends.take(topic, bytes.subarray(behindTopic, end), this.#unasked);
      return;
    }
    const id = readU16(bytes, behindTopic);
    this.#ends.take(topic, bytes.subarray(behindTopic + 2, end), new Unacknowledged(this, id));
  }

  /** Ends the connection without a PUBACK: the message was not stored. */
  onFailed(error: Error): void {
    this.#ends.onFailed(error);
  }

  /** Called for each message of a commit; their PUBACKs are written together. */
  acknowledge(id: number): void {
    this.#acks.push(id);
    if (this.#acks.length === 1) process.nextTick(Framing.#flushOf, this);
  }

  static #flushOf(framing: Framing): void {
    framing.#flush();
  }

  #flush(): void {
    if (this.#acks.length === 0) return;
    const ids = this.#acks;
    this.#acks = [];
    const stream = this.#stream;
    if (stream.destroyed || !stream.writable) return;
    const packets = Buffer.allocUnsafe(ids.length * pubackBytes);
    for (let index = 0; index < ids.length; index++) writePuback(packets, index * pubackBytes, ids[index]!);
    // Like the broker: writes at the end of the turn, or not at all if the connection ends before.
    stream.cork();
    stream.write(packets);
    process.nextTick(uncork, stream);
  }
}

/** A QoS 1 message that is not acknowledged yet. */
class Unacknowledged implements Receipt {
  readonly #layer: Framing;
  readonly #id: number;

  constructor(layer: Framing, id: number) {
    this.#layer = layer;
    this.#id = id;
  }

  onCommitted(error: Error | null): void {
    if (error) this.#layer.onFailed(error);
    else this.#layer.acknowledge(this.#id);
  }
}

class Unasked implements Receipt {
  readonly #ends: FramingEnds;

  constructor(ends: FramingEnds) {
    this.#ends = ends;
  }

  onCommitted(error: Error | null): void {
    if (error) this.#ends.onFailed(error);
  }
}

const uncork = (stream: Duplex): void => stream.uncork();
