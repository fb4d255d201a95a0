import type { Duplex } from 'node:stream';
import { interceptReads, libraryId, readOn } from './mqtt-internals.ts';
import { PubackFilter } from './puback-filter.ts';
import { frameBytes, writeFrame } from './publish-frames.ts';
import type { Result, Sending } from './transport.ts';

/**
 * So much may wait in the socket: enough for a far line, little enough for a slow one with large
 * records.
 */
const socketBytesMax = 1 << 20;
/** At most about so much goes into one write; one larger packet still goes alone. */
const writeBytesMax = 256 * 1024;
/** Those of the library are below. */
const firstId = libraryId + 15;
/** Small for any network, and enough for a hundred answers of a cloud nearby. */
const waitMs = 1;
const confirmed: Result = { kind: 'confirmed' };

/**
 * Publishes records over an MQTT connection that a client library has opened and keeps, beside that
 * library: the packets of one turn of the event loop go out in one write, and their PUBACKs never
 * reach the library. The library must publish nothing with QoS 1 itself, and use no packet id but
 * `libraryId`.
 */
export class Publisher {
  readonly #stream: Duplex;
  readonly #onHeard: () => void;
  readonly #later: (ms: number, act: () => void) => void;
  readonly #window: number;
  /** By packet id, counted from the first of ours. */
  readonly #inFlight: (Sending | null)[];
  /**
   * Ids that are free, in a ring: the one that was free longest is taken first, so that a PUBACK
   * that comes twice meets nobody.
   */
  readonly #free: Uint16Array;
  #freeAt = 0;
  #freeCount: number;
  /** Records that are not written yet, with their ids. */
  #records: Sending[] = [];
  #ids: number[] = [];
  #written = 0;
  #scheduled = false;
  #waitsForDrain = false;
  /** Ids that came back, all in all. */
  #freed = 0;

  /**
   * `window`: how many records may be in flight at most. `onHeard`: PUBACKs came, so the other end
   * lives. `later`: a timer. Call it before the first bytes come.
   */
  constructor(
    stream: Duplex,
    options: {
      readonly window: number;
      readonly onHeard: () => void;
      readonly later: (ms: number, act: () => void) => void;
    },
  ) {
    const { window, onHeard, later } = options;
    this.#stream = stream;
    this.#window = window;
    this.#onHeard = onHeard;
    this.#later = later;
    this.#inFlight = new Array<Sending | null>(window).fill(null);
    this.#free = Uint16Array.from({ length: window }, (_, index) => index);
    this.#freeCount = window;
    const filter = new PubackFilter(id => this.#acknowledged(id));
    interceptReads(stream, chunk => {
      const freeBefore = this.#freed;
      const passed = this.#filtered(filter, chunk);
      if (passed.length > 0 || !this.#mayWait(this.#freed - freeBefore)) return passed;
      this.#later(waitMs, () => readOn(stream));
      return null;
    });
  }

  /**
   * A cloud that answers one by one would wake the box for each: while most are in flight, the
   * answers of a moment are read together.
   */
  #mayWait(answers: number): boolean {
    const inFlight = this.#window - this.#freeCount;
    return answers < this.#window / 16 && inFlight > this.#window / 2;
  }

  /**
   * At most `window` at once. Each is answered when its PUBACK comes, and never when the connection
   * breaks first.
   */
  send(sending: Sending): void {
    if (this.#freeCount === 0) throw new Error('more records in flight than the window holds');
    const index = this.#free[this.#freeAt]!;
    this.#freeAt = (this.#freeAt + 1) % this.#free.length;
    this.#freeCount--;
    this.#inFlight[index] = sending;
    this.#records.push(sending);
    this.#ids.push(index + firstId);
    this.#schedule();
  }

  #filtered(filter: PubackFilter, chunk: Buffer): Buffer {
    const freeBefore = this.#freed;
    const passed = filter.pass(chunk);
    if (this.#freed !== freeBefore) this.#onHeard();
    return passed;
  }

  #acknowledged(id: number): void {
    const index = id - firstId;
    const sending = this.#inFlight[index];
    if (!sending) return;
    this.#inFlight[index] = null;
    this.#free[(this.#freeAt + this.#freeCount) % this.#free.length] = index;
    this.#freeCount++;
    this.#freed++;
    sending.onAnswer(confirmed);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#write();
    });
  }

  #write(): void {
    const stream = this.#stream;
    if (stream.destroyed || !stream.writable) return;
    while (this.#written < this.#records.length && stream.writableLength < socketBytesMax) stream.write(this.#packed());
    if (this.#written === this.#records.length) {
      this.#records = [];
      this.#ids = [];
      this.#written = 0;
    } else if (!this.#waitsForDrain) {
      this.#waitsForDrain = true;
      stream.once('drain', () => {
        this.#waitsForDrain = false;
        this.#write();
      });
    }
  }

  /** The packets of the records that come next, in one buffer of just their size. */
  #packed(): Buffer {
    const from = this.#written;
    let bytes = 0;
    let to = from;
    for (; to < this.#records.length; to++) {
      const more = frameBytes(this.#records[to]!);
      if (to > from && bytes + more > writeBytesMax) break;
      bytes += more;
    }
    const packets = Buffer.allocUnsafe(bytes);
    for (let index = from, at = 0; index < to; index++)
      at = writeFrame(packets, at, this.#records[index]!, this.#ids[index]!);
    this.#written = to;
    return packets;
  }
}
