import { randomBytes } from 'node:crypto';
import type { EventKind } from '../../platform/event-topics.ts';
import { BackgroundJob } from '../../runtime/background-job.ts';
import { WhileMine } from '../../runtime/while-mine.ts';
import type { Lease, Processes, SharedStore, WebhookDelivery, WholeStore } from '../../store/index.ts';
import { SaidError } from '../../words/sentences.ts';
import { webhookFailures } from '../../words/webhooks.ts';
import { type Called, callWebhook } from './call.ts';
import { deliveryOf, readMessage } from './hook.ts';
import { type WebhookSettings, webhooksInForce } from './list.ts';
import { testMessage } from './message.ts';
import { placesOf, type RunningOptions, RunningWebhooks } from './running.ts';

export interface WebhooksOptions extends RunningOptions {
  readonly store: RunningOptions['store'] & SharedStore & WholeStore;
  /** Webhooks are called while this process has it. */
  readonly lease: Lease;
  /** Other processes, which hear at once of a change. */
  readonly processes: Processes;
}

export interface WebhookReport extends Omit<WebhookSettings, 'secret' | 'madeAt'> {
  /** The newest attempt; null: nothing was sent. */
  readonly last: WebhookDelivery | null;
}

/** A change of one webhook; what is absent stays. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly kinds?: readonly EventKind[] | undefined;
  readonly paused?: boolean | undefined;
  readonly newSecret?: boolean | undefined;
}

/** Why a webhook was not changed. */
export type NotChanged = 'unknown' | 'fixed' | 'exists' | 'too_many';

/** Events by HTTP (docs/events.md). Every process of a region answers the same. */
export interface Webhooks extends AsyncDisposable {
  report(): Promise<WebhookReport[]>;
  /** Newest attempt first; null: there is no such webhook. */
  deliveries(name: string): Promise<readonly WebhookDelivery[] | null>;
  /** Returns the secret, which is told this once. */
  add(webhook: Pick<WebhookSettings, 'name' | 'url' | 'kinds'>): Promise<{ secret: string } | NotChanged>;
  /** Returns the new secret, if there is one: a changed address gets one, too. */
  change(name: string, change: WebhookChange): Promise<{ secret: string | null } | NotChanged>;
  remove(name: string): Promise<NotChanged | null>;
  /** Calls the receiver with a message without events. Null: there is no such webhook. */
  test(name: string, signal: AbortSignal): Promise<Called | null>;
  /**
   * Sends a message once more: at once if it waits for its next attempt. Null: it is not known;
   * `paused`: it waits for the webhook to be resumed.
   */
  sendAgain(name: string, id: string, signal: AbortSignal): Promise<WebhookDelivery | 'paused' | null>;
}

/** Beside those of the config. */
const chosenMax = 10;
/** For a message between processes that was missed. */
const lookEveryMs = 30_000;

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export async function openWebhooks(options: WebhooksOptions): Promise<Webhooks> {
  const webhooks = new OpenWebhooks(options);
  await webhooks.begin();
  return webhooks;
}

class OpenWebhooks implements Webhooks {
  readonly #options: WebhooksOptions;
  #calling: WhileMine<RunningWebhooks> | null = null;
  #job: BackgroundJob | null = null;

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  async begin(): Promise<void> {
    const { lease, clock, log, processes, post } = this.#options;
    this.#calling = await WhileMine.open({
      ...{ lease, clock },
      open: () =>
        RunningWebhooks.open({
          ...this.#options,
          async post(...call) {
            if (!lease.isMine) throw new SaidError(webhookFailures.say('webhook_called_elsewhere'));
            return post(...call);
          },
        }),
      onFailed: error => log.warn({ error: String(error) }, 'webhooks_not_opened'),
    });
    const onFailed = (error: unknown) => log.warn({ error: String(error) }, 'webhooks_not_read');
    processes.onMessage('webhooks', name => void this.#hear(name).catch(onFailed));
    this.#job = new BackgroundJob({
      ...{ clock, onFailed, everyMs: lookEveryMs, retryMs: () => lookEveryMs, firstAfterMs: lookEveryMs },
      run: async () => this.#calling?.current?.follow(),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#job?.[Symbol.asyncDispose]();
    await this.#calling?.[Symbol.asyncDispose]();
  }

  async report(): Promise<WebhookReport[]> {
    const { store } = this.#options;
    return Promise.all(
      (await this.#inForce()).map(async ({ secret: _, madeAt: __, ...rest }) => ({
        ...rest,
        last: (await store.read.webhookDeliveries(rest.name, 1))[0] ?? null,
      })),
    );
  }

  async deliveries(name: string): Promise<readonly WebhookDelivery[] | null> {
    return (await this.#find(name)) ? this.#options.store.read.webhookDeliveries(name) : null;
  }

  add({ name, url, kinds }: Pick<WebhookSettings, 'name' | 'url' | 'kinds'>) {
    const { store, clock } = this.#options;
    return this.#alone(async () => {
      const all = await this.#inForce();
      if (all.some(one => one.name === name)) return 'exists';
      if (all.filter(({ isFixed }) => !isFixed).length >= chosenMax) return 'too_many';
      const secret = newSecret();
      await store.whole();
      // Rows that an earlier webhook of this name has left do not count.
      await store.write.removeWebhook({ name });
      await placesOf({ name, kinds }, this.#options);
      await store.write.putWebhook({ name, url, secret, kinds, paused: false, madeAt: clock.now() });
      return { secret };
    });
  }

  change(name: string, { url, kinds, paused, newSecret: asked = false }: WebhookChange) {
    const { store } = this.#options;
    return this.#alone(async () => {
      const found = await this.#find(name);
      if (!found || found.isFixed) return found ? 'fixed' : 'unknown';
      const { isFixed: _, ...had } = found;
      const secret = asked || (url !== undefined && url !== had.url) ? newSecret() : null;
      const now = { ...had, url: url ?? had.url, kinds: kinds ?? had.kinds, paused: paused ?? had.paused };
      // A new kind begins with the next event, also where it was wanted once before.
      const added = now.kinds.filter(kind => !had.kinds.includes(kind));
      if (added.length > 0) {
        await store.whole();
        await placesOf({ name, kinds: added }, this.#options, added);
      }
      await store.write.putWebhook({ ...now, secret: secret ?? had.secret });
      for (const kind of had.kinds) if (!now.kinds.includes(kind)) await store.write.dropWebhookKind({ name, kind });
      return { secret };
    });
  }

  remove(name: string): Promise<NotChanged | null> {
    const { store } = this.#options;
    return this.#alone(async () => {
      const found = await this.#find(name);
      if (!found || found.isFixed) return found ? 'fixed' : 'unknown';
      await store.write.removeWebhook({ name });
      return null;
    });
  }

  async test(name: string, signal: AbortSignal): Promise<Called | null> {
    const { store, clock } = this.#options;
    const found = await this.#find(name);
    return found && callWebhook(found, testMessage(store.epoch, name, clock.now()), this.#options, signal);
  }

  async sendAgain(name: string, id: string, signal: AbortSignal): Promise<WebhookDelivery | 'paused' | null> {
    const { store, clock } = this.#options;
    const found = await this.#find(name);
    const known = async () => (await store.read.webhookDeliveries(name)).find(one => one.id === id) ?? null;
    const delivery = found && (await known());
    if (!found || !delivery) return null;
    if (delivery.nextAt !== null || delivery.state === 'ended') {
      if (found.paused) return 'paused';
      if (!this.#calling?.current?.tryNow(name)) await this.#options.processes.tell('webhooks', name);
      return delivery;
    }
    const { kind, afterSeq, throughSeq } = delivery;
    const message = await readMessage(this.#options, { kind, after: afterSeq, through: throughSeq }, signal);
    if (!message) return null;
    const called = await callWebhook(found, { ...message, id }, this.#options, signal);
    const noted = { ...deliveryOf(name, message, called, { at: clock.now(), nextAt: null }), id };
    // The receiver of an old message ends nothing: new ones find out for themselves.
    await store.write.noteWebhookDelivery({ ...noted, state: called.state === 'taken' ? 'taken' : 'failed' });
    return known();
  }

  #inForce(): Promise<WebhookSettings[]> {
    return webhooksInForce(this.#options.store, this.#options.fixed);
  }

  async #find(name: string): Promise<WebhookSettings | null> {
    return (await this.#inForce()).find(one => one.name === name) ?? null;
  }

  /** A change, in force when it resolves; one at a time in all of a region. */
  async #alone<Result>(act: () => Promise<Result>): Promise<Result> {
    const { store, processes } = this.#options;
    const result = await store.shared.alone('webhooks', act);
    await this.#calling?.current?.follow();
    void processes.tell('webhooks', '');
    return result;
  }

  /** Another process has changed the list, or asks to try a webhook now. */
  async #hear(name: string): Promise<void> {
    const running = this.#calling?.current;
    if (name === '') await running?.follow();
    else running?.tryNow(name);
  }
}
