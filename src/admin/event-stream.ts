import type { Follower, RecordEvent } from '../events/index.ts';
import type { EventKind } from '../platform/event-topics.ts';
import type { EventSource } from './events.ts';

/** The last event of each kind that somebody has. */
export type Places = ReadonlyMap<EventKind, number>;

const pageRows = 200;
/** More that wait are dropped, and read again from the store. */
const waitingMax = 500;

/**
 * The events after some places, then those that come, each once and in order: pages of the store
 * until there is no more, then what the feed says. Whoever falls behind is back at the pages, so a
 * slow reader costs no memory.
 */
export class EventStream implements Follower {
  readonly kinds: ReadonlySet<EventKind>;
  readonly #source: EventSource;
  readonly #places: Map<EventKind, number>;
  readonly #waiting: RecordEvent[] = [];
  #isBehind = true;
  #wake = Promise.withResolvers<void>();

  constructor(source: EventSource, places: Places) {
    this.#source = source;
    this.#places = new Map(places);
    this.kinds = new Set(places.keys());
  }

  /** Of the events that `next` has returned. */
  get places(): Places {
    return this.#places;
  }

  /** From here on the feed says what comes: what came before is to be read. */
  begun(): void {
    this.#fallBehind();
  }

  hear(events: readonly RecordEvent[]): void {
    this.#waiting.push(...events);
    if (this.#waiting.length > waitingMax) this.#fallBehind();
    this.#wake.resolve();
  }

  missed(): void {
    this.#fallBehind();
  }

  /** Resolves when `next` may have something. */
  get woken(): Promise<void> {
    return this.#wake.promise;
  }

  /** Events up to now, at most a page of each kind; if empty, wait for `woken`. */
  async next(): Promise<RecordEvent[]> {
    if (!this.#isBehind) {
      this.#wake = Promise.withResolvers();
      return this.#fresh(this.#waiting.splice(0));
    }
    // Events that come while the page is read are kept beside it.
    this.#isBehind = false;
    const found: RecordEvent[] = [];
    for (const [kind, after] of this.#places) {
      const page = await this.#source.read({ kind, after, limit: pageRows });
      found.push(...this.#fresh(page));
      if (page.length === pageRows) this.#isBehind = true;
    }
    return found.length > 0 || this.#isBehind ? found : this.next();
  }

  /** Without what was returned before. */
  #fresh(events: readonly RecordEvent[]): RecordEvent[] {
    return events.filter(({ kind, seq }) => {
      if (seq <= this.#places.get(kind)!) return false;
      this.#places.set(kind, seq);
      return true;
    });
  }

  #fallBehind(): void {
    this.#waiting.length = 0;
    this.#isBehind = true;
    this.#wake.resolve();
  }
}
