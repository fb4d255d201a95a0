import { withoutEnd } from '../runtime/without-end.ts';
/**
 * Reads a payload of fields that each have their length in one byte before them, as the frames of
 * SPEC 4.4 and 4.5 do.
 */
export class FieldReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next byte; null behind the end. */
  byte(): number | null {
    return this.#at < this.#bytes.length ? this.#bytes[this.#at++]! : null;
  }

  /**
   * The next field; null where its length is missing or it ends too early. Shares the payload's
   * memory.
   */
  field(): Uint8Array | null {
    const length = this.byte();
    if (length === null || this.#at + length > this.#bytes.length) return null;
    const field = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return field;
  }

  /** Bytes that have not been read. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }
}

const longest = 255;

/** Each field with its length in one byte before it. Throws on a field of over 255 bytes. */
export function lengthPrefixed(...fields: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const field of fields) {
    if (field.length > longest)
      throw new RangeError(`a field holds at most ${longest} bytes: ${field.length} were given`);
    parts.push(Uint8Array.of(field.length), field);
  }
  return Buffer.concat(parts);
}

export const textBytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** Text of a field: what is no UTF-8 becomes U+FFFD, zeros at the end are padding. */
export function fieldText(bytes: Uint8Array): string {
  return withoutEnd(Buffer.from(bytes).toString('utf8'), '\0');
}
