import type { Alert, AlertMessage } from '../platform/alerts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { AlertStore } from '../store/index.ts';

/** For how long the history goes back. */
const historyMs = 400 * 24 * 3600_000;

/**
 * Changes that the store does not have yet. Each `save` is one commit; changes that a full disk
 * refuses wait for the next one. Bounded by the alerts that are open and the queues of the
 * channels.
 */
export class Unsaved {
  readonly #store: AlertStore;
  readonly #clock: Clock;
  readonly #log: Log;
  #alerts = new Map<string, Alert>();
  #messages = new Map<string, AlertMessage>();
  #removed = new Set<string>();
  #saving: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(store: AlertStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  alert(one: Alert): void {
    this.#alerts.set(one.id, one);
  }

  message(one: AlertMessage): void {
    this.#messages.set(one.id, one);
  }

  removed({ id }: AlertMessage): void {
    this.#messages.delete(id);
    this.#removed.add(id);
  }

  /** Resolves when everything that was noted before is on disk, or was refused. One at a time. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  async #save(): Promise<void> {
    const alerts = this.#alerts;
    const messages = this.#messages;
    const removed = this.#removed;
    if (alerts.size + messages.size + removed.size === 0) return;
    this.#alerts = new Map();
    this.#messages = new Map();
    this.#removed = new Set();
    try {
      await this.#store.write.saveAlerts({
        alerts: [...alerts.values()],
        messages: [...messages.values()],
        removedMessages: [...removed],
        forgetBefore: this.#clock.now() - historyMs,
      });
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#log.warn({ error: String(error) }, 'alerts_not_stored');
      this.#hasFailed = true;
      // Changes made meanwhile are newer.
      this.#alerts = new Map([...alerts, ...this.#alerts]);
      this.#removed = new Set([...removed, ...this.#removed]);
      this.#messages = new Map([...messages, ...this.#messages].filter(([id]) => !this.#removed.has(id)));
    }
  }
}
