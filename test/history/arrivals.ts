import { Column } from './column.ts';
import type { Findings } from './findings.ts';
import type { Content, Stream } from './stream.ts';

export interface Promises {
  /** No record arrives twice, as messages of the inbox; else again is allowed, if it is the same. */
  readonly once: boolean;
  readonly inOrder: boolean;
}

/** Arrivals at one receiver: a cloud, a box above, a device's end of the inbox. */
export class Arrivals {
  readonly #name: string;
  readonly #promises: Promises;
  readonly #seen = new Map<Stream, Uint8Array>();
  readonly #firsts = new Map<Stream, Column>();

  constructor(name: string, promises: Promises) {
    this.#name = name;
    this.#promises = promises;
  }

  add(stream: Stream, place: number, content: Content, found: Findings): void {
    const other = stream.differs(place, content);
    if (other) found.add('changed', `${stream.called(place)} came to ${this.#name} with ${other}`);
    const seen = this.#seenOf(stream);
    if (seen[place] === arrived) {
      if (this.#promises.once) found.add('duplicate', `${stream.called(place)} came to ${this.#name} twice`);
      return;
    }
    if (seen[place] === 0) this.#firstsOf(stream).push(place);
    seen[place] = arrived;
  }

  /** Counts neither as missing nor in the order. */
  park(stream: Stream, place: number): void {
    this.#seenOf(stream)[place] = parked;
  }

  /** `untilLine`: what was acknowledged later may still be on its way. */
  judge(stream: Stream, untilLine: number, found: Findings): void {
    const seen = this.#seenOf(stream);
    stream.isJudged = true;
    for (let place = 0; place < stream.length; place++) {
      const acked = stream.ackedAt(place);
      if (acked > 0 && acked < untilLine && seen[place] === 0)
        found.add('lost', `${stream.called(place)}, acknowledged in line ${acked}, never came to ${this.#name}`);
    }
    if (!this.#promises.inOrder) return;
    const firsts = this.#firstsOf(stream);
    let newest = -1;
    for (let at = 0; at < firsts.length; at++) {
      const place = firsts.at(at);
      if (seen[place] === parked) continue;
      if (place < newest)
        found.add('out of order', `${stream.called(place)} came to ${this.#name} behind ${stream.called(newest)}`);
      newest = Math.max(newest, place);
    }
  }

  #firstsOf(stream: Stream): Column {
    const known = this.#firsts.get(stream) ?? new Column();
    this.#firsts.set(stream, known);
    return known;
  }

  #seenOf(stream: Stream): Uint8Array {
    const known = this.#seen.get(stream);
    if (known && known.length >= stream.length) return known;
    const larger = new Uint8Array(Math.max(8, 2 * stream.length));
    if (known) larger.set(known);
    this.#seen.set(stream, larger);
    return larger;
  }
}

const [arrived, parked] = [1, 2];
