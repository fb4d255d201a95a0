import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { explainRefusal, type Refusal } from '../platform/refusals.ts';
import type { Door, Store } from '../store/index.ts';

interface Caller {
  readonly door: Door;
  readonly clientId: string;
  readonly address: string;
}

const clientIdKept = 80;
/** A device that retries every few seconds is written down once a while; others still find room. */
const repeatMs = 2_000;
const rememberedMax = 5_000;

/** Writes refused logins down, with the reason and for the person who asks; a flood of them never becomes a flood of writes. */
export class RefusalBook {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #notedAt = new Map<string, number>();
  count = 0;

  constructor(options: { store: Store; clock: Clock; log: Log }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  note(caller: Caller, refusal: Refusal): void {
    this.count++;
    const clientId = caller.clientId.slice(0, clientIdKept);
    const key = `${clientId.toUpperCase()} ${refusal.code}`;
    const now = this.#clock.monotonic();
    const last = this.#notedAt.get(key);
    if (last !== undefined && now - last < repeatMs) return;
    this.#notedAt.delete(key);
    this.#notedAt.set(key, now);
    if (this.#notedAt.size > rememberedMax) this.#notedAt.delete(this.#notedAt.keys().next().value!);
    this.#log.info(
      { device: clientId, address: caller.address, reason: refusal.code },
      `refused: ${explainRefusal(refusal)}`,
    );
    const { door, address } = caller;
    this.#store.write
      .noteRefusal({ at: this.#clock.now(), door, clientId, address, code: refusal.code, detail: refusal.detail })
      .catch(error => this.#log.warn({ error: String(error) }, 'a refusal could not be written down'));
  }
}
