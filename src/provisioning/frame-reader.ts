import { checksum, type Frame, frameCommand, frameError, frameHeader, framePrefixBytes } from '../platform/frame.ts';
import type { Reason } from '../words/sentences.ts';
import { frameFaults } from '../words/site-devices.ts';

/** Result of a read: a frame, or the error of SPEC 7.5 for its sender. */
export type Read =
  | { readonly frame: Frame }
  | { readonly fault: typeof frameError.parse | typeof frameError.checksum; readonly said: Reason };

/**
 * Bytes of a payload that are taken: far more than the commands of SPEC 4.4 need; business data of
 * 0xff has its own, larger bound.
 */
const payloadBytesMax = 512;
const businessBytesMax = 4096;
/**
 * A frame whose rest does not come within this is dropped (decision:
 * docs/decisions/provisioning.md).
 */
const unfinishedMs = 5000;

/**
 * Puts frames together out of packets of whatever size: pieces of 20 bytes padded with zeros,
 * several frames in one packet, garbage in between. Its memory is one buffer of the largest frame.
 * A peer that announces more, or never continues, gets an error, and the reader searches what
 * follows for the next header. Both byte orders of the length are read, because devices send both.
 */
export class FrameReader {
  readonly #buffer = new Uint8Array(framePrefixBytes + businessBytesMax + 1);
  #used = 0;
  #lastAt = 0;

  /**
   * `now` is monotonic, in milliseconds. A packet brings at most one fault, so that garbage is not
   * answered with more of it.
   */
  push(packet: Uint8Array, now: number): Read[] {
    const read: Read[] = this.#giveUp(now);
    this.#lastAt = now;
    let faulty = read.length > 0;
    let taken = 0;
    while (taken < packet.length) {
      const piece = packet.subarray(taken, taken + this.#buffer.length - this.#used);
      this.#buffer.set(piece, this.#used);
      this.#used += piece.length;
      taken += piece.length;
      for (let next = this.#next(); next; next = this.#next()) {
        if ('fault' in next && faulty) continue;
        faulty ||= 'fault' in next;
        read.push(next);
      }
    }
    return read;
  }

  /**
   * The partial frame is too old: its length may have been in the other byte order, or the rest is
   * lost.
   */
  #giveUp(now: number): Read[] {
    if (this.#used < framePrefixBytes || now - this.#lastAt < unfinishedMs) return [];
    const little = this.#frame((this.#buffer[6]! << 8) | this.#buffer[5]!);
    const read: Read = little
      ? { frame: little }
      : { fault: frameError.parse, said: frameFaults.say('frame_unfinished', { seconds: unfinishedMs / 1000 }) };
    if (!little) this.#used = 0;
    return [read];
  }

  /** The next thing that the buffer holds whole; null: more bytes are needed. */
  #next(): Read | null {
    this.#skipToHeader();
    if (this.#used < framePrefixBytes) return null;
    const command = this.#buffer[4]!;
    const most = command === frameCommand.business ? businessBytesMax : payloadBytesMax;
    const big = (this.#buffer[5]! << 8) | this.#buffer[6]!;
    const little = (this.#buffer[6]! << 8) | this.#buffer[5]!;
    const length = big <= most ? big : little;
    if (length > most) {
      this.#drop(frameHeader.length);
      return { fault: frameError.parse, said: frameFaults.say('frame_payload_too_large', { bytes: big, max: most }) };
    }
    if (this.#used < framePrefixBytes + length + 1) return null;
    const frame = this.#frame(length);
    if (frame) return { frame };
    // A real frame may begin within these bytes.
    this.#drop(frameHeader.length);
    return { fault: frameError.checksum, said: frameFaults.say('frame_checksum') };
  }

  /**
   * The frame of this length at the start, taken off the buffer; null where it is not whole or its
   * checksum is wrong.
   */
  #frame(length: number): Frame | null {
    const end = framePrefixBytes + length;
    if (end >= this.#used || checksum(this.#buffer, 0, end) !== this.#buffer[end]) return null;
    const frame = { command: this.#buffer[4]!, payload: this.#buffer.slice(framePrefixBytes, end) };
    this.#drop(end + 1);
    return frame;
  }

  /**
   * Zeros between frames are padding, anything else is garbage: neither is kept, but for the
   * beginning of a header.
   */
  #skipToHeader(): void {
    let start = 0;
    while (start < this.#used && !this.#headerMayBegin(start)) start++;
    if (start > 0) this.#drop(start);
  }

  #headerMayBegin(start: number): boolean {
    const compared = Math.min(frameHeader.length, this.#used - start);
    for (let index = 0; index < compared; index++) if (this.#buffer[start + index] !== frameHeader[index]) return false;
    return true;
  }

  #drop(bytes: number): void {
    this.#buffer.copyWithin(0, bytes, this.#used);
    this.#used -= bytes;
  }
}
