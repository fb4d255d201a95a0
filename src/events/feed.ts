import { type EventKind, eventKinds } from '../platform/event-topics.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { processorShare } from '../runtime/processor-share.ts';
import { waitOrWake } from '../runtime/wait-or-wake.ts';
import type { JournalStore, LevelStore } from '../store/index.ts';
import { type EventStore, type RecordEvent, readEvents } from './record-events.ts';

/** Somebody who hears new events: the broker, webhooks, a stream of a browser. */
export interface Follower {
  /** Kinds that the listener wants at present. */
  readonly kinds: ReadonlySet<EventKind>;
  /** The next page is read when it resolves: whoever is slow bounds its own queue instead. */
  hear(events: readonly RecordEvent[]): Promise<void> | void;
  /** Called once, before the first events: what came before is not said to it. */
  begun?(): void;
  /** Events after `after` were passed over, because too many came. */
  missed?(kind: EventKind, after: number): void;
}

interface FeedOptions {
  readonly store: EventStore & JournalStore & LevelStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Share of its processor time that the box has used since the last call, 0 to 1. */
  readonly busy?: () => number;
}

const pageRows = 200;
/** Without a commit: records that only the cloud lists are entered without one. */
const lookEveryMs = 1000;
const afterFailureMs = 1000;
/**
 * A page is followed by a rest of so many times what it took, so that a flood of events takes a
 * fifth of the time at most, and next to nothing of it while the box is busy with devices.
 */
const restFactor = { usual: 4, busy: 20 } as const;
const busyFrom = 0.8;
const restMinMs = 10;
const restMaxMs = 1000;
/** Logs that are so far behind are passed over: they are many, and can be read again. */
const logsBehindMax = 5000;

/**
 * Reads the tables behind each commit and passes what is new to its followers, in order. Nothing on
 * the way of a record knows of it; while nobody follows it reads nothing, and the tables rest.
 */
export class EventFeed implements AsyncDisposable {
  readonly #options: Required<FeedOptions>;
  readonly #followers = new Set<Follower>();
  /** Those whose `begun` was not called yet. */
  readonly #fresh = new Set<Follower>();
  readonly #closing = new AbortController();
  /** Of each kind that is followed, the last event that was passed on. */
  readonly #places = new Map<EventKind, number>();
  #wake = Promise.withResolvers<void>();
  #changed = Promise.withResolvers<void>();
  #begun = Promise.withResolvers<void>();
  #running: Promise<void> | null = null;

  constructor(options: FeedOptions) {
    this.#options = { busy: processorShare(options.clock), ...options };
    options.store.journal.onCommitted(() => this.#wake.resolve());
  }

  /** Events that come from now on; returns what ends it. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    this.#fresh.add(follower);
    this.changed();
    return () => {
      this.#followers.delete(follower);
      this.#fresh.delete(follower);
    };
  }

  /** A follower wants to hear other kinds. */
  changed(): void {
    if (this.#closing.signal.aborted) return;
    this.#wake.resolve();
    this.#changed.resolve();
    if (this.#wanted().length > 0) this.#running ??= this.#run();
  }

  /** Resolves when whatever comes from then on of the kinds that are wanted now is passed on. */
  async begun(): Promise<void> {
    while (!this.#closing.signal.aborted && this.#wanted().some(kind => !this.#places.has(kind)))
      await this.#begun.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#begun.resolve();
    this.#wake.resolve();
    await this.#running;
  }

  #wanted(): EventKind[] {
    return eventKinds.filter(kind => [...this.#followers].some(({ kinds }) => kinds.has(kind)));
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#closing;
    for (let wanted = this.#wanted(); wanted.length > 0 && !signal.aborted; wanted = this.#wanted()) {
      this.#wake = Promise.withResolvers();
      this.#changed = Promise.withResolvers();
      try {
        await this.#begin(wanted);
        const isMore = await this.#look(wanted);
        if (!isMore) await waitOrWake(clock, lookEveryMs, this.#wake.promise, signal);
      } catch (error) {
        log.warn({ error: String(error) }, 'feed_not_read');
        await clock.sleep(afterFailureMs, signal).catch(() => {});
      }
    }
    this.#places.clear();
    this.#running = null;
  }

  /** A kind that nobody followed begins with what comes next. */
  async #begin(wanted: readonly EventKind[]): Promise<void> {
    for (const kind of this.#places.keys()) if (!wanted.includes(kind)) this.#places.delete(kind);
    const fresh = wanted.filter(kind => !this.#places.has(kind));
    if (fresh.length > 0) {
      await this.#options.store.level();
      const newest = await this.#options.store.read.newestRecords();
      for (const kind of fresh) this.#places.set(kind, newest[kind]);
      this.#begun.resolve();
      this.#begun = Promise.withResolvers();
    }
    for (const follower of this.#fresh) {
      if (![...follower.kinds].every(kind => this.#places.has(kind))) continue;
      this.#fresh.delete(follower);
      follower.begun?.();
    }
  }

  /** One page of each kind. Returns whether there may be more. */
  async #look(wanted: readonly EventKind[]): Promise<boolean> {
    const { store, clock, busy } = this.#options;
    const begun = clock.monotonic();
    await store.level();
    let isMore = false;
    for (const kind of wanted) {
      const events = await this.#page(kind, this.#places.get(kind)!);
      const last = events.at(-1);
      if (!last) continue;
      isMore ||= events.length === pageRows;
      this.#places.set(kind, last.seq);
      const followers = [...this.#followers].filter(({ kinds }) => kinds.has(kind));
      await Promise.all(followers.map(follower => follower.hear(events)));
    }
    const factor = busy() > busyFrom ? restFactor.busy : restFactor.usual;
    const rest = Math.min(restMaxMs, Math.max(restMinMs, (clock.monotonic() - begun) * factor));
    await waitOrWake(clock, rest, this.#changed.promise, this.#closing.signal);
    return isMore;
  }

  /** Of logs that are far behind, a whole page and more, the newest page. */
  async #page(kind: EventKind, after: number): Promise<RecordEvent[]> {
    const { store } = this.#options;
    const query = { kind, limit: pageRows, signal: this.#closing.signal };
    const events = await readEvents(store, { ...query, after });
    if (kind !== 'logs' || events.length < pageRows) return events;
    const { logs: newest } = await store.read.newestRecords();
    if (newest - events.at(-1)!.seq <= logsBehindMax) return events;
    for (const follower of this.#followers) if (follower.kinds.has(kind)) follower.missed?.(kind, after);
    return readEvents(store, { ...query, after: newest - pageRows });
  }
}
