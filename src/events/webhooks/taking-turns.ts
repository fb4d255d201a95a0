import { BackgroundJob } from '../../runtime/background-job.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Turn } from '../../store/index.ts';
import type { Webhook, WebhookOptions, WebhookReport, WebhookSettings } from './hook.ts';

const againMs = 5000;

/** Events by HTTP (docs/events.md). */
export interface Webhooks extends AsyncDisposable {
  report(): WebhookReport[];
  /** Null: there is no such webhook, or it has not sent this message lately. */
  sendAgain(name: string, id: string): ReturnType<Webhook['sendAgain']>;
}

/**
 * The webhooks of one of several processes: called while it has the turn. How far each receiver has
 * come is read from the store again when the turn begins.
 */
export class WebhooksInTurn implements Webhooks {
  readonly #webhooks: readonly WebhookSettings[];
  readonly #open: () => Promise<Webhooks>;
  readonly #log: Log;
  readonly #job: BackgroundJob;
  #current: Webhooks | null = null;

  /** `open`: opens those that call, each time the turn begins. */
  constructor(
    turn: Turn,
    open: () => Promise<Webhooks>,
    {
      webhooks,
      clock,
      log,
    }: { readonly webhooks: readonly WebhookSettings[]; readonly clock: Clock; readonly log: Log },
  ) {
    this.#webhooks = webhooks;
    this.#open = open;
    this.#log = log;
    this.#job = new BackgroundJob({
      ...{ clock, turn, everyMs: againMs, retryMs: () => againMs },
      run: signal => this.#call(signal),
      onFailed: error => log.warn({ error: String(error) }, 'the webhooks could not be opened; tried again in 5 s'),
    });
  }

  /** Where another process calls them, what was sent is known there. */
  report(): ReturnType<Webhooks['report']> {
    return (
      this.#current?.report() ??
      this.#webhooks.map(({ name, url, kinds }) => ({ name, url, kinds, ended: null, deliveries: [] }))
    );
  }

  async sendAgain(...[name, id]: Parameters<Webhooks['sendAgain']>): ReturnType<Webhooks['sendAgain']> {
    return (await this.#current?.sendAgain(name, id)) ?? null;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#job[Symbol.asyncDispose]();
  }

  async #call(signal: AbortSignal): Promise<void> {
    await using opened = await this.#open();
    this.#current = opened;
    this.#log.info({}, 'this process calls the webhooks');
    try {
      if (!signal.aborted) await new Promise(over => signal.addEventListener('abort', over, { once: true }));
    } finally {
      this.#current = null;
    }
  }
}

/** The same call, which nothing leaves by once the turn is over, also if its timer is late. */
export const postInTurn =
  (turn: Turn, post: WebhookOptions['post']): WebhookOptions['post'] =>
  async (...call) => {
    if (!turn.isMine) throw new Error('another process of this region calls the webhooks');
    return post(...call);
  };
