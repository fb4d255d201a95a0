import type { BrokerReport, EventSource } from '../admin/index.ts';
import type { EventFeed, EventQuery, Events, Follower, RecordEvent, Webhooks } from '../events/index.ts';
import type { EventKind } from '../platform/event-topics.ts';
import { isLoopback, parseAddress } from '../runtime/address.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { Storage } from './storage.ts';

/**
 * Events for the admin API, with and without the broker for programs. Nothing of `src/events/` is
 * loaded before somebody asks.
 */
export class BoxEvents implements EventSource, AsyncDisposable {
  readonly #storage: Pick<Storage, 'store' | 'clock' | 'log'>;
  #running: { readonly events: Events; readonly address: string } | null = null;
  #webhooks: (() => Promise<Webhooks>) | null = null;
  /** Where there is no broker, which has one. */
  #feed: EventFeed | null = null;

  constructor(storage: Pick<Storage, 'store' | 'clock' | 'log'>) {
    this.#storage = storage;
  }

  bindWebhooks(webhooks: () => Promise<Webhooks>): void {
    this.#webhooks = webhooks;
  }

  /** Bound before anybody can ask. */
  webhooks(): Promise<Webhooks> {
    return this.#webhooks!();
  }

  /** The broker listens. */
  bind(events: Events, address: string): void {
    this.#running = { events, address };
  }

  get epoch(): string {
    return this.#storage.store.epoch;
  }

  async read(query: EventQuery): Promise<RecordEvent[]> {
    const { readEvents } = await import('../events/index.ts');
    await this.#storage.store.level();
    return readEvents(this.#storage.store, query);
  }

  async placeSince(kind: EventKind, since: UnixMs): Promise<number> {
    const { placeSince } = await import('../events/index.ts');
    await this.#storage.store.level();
    return placeSince(this.#storage.store, kind, since);
  }

  async follow(follower: Follower): Promise<() => void> {
    if (this.#running) return this.#running.events.follow(follower);
    const { EventFeed } = await import('../events/index.ts');
    const { store, clock, log } = this.#storage;
    this.#feed ??= new EventFeed({ store, clock, log: log.child({ part: 'events' }) });
    return this.#feed.follow(follower);
  }

  broker(): BrokerReport | null {
    if (!this.#running) return null;
    const { events, address } = this.#running;
    const at = parseAddress(address);
    return { address, isTls: at ? !isLoopback(at) : true, programs: events.programs() };
  }

  /** Of a box that programs reach under this name. */
  async document(version: string, hostname: string): Promise<object> {
    const { asyncApiDocument } = await import('../events/index.ts');
    const broker = this.broker();
    const port = parseAddress(broker?.address ?? '')?.port;
    return asyncApiDocument(version, broker && { host: `${hostname}:${port}`, isTls: broker.isTls });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#feed?.[Symbol.asyncDispose]();
  }
}
