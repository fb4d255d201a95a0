import type { EventKind } from '../../platform/event-topics.ts';
import type { Log } from '../../runtime/log.ts';
import type { JournalStore, Turn } from '../../store/index.ts';
import { EventFeed, type Follower } from '../feed.ts';
import { Webhook, type WebhookOptions, type WebhookSettings } from './hook.ts';
import { postInTurn, type Webhooks, WebhooksInTurn } from './taking-turns.ts';

export interface WebhooksOptions extends WebhookOptions {
  readonly store: WebhookOptions['store'] & JournalStore;
  /** Of one of several processes; null: this is the only one. */
  readonly turn: Turn | null;
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

export async function openWebhooks(options: WebhooksOptions): Promise<Webhooks> {
  const { turn, post } = options;
  if (turn === null) return openNow(options);
  return new WebhooksInTurn(turn, () => openNow({ ...options, post: postInTurn(turn, post) }), options);
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
