import type { EventKind } from '../../platform/event-topics.ts';
import type { Log } from '../../runtime/log.ts';
import { WhileMine } from '../../runtime/while-mine.ts';
import type { JournalStore, Lease } from '../../store/index.ts';
import { EventFeed, type Follower } from '../feed.ts';
import { Webhook, type WebhookOptions, type WebhookReport, type WebhookSettings } from './hook.ts';

export interface WebhooksOptions extends WebhookOptions {
  readonly store: WebhookOptions['store'] & JournalStore;
  /** Webhooks are called while this process has it. */
  readonly lease: Lease;
  readonly log: Log;
  readonly webhooks: readonly WebhookSettings[];
  /** Of the broker for programs; null: it is closed. */
  readonly follow: ((follower: Follower) => () => void) | null;
}

/** A webhook that is new begins with what comes next; that place is stored before anything else. */
async function placesOf({ name, kinds }: WebhookSettings, { store }: WebhooksOptions): Promise<Map<EventKind, number>> {
  const known = (await store.read.webhookPlaces()).filter(place => place.name === name);
  await store.level();
  const newest = await store.read.newestRecords();
  const places = new Map<EventKind, number>();
  for (const kind of kinds) {
    const seq = known.find(place => place.kind === kind)?.seq;
    if (seq === undefined) await store.write.putWebhookPlace({ name, kind, seq: newest[kind] });
    places.set(kind, seq ?? newest[kind]);
  }
  return places;
}

/** Events by HTTP (docs/events.md). */
export interface Webhooks extends AsyncDisposable {
  report(): WebhookReport[];
  /** Sends a message again; null if there is no such webhook, or no such recent message. */
  sendAgain(name: string, id: string): ReturnType<Webhook['sendAgain']>;
}

/** How far each receiver has come is read from the store each time that the lease is taken. */
export async function openWebhooks(options: WebhooksOptions): Promise<Webhooks> {
  const { lease, clock, log, post, webhooks } = options;
  const calling = await WhileMine.open({
    ...{ lease, clock },
    open: () =>
      openNow({
        ...options,
        async post(...call) {
          if (!lease.isMine) throw new Error('another process of this region calls the webhooks');
          return post(...call);
        },
      }),
    onFailed: error => log.warn({ error: String(error) }, 'webhooks_not_opened'),
  });
  return {
    /** Where another process calls them, what was sent is known there. */
    report: () =>
      calling.current?.report() ??
      webhooks.map(({ name, url, kinds }) => ({ name, url, kinds, ended: null, deliveries: [] })),
    sendAgain: async (name, id) => (await calling.current?.sendAgain(name, id)) ?? null,
    [Symbol.asyncDispose]: () => calling[Symbol.asyncDispose](),
  };
}

async function openNow(options: WebhooksOptions): Promise<Webhooks> {
  const { webhooks, store, clock, log } = options;
  await using opened = new AsyncDisposableStack();
  const feed = options.follow ? null : opened.use(new EventFeed({ store, clock, log }));
  const all: Webhook[] = [];
  for (const settings of webhooks) {
    const hook = opened.use(new Webhook(settings, await placesOf(settings, options), options));
    all.push(hook);
    opened.defer(options.follow ? options.follow(hook) : feed!.follow(hook));
  }
  const running = opened.move();
  return {
    report: () => all.map(hook => hook.report()),
    sendAgain: async (name, id) => (await all.find(hook => hook.settings.name === name)?.sendAgain(id)) ?? null,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
