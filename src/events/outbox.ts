import { Duplex } from 'node:stream';
import { eventTopics } from '../platform/event-topics.ts';
import { lengthOf, PacketBound } from './packet-length.ts';

/** Of what a program sends: a login with a will, a command, what it says to others. */
const packetBytesMax = 16 << 10;

interface OutboxOptions {
  /** Bytes and packets that wait for a program that does not read. */
  readonly bytesMax: number;
  readonly packetsMax: number;
  /** The oldest packets of QoS 0 were dropped, so many. */
  readonly onDropped: (count: number) => void;
  /** Everything that waited was taken, after some were dropped. */
  readonly onLevel: () => void;
}

/** A packet of the broker, whole. */
interface Waiting {
  readonly bytes: Buffer;
  /** PUBLISH with QoS 0 of what nobody asked for: the program reads it again. */
  readonly isDroppable: boolean;
}

/**
 * Between the broker and the socket of a program. The broker waits for a socket that is full, and
 * with it everybody else: so this takes whatever the broker writes, and keeps what the socket does
 * not take, within a bound. Over it the oldest events of QoS 0 are dropped and counted. Answers are
 * not: a program that waits for the end of a replay would wait for ever. Neither are messages of
 * QoS 1 and 2. If nothing can be dropped, the connection ends.
 */
export class Outbox extends Duplex {
  readonly #socket: Duplex;
  readonly #options: OutboxOptions;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Bytes of a packet that is not whole yet. */
  #part: Buffer = Buffer.alloc(0);
  #isBehind = false;
  readonly #bound = new PacketBound(packetBytesMax);

  constructor(socket: Duplex, options: OutboxOptions) {
    super({ autoDestroy: true, emitClose: true });
    this.#socket = socket;
    this.#options = options;
    socket.on('data', (bytes: Buffer) => {
      if (!this.#bound.takes(bytes)) this.destroy(new Error(`a packet of more than ${packetBytesMax} bytes`));
      else if (!this.push(bytes)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('drain', () => this.#flush());
    socket.on('error', error => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#take([chunk]);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#take(chunks.map(({ chunk }) => chunk));
    done();
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#socket.destroy();
    done(error);
  }

  #take(chunks: readonly Buffer[]): void {
    let bytes = Buffer.concat(this.#part.length === 0 ? chunks : [this.#part, ...chunks]);
    for (let length = lengthOf(bytes); length !== null && length <= bytes.length; length = lengthOf(bytes)) {
      const packet = bytes.subarray(0, length);
      this.#waiting.push({ bytes: packet, isDroppable: isPublishQos0(packet) && !isAnswer(packet) });
      this.#waitingBytes += length;
      bytes = bytes.subarray(length);
    }
    this.#part = bytes;
    this.#flush();
    this.#dropOldest();
  }

  #flush(): void {
    if (this.#waiting.length === 0 || this.#socket.destroyed) return;
    this.#socket.cork();
    let sent = 0;
    while (sent < this.#waiting.length && !this.#socket.writableNeedDrain) {
      const { bytes } = this.#waiting[sent++]!;
      this.#waitingBytes -= bytes.length;
      this.#socket.write(bytes);
    }
    this.#socket.uncork();
    this.#waiting.splice(0, sent);
    if (!this.#isBehind || this.#waiting.length > 0) return;
    this.#isBehind = false;
    this.#options.onLevel();
  }

  /**
   * Down to three quarters of the bound, so that a flood does not look through all for each one.
   */
  #dropOldest(): void {
    const { bytesMax, packetsMax, onDropped } = this.#options;
    const before = this.#waiting.length;
    let packets = before;
    if (this.#waitingBytes <= bytesMax && packets <= packetsMax) return;
    this.#waiting = this.#waiting.filter(({ bytes, isDroppable }) => {
      if (!isDroppable || (this.#waitingBytes <= bytesMax * kept && packets <= packetsMax * kept)) return true;
      this.#waitingBytes -= bytes.length;
      packets--;
      return false;
    });
    this.#isBehind = true;
    onDropped(before - packets);
    if (this.#waitingBytes > bytesMax || packets > packetsMax)
      this.destroy(new Error('it does not read what it subscribed to'));
  }
}

const kept = 3 / 4;
/** MQTT 3.1.1, 2.2: type 3, QoS 0; DUP and RETAIN may be anything. */
const isPublishQos0 = (packet: Buffer): boolean => (packet[0]! & 0xf6) === 0x30;

const answers = Buffer.from(eventTopics.answers(''));

/** MQTT 3.1.1, 2.2.3 and 3.3.2: the topic stands behind the remaining length and two bytes. */
function isAnswer(packet: Buffer): boolean {
  let topicAt = 4;
  while (packet[topicAt - 3]! & 0x80) topicAt++;
  return packet.subarray(topicAt, topicAt + answers.length).equals(answers);
}
