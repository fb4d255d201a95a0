import { webhookSignature } from '../alerts/index.ts';
import type { Events, Webhooks } from '../events/index.ts';
import { alertCalls } from './alert-calls.ts';
import type { Storage } from './storage.ts';

/** The webhooks, of which nothing is loaded before there is one or somebody asks. */
export class BoxWebhooks implements AsyncDisposable {
  readonly #storage: Storage;
  readonly #events: Events | null;
  #opened: Promise<Webhooks> | null = null;

  constructor(storage: Storage, events: Events | null) {
    this.#storage = storage;
    this.#events = events;
  }

  /** A process of a region hears of the first one from the others. */
  async openWhereAny(): Promise<void> {
    const { config, store } = this.#storage;
    const isAlone = config.store.engine === 'sqlite';
    if (config.events.webhooks.length > 0 || !isAlone || (await store.read.webhooks()).length > 0) await this.all();
  }

  all(): Promise<Webhooks> {
    this.#opened ??= this.#open().catch(error => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    await opened?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<Webhooks> {
    const { config, store, clock, log, trust } = this.#storage;
    const { openWebhooks } = await import('../events/index.ts');
    const events = this.#events;
    return openWebhooks({
      ...{ store, clock, fixed: config.events.webhooks, log: log.child({ part: 'events' }) },
      ...{ lease: store.once, processes: store.processes },
      follow: events ? follower => events.follow(follower) : null,
      sign: webhookSignature,
      post: alertCalls(config, trust).post,
    });
  }
}
