import { explainRefusal, type Refusal } from '../platform/refusals.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import { RateWindows } from '../runtime/rate-windows.ts';
import type { GatewayName, GatewayStore } from '../store/index.ts';

interface Caller {
  readonly gateway: GatewayName;
  readonly clientId: string;
  readonly address: string;
}

const clientIdKept = 80;
/** A device that retries every few seconds is written down once a while; others still find room. */
const repeatMs = 2_000;
/** However many are turned away: rows written in any minute, of one address and in sum. */
const perMinuteOfAddress = 30;
const perMinute = 120;
const rememberedMax = 5_000;

interface Remembered {
  readonly at: number;
  /** How many were not written down since. */
  unwritten: number;
}

/**
 * Writes refused logins down, with the reason and for the person who asks; a flood of them never
 * becomes a flood of writes. What is not written down at once is counted with the next of the same
 * id and reason that is.
 */
export class RefusalLog {
  readonly #store: Pick<GatewayStore, 'write'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #remembered = new Map<string, Remembered>();
  readonly #ofAddress = new RateWindows<string>(perMinuteOfAddress, 60_000);
  readonly #inSum = new RateWindow(perMinute, 60_000);
  count = 0;

  constructor(options: { store: Pick<GatewayStore, 'write'>; clock: Clock; log: Log }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  note({ gateway, address, clientId: sent }: Caller, refusal: Refusal): void {
    this.count++;
    const clientId = sent.slice(0, clientIdKept);
    const key = `${clientId.toUpperCase()} ${refusal.code}`;
    const now = this.#clock.monotonic();
    const last = this.#remembered.get(key);
    if (!this.#mayWrite(last, address, now)) {
      if (last) last.unwritten++;
      return;
    }
    this.#remembered.delete(key);
    this.#remembered.set(key, { at: now, unwritten: 0 });
    if (this.#remembered.size > rememberedMax) this.#remembered.delete(this.#remembered.keys().next().value!);
    this.#log.info({ device: clientId, address, reason: refusal.code }, `refused: ${explainRefusal(refusal)}`);
    const { code, detail } = refusal;
    const times = 1 + (last?.unwritten ?? 0);
    this.#store.write
      .noteRefusal({ at: this.#clock.now(), door: gateway, clientId, address, code, detail, times })
      .catch(error => this.#log.warn({ error: String(error) }, 'a refusal could not be written down'));
  }

  #mayWrite(last: Remembered | undefined, address: string, now: number): boolean {
    if (last && now - last.at < repeatMs) return false;
    return this.#inSum.wait(now) === 0 && this.#ofAddress.take(address, now) && this.#inSum.take(now);
  }
}
