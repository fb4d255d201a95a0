import { isDeepStrictEqual } from 'node:util';
import type { EventKind } from '../../platform/event-topics.ts';
import type { Log } from '../../runtime/log.ts';
import type { JournalStore } from '../../store/index.ts';
import { EventFeed, type Follower } from '../feed.ts';
import { Webhook, type WebhookOptions } from './hook.ts';
import { type FixedWebhook, type WebhookSettings, webhooksInForce } from './list.ts';

export interface RunningOptions extends WebhookOptions {
  readonly store: WebhookOptions['store'] & JournalStore;
  readonly log: Log;
  /** Webhooks of the config. */
  readonly fixed: readonly FixedWebhook[];
  /** Of the broker for programs; null: it is closed. */
  readonly follow: ((follower: Follower) => () => void) | null;
}

/** Calls the webhooks in force, and follows their list. */
export class RunningWebhooks implements AsyncDisposable {
  readonly #options: RunningOptions;
  readonly #feed: EventFeed | null;
  readonly #hooks = new Map<string, { readonly hook: Webhook; unfollow: () => void }>();
  /** Readings of the list, one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RunningOptions) {
    this.#options = options;
    const { store, clock, log } = options;
    this.#feed = options.follow ? null : new EventFeed({ store, clock, log });
  }

  static async open(options: RunningOptions): Promise<RunningWebhooks> {
    await using opened = new AsyncDisposableStack();
    const running = opened.use(new RunningWebhooks(options));
    await running.follow();
    opened.move();
    return running;
  }

  /** Reads the list again, and does what has changed in it. */
  follow(): Promise<void> {
    const mine = this.#last.then(() => this.#follow());
    this.#last = mine.catch(() => {});
    return mine;
  }

  /** False: nothing of it is called here now. */
  tryNow(name: string): boolean {
    const running = this.#hooks.get(name);
    if (!running || running.hook.settings.paused) return false;
    running.hook.tryNow();
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    for (const name of [...this.#hooks.keys()]) await this.#end(name);
    await this.#feed?.[Symbol.asyncDispose]();
  }

  async #follow(): Promise<void> {
    const { store, fixed } = this.#options;
    const wanted = await webhooksInForce(store, fixed);
    for (const [name, { hook }] of this.#hooks)
      if (!wanted.some(one => one.name === name && one.madeAt === hook.settings.madeAt)) await this.#end(name);
    for (const settings of wanted) {
      const running = this.#hooks.get(settings.name);
      if (running && isDeepStrictEqual(running.hook.settings, settings)) continue;
      const places = await placesOf(settings, this.#options);
      if (running) {
        running.hook.change(settings, places);
        running.unfollow();
        running.unfollow = this.#listen(running.hook);
      } else {
        const hook = new Webhook(settings, places, this.#options);
        this.#hooks.set(settings.name, { hook, unfollow: this.#listen(hook) });
      }
    }
  }

  #listen(hook: Webhook): () => void {
    return this.#options.follow?.(hook) ?? this.#feed!.follow(hook);
  }

  async #end(name: string): Promise<void> {
    const running = this.#hooks.get(name);
    this.#hooks.delete(name);
    running?.unfollow();
    await running?.hook[Symbol.asyncDispose]();
  }
}

/**
 * How far a webhook has come. A kind that is new to it begins with what comes next, and so do those
 * of `newKinds`; that place is stored before anything else.
 */
export async function placesOf(
  { name, kinds }: Pick<WebhookSettings, 'name' | 'kinds'>,
  { store }: Pick<WebhookOptions, 'store'>,
  newKinds: readonly EventKind[] = [],
): Promise<Map<EventKind, number>> {
  const places = new Map<EventKind, number>();
  const known = (await store.read.webhookPlaces()).filter(
    place => place.name === name && !newKinds.includes(place.kind),
  );
  await store.level();
  const newest = await store.read.newestRecords();
  for (const kind of kinds) {
    const seq = known.find(place => place.kind === kind)?.seq;
    if (seq === undefined) await store.write.putWebhookPlace({ name, kind, seq: newest[kind] });
    places.set(kind, seq ?? newest[kind]);
  }
  return places;
}
