import {
  beginsPuback,
  bodyBytesOf,
  bodyStart,
  endless,
  pubackBytes,
  pubackId,
  unfinished,
} from '../mqtt-wire/index.ts';

const nothing = Buffer.alloc(0);
/** A PUBACK whole, and the longest head of any other packet but for its last byte. */
const heldMax = 4;

/**
 * Takes the PUBACKs out of a stream of packets that is cut anywhere, and passes every other byte
 * on, unchanged and in order. What is no PUBACK of that form passes too: the parser behind reports
 * it.
 */
export class PubackFilter {
  readonly #onPuback: (id: number) => void;
  /** Bytes of the packet that is being passed on which have not come yet. */
  #left = 0;
  /** The beginning of a packet of which not even the length is known, or of a PUBACK. */
  readonly #held = Buffer.alloc(heldMax);
  #heldBytes = 0;

  constructor(onPuback: (id: number) => void) {
    this.#onPuback = onPuback;
  }

  /**
   * Returns what passes of the next bytes: `chunk` itself, a part of it, or another buffer; empty
   * when nothing does.
   */
  pass(chunk: Buffer): Buffer {
    const bytes = this.#heldBytes === 0 ? chunk : Buffer.concat([this.#held.subarray(0, this.#heldBytes), chunk]);
    this.#heldBytes = 0;
    let passed: Buffer[] | null = null;
    /** Where the run of bytes that passes begins; -1 outside of one. */
    let run = this.#left > 0 ? 0 : -1;
    let at = Math.min(this.#left, bytes.length);
    this.#left -= at;
    while (at < bytes.length) {
      if (beginsPuback(bytes, at)) {
        if (run >= 0) {
          passed ??= [];
          passed.push(bytes.subarray(run, at));
          run = -1;
        }
        if (at + pubackBytes > bytes.length) break;
        this.#onPuback(pubackId(bytes, at));
        at += pubackBytes;
        continue;
      }
      const end = endOf(bytes, at);
      if (end < 0) break;
      if (run < 0) run = at;
      at = Math.min(end, bytes.length);
      this.#left = end - at;
    }
    if (at < bytes.length) this.#heldBytes = bytes.copy(this.#held, 0, at);
    if (run < 0) return passed === null ? nothing : Buffer.concat(passed);
    const last = bytes.subarray(run, at);
    return passed === null ? last : Buffer.concat([...passed, last]);
  }
}

/**
 * Where the packet that begins at `start` ends, perhaps behind the bytes; -1 when its length has
 * not come. A length that never ends counts as five bytes.
 */
function endOf(bytes: Buffer, start: number): number {
  const body = bodyStart(bytes, start);
  if (body === unfinished) return -1;
  return body === endless ? start + 5 : body + bodyBytesOf(bytes, start, body);
}
