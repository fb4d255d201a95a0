const puback = 0x40;
const nothing = Buffer.alloc(0);
/** A PUBACK whole, and the longest head of any other packet but for its last byte. */
const heldMax = 4;

/**
 * Takes the PUBACKs (MQTT 3.1.1 section 3.4: 0x40 0x02 id id) out of a stream of packets that is
 * cut anywhere, and passes every other byte on, unchanged and in order. What is no PUBACK of that
 * form passes too: it is for the parser behind to complain.
 */
export class PubackFilter {
  readonly #acknowledged: (id: number) => void;
  /** Bytes of the packet that is being passed on which have not come yet. */
  #left = 0;
  /** The beginning of a packet of which not even the length is known, or of a PUBACK. */
  readonly #held = Buffer.alloc(heldMax);
  #heldBytes = 0;

  constructor(acknowledged: (id: number) => void) {
    this.#acknowledged = acknowledged;
  }

  /**
   * Answers what passes of the next bytes: `chunk` itself, a part of it, or another buffer; empty
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
      if (bytes[at] === puback && (at + 1 === bytes.length || bytes[at + 1] === 2)) {
        if (run >= 0) {
          passed ??= [];
          passed.push(bytes.subarray(run, at));
          run = -1;
        }
        if (at + 4 > bytes.length) break;
        this.#acknowledged((bytes[at + 2]! << 8) | bytes[at + 3]!);
        at += 4;
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
  let length = 0;
  for (let place = 0; place < 4; place++) {
    const byte = bytes[start + 1 + place];
    if (byte === undefined) return -1;
    length += (byte & 0x7f) << (7 * place);
    if (byte < 0x80) return start + 2 + place + length;
  }
  return start + 5;
}
