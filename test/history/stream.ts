import { Column, hashOf } from './column.ts';

export interface Content {
  readonly mid?: string;
  readonly digest?: string;
  readonly bytes?: string;
}

/**
 * Records of one kind that one device sent: 40 bytes each. A place is the index of a record in the
 * order in which they were first sent. Lines are counted from 1; 0: never.
 */
export class Stream {
  readonly device: string;
  readonly kind: string;
  readonly numbers = new Column();
  readonly #firstSent = new Column();
  readonly #lastSent = new Column();
  readonly #sessions = new Column();
  readonly #acked = new Column();
  readonly #mids = new Column();
  readonly #digests = new Column();
  readonly #bytes = new Column();
  readonly #gone = new Column();
  readonly #tries = new Column();
  /** Some reading, or a line that nothing waits, has shown where its records went. */
  isJudged = false;
  hasMids = false;

  constructor(device: string, kind: string) {
    this.device = device;
    this.kind = kind;
  }

  get length(): number {
    return this.numbers.length;
  }

  /** -1: nobody sent it. */
  placeOf(n: number): number {
    let [from, to] = [0, this.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.numbers.at(middle) < n) from = middle + 1;
      else to = middle;
    }
    return from < this.length && this.numbers.at(from) === n ? from : -1;
  }

  /** False: a number that is new, and not larger than the last one. */
  sent(n: number, line: number, { session = 0, mid, digest }: { session?: number; mid?: string; digest?: string }) {
    const place = this.placeOf(n);
    if (place >= 0) {
      this.#lastSent.set(place, line);
      this.#sessions.set(place, session);
      return true;
    }
    if (n <= this.numbers.last) return false;
    this.numbers.push(n);
    this.#firstSent.push(line);
    this.#lastSent.push(line);
    this.#sessions.push(session);
    this.#acked.push(0);
    this.#mids.push(mid === undefined ? 0 : hashOf(mid));
    this.#digests.push(digest === undefined ? 0 : hashOf(digest));
    this.#bytes.push(0);
    this.#gone.push(0);
    this.#tries.push(0);
    if (mid !== undefined) this.hasMids = true;
    return true;
  }

  /** The first acknowledgement counts. `logins`: the lines of those of its device. */
  acknowledged(place: number, line: number, logins: readonly number[] = []): void {
    if (this.#acked.at(place) > 0) return;
    this.#acked.set(place, line);
    if (logins.length === 0) return;
    let tries = 1;
    for (let at = logins.length - 1; at >= 0 && logins[at]! > this.#firstSent.at(place); at--) tries++;
    this.#tries.set(place, tries);
  }

  /** How often it can have been sent until it was acknowledged: once, and once behind each login. */
  triesOf(place: number): number {
    return this.#tries.at(place) || Number.POSITIVE_INFINITY;
  }

  ackedAt(place: number): number {
    return this.#acked.at(place);
  }

  /** The line in which it was last sent, if that was in this session; else 0. */
  sentIn(place: number, session: number): number {
    return this.#sessions.at(place) === session ? this.#lastSent.at(place) : 0;
  }

  /** Facts of a record come with the first line that says them; later lines must agree. */
  differs(place: number, { mid, digest, bytes }: Content): 'another mid' | 'other content' | 'other bytes' | null {
    if (mid !== undefined && !agrees(this.#mids, place, mid)) return 'another mid';
    if (digest !== undefined && !agrees(this.#digests, place, digest)) return 'other content';
    if (bytes !== undefined && !agrees(this.#bytes, place, bytes)) return 'other bytes';
    return null;
  }

  /** Records acknowledged behind that line are gone; those sent behind it must not return. */
  restoredTo(line: number): void {
    for (let place = 0; place < this.length; place++) {
      if (this.#acked.at(place) <= line) continue;
      this.#acked.set(place, 0);
      if (this.#firstSent.at(place) > line) this.#gone.set(place, 1);
    }
  }

  isGone(place: number): boolean {
    return this.#gone.at(place) === 1;
  }

  get hasAcknowledged(): boolean {
    for (let place = 0; place < this.length; place++) if (this.#acked.at(place) > 0) return true;
    return false;
  }

  called(place: number): string {
    return `${this.device} ${this.kind} ${this.numbers.at(place)}`;
  }
}

function agrees(known: Column, place: number, text: string): boolean {
  if (known.at(place) === 0) known.set(place, hashOf(text));
  return known.at(place) === hashOf(text);
}
