import { webhookSignature } from '../alerts/index.ts';
import type { Events, Webhooks } from '../events/index.ts';
import { alertCalls } from './alert-calls.ts';
import type { Storage } from './storage.ts';

/** Opens the webhooks of the config; null: there are none, and nothing of them is loaded. */
export async function openBoxWebhooks(storage: Storage, events: Events | null): Promise<Webhooks | null> {
  const { config, store, clock, log, trust } = storage;
  const { webhooks } = config.events;
  if (webhooks.length === 0) return null;
  const { openWebhooks } = await import('../events/index.ts');
  const { post } = alertCalls(config, trust);
  return openWebhooks({
    ...{ store, clock, webhooks, log: log.child({ part: 'events' }) },
    lease: store.once,
    follow: events ? follower => events.follow(follower) : null,
    sign: webhookSignature,
    post: (url, call) => post(url, { ...call, named: true }),
  });
}
