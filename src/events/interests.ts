import { type EventKind, eventKinds, eventTopics, matches } from '../platform/event-topics.ts';

/** The filters of one session, and since when nobody is connected; null: somebody is. */
interface Session {
  readonly filters: Set<string>;
  readonly isKept: boolean;
  leftAt: number | null;
}

/**
 * Subscriptions of programs' sessions, also of those that outlive their connection: the feed reads
 * only events that somebody wants. Sessions are known by their client ids.
 */
export class Interests {
  readonly #sessions = new Map<string, Session>();
  readonly #onChange: () => void;
  #kinds: ReadonlySet<EventKind> = new Set();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get kinds(): ReadonlySet<EventKind> {
    return this.#kinds;
  }

  /** `isKept`: the session goes on after the connection. */
  came(id: string, isKept: boolean): void {
    const known = isKept ? this.#sessions.get(id)?.filters : undefined;
    this.#sessions.set(id, { filters: known ?? new Set(), isKept, leftAt: null });
    this.#weigh();
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  left(id: string, now: number): void {
    const session = this.#sessions.get(id);
    if (session?.isKept) session.leftAt = now;
    else this.#sessions.delete(id);
    this.#weigh();
  }

  subscribed(id: string, filter: string): void {
    this.#sessions.get(id)?.filters.add(filter);
    this.#weigh();
  }

  unsubscribed(id: string, filter: string): void {
    this.#sessions.get(id)?.filters.delete(filter);
    this.#weigh();
  }

  hasRoom(id: string, filter: string, filtersMax: number): boolean {
    const filters = this.#sessions.get(id)?.filters;
    return filters === undefined || filters.size < filtersMax || filters.has(filter);
  }

  wants(id: string, kind: EventKind): boolean {
    return [...(this.#sessions.get(id)?.filters ?? [])].some(filter => isOf(filter, kind));
  }

  /** Ids of the sessions that outlive their connections. */
  kept(): string[] {
    return [...this.#sessions].filter(([, { isKept }]) => isKept).map(([id]) => id);
  }

  /** Forgets sessions that nobody has come back to since `until`, and returns their ids. */
  endOlder(until: number): string[] {
    const old = [...this.#sessions].filter(([, { leftAt }]) => leftAt !== null && leftAt <= until).map(([id]) => id);
    for (const id of old) this.#sessions.delete(id);
    this.#weigh();
    return old;
  }

  #weigh(): void {
    const kinds = eventKinds.filter(kind => [...this.#sessions.keys()].some(id => this.wants(id, kind)));
    if (kinds.length === this.#kinds.size && kinds.every(kind => this.#kinds.has(kind))) return;
    this.#kinds = new Set(kinds);
    this.#onChange();
  }
}

/** Whether a filter matches topics of a kind: one level below it is a device. */
function isOf(filter: string, kind: EventKind): boolean {
  const device = filter.split('/')[3];
  return matches(filter, eventTopics.record(kind, device === undefined || /^[+#]$/.test(device) ? 'x' : device));
}
