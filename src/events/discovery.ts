import { BackgroundJob } from '../runtime/background-job.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { DirectoryStore } from '../store/index.ts';
import { type DiscoveryFacts, discoveryOf } from './home-assistant.ts';

interface DiscoveryOptions {
  readonly facts: () => DiscoveryFacts;
  readonly store: DirectoryStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly publish: (topic: string, payload: string, options: { readonly retain: boolean }) => Promise<void>;
}

const lookMs = 5000;

/**
 * Describes the box and its devices to Home Assistant: at the start, when they come, change or go,
 * and when Home Assistant says that it has started.
 */
export class Discovery implements AsyncDisposable {
  readonly #options: DiscoveryOptions;
  readonly #job: BackgroundJob;
  /** By topic, what was said last. */
  #said: ReadonlyMap<string, string> = new Map();
  #isAll = false;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.#job = new BackgroundJob({
      clock,
      everyMs: lookMs,
      retryMs: () => lookMs,
      run: () => this.#look(),
      onFailed: error => log.warn({ error: String(error) }, 'devices_not_described'),
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#job[Symbol.asyncDispose]();
  }

  /** Hears Home Assistant's own state: `online` after its start. */
  hear(status: string): void {
    if (status !== 'online') return;
    this.#isAll = true;
    this.#job.poke();
  }

  async #look(): Promise<void> {
    const { facts, store, publish } = this.#options;
    const { directory } = store;
    const devices = Array.from(directory.devices(), ({ deviceId, productId, name }) => ({
      deviceId,
      name,
      model: directory.product(productId)?.model ?? productId,
    }));
    const isAll = this.#isAll;
    this.#isAll = false;
    const before = this.#said;
    const now = discoveryOf(facts(), devices);
    this.#said = now;
    for (const [topic, payload] of now)
      if (isAll || before.get(topic) !== payload) await publish(topic, payload, { retain: true });
    // An empty payload removes the device there, and what was retained here.
    for (const topic of before.keys()) if (!now.has(topic)) await publish(topic, '', { retain: true });
  }
}
