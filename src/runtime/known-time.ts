import type { Clock, UnixMs, UnixSeconds } from './clock.ts';

/** Why the box does not know the time. */
type TimeDoubt = 'before the program' | 'behind its records' | 'unlikely';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** A clock that nobody sets and that is further after the program was built is not believed. */
const likelyMs = 10 * 365 * dayMs;
/** A step is more than what slewing does between two looks. */
const sameMs = 2000;
const spansMax = 16;

/** A while with a clock that was not believed: `ahead` is wall clock minus monotonic clock. */
interface Span {
  readonly ahead: number;
  readonly from: UnixMs;
  to: UnixMs;
}

/**
 * Whether the box knows the time. Not while its clock is before the program was built, or, unless
 * the network sets it, before the newest record or more than ten years after the program. A clock
 * that somebody set back by hand is believed after a day. Remembers when records came meanwhile,
 * so that their true time is known once the clock is right, in the same process.
 */
export class KnownTime {
  readonly #clock: Clock;
  readonly #programAt: UnixMs;
  #newest: UnixMs;
  #isSynchronized = false;
  /** By the monotonic clock; null: it was not set back. */
  #setBackAt: number | null = null;
  readonly #spans: Span[] = [];

  /** `newestRecordAt`: receipt of the newest record in the store, by times that can be; 0: none. */
  constructor(clock: Clock, { programAt, newestRecordAt }: { programAt: UnixMs; newestRecordAt: UnixMs }) {
    this.#clock = clock;
    this.#programAt = programAt;
    this.#newest = newestRecordAt <= latestLikely(programAt) ? newestRecordAt : 0;
  }

  /** Reason for doubting the time; null if the box knows it. */
  get doubt(): TimeDoubt | null {
    const now = this.#clock.now();
    if (now < this.#programAt) return 'before the program';
    if (this.#isSynchronized) return null;
    if (now > latestLikely(this.#programAt)) return 'unlikely';
    const isOld = this.#setBackAt !== null && this.#clock.monotonic() - this.#setBackAt >= dayMs;
    return now < this.#newest - minuteMs && !isOld ? 'behind its records' : null;
  }

  /** Now, as devices may be told; 0 while the box does not know the time: they may believe it. */
  get stamp(): UnixSeconds {
    return this.doubt === null ? Math.floor(this.#clock.now() / 1000) : 0;
  }

  /** Takes the system's word on its clock; null if unknown. */
  noteSynchronized(isSynchronized: boolean | null): void {
    this.#isSynchronized = isSynchronized === true;
  }

  /** Somebody set the clock, by so much. */
  noteSet(byMs: number): void {
    if (byMs < 0) this.#setBackAt = this.#clock.monotonic();
  }

  /** The time of receipt of a record that comes now, and whether it is known. */
  received(): { readonly at: UnixMs; readonly isKnown: boolean } {
    const at = this.#clock.now();
    if (this.doubt !== null) {
      this.#noteUnknown(at);
      return { at, isKnown: false };
    }
    const isLower = this.#isSynchronized || at < this.#newest - minuteMs;
    this.#newest = isLower ? at : Math.max(this.#newest, at);
    return { at, isKnown: true };
  }

  /**
   * When a record was received whose time was not known then; null: that is still not known, or it
   * was before the process began.
   */
  trueTime(receivedAt: UnixMs): UnixMs | null {
    const span = this.#spans.findLast(({ from, to }) => receivedAt >= from && receivedAt <= to);
    return span && this.doubt === null ? Math.round(receivedAt + this.#ahead - span.ahead) : null;
  }

  get #ahead(): number {
    return this.#clock.now() - this.#clock.monotonic();
  }

  #noteUnknown(at: UnixMs): void {
    const ahead = this.#ahead;
    const last = this.#spans.at(-1);
    if (last && Math.abs(last.ahead - ahead) < sameMs) {
      last.to = Math.max(last.to, at);
      return;
    }
    this.#spans.push({ ahead, from: at, to: at });
    if (this.#spans.length > spansMax) this.#spans.shift();
  }
}

/** A record that is dated later is not counted as the newest. */
export const latestLikely = (programAt: UnixMs): UnixMs => programAt + likelyMs;
