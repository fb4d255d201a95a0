import { explainRefusal, isBeforeLogin, type Refusal } from '../platform/refusals.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import { RateWindows } from '../runtime/rate-windows.ts';
import type { GatewayName, GatewayStore } from '../store/index.ts';
import { whyOf, withWhy } from '../words/sentences.ts';

interface Caller {
  readonly gateway: GatewayName;
  readonly clientId: string;
  readonly address: string;
}

const clientIdKept = 80;
/**
 * The shortest interval between two rows for one id and reason, so that a device that keeps trying
 * leaves room for others.
 */
const repeatMs = 2_000;
/** The most rows in a minute, for one address and in total. */
const perMinuteOfAddress = 30;
const perMinute = 120;
const rememberedMax = 5_000;

interface Remembered {
  readonly at: number;
  /** Refusals that were not written since. */
  unwritten: number;
}

/**
 * Logs refused logins with their reason. Limits the writes: a refusal that is not written at once
 * is added to the count of the next one with the same id and reason.
 */
export class RefusalLog {
  readonly #store: Pick<GatewayStore, 'write'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #remembered = new Map<string, Remembered>();
  readonly #ofAddress = new RateWindows<string>(perMinuteOfAddress, 60_000);
  readonly #inSum = new RateWindow(perMinute, 60_000);
  readonly #refused: (refusal: { clientId: string; code: string; at: UnixMs }) => void;
  /** Refused logins since the start; what fails before the login may be a browser. */
  count = 0;

  constructor(options: {
    store: Pick<GatewayStore, 'write'>;
    clock: Clock;
    log: Log;
    /** Called for each refusal, also for one that is not written. */
    refused?: (refusal: { clientId: string; code: string; at: UnixMs }) => void;
  }) {
    this.#refused = options.refused ?? (() => {});
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  note({ gateway, address, clientId: sent }: Caller, refusal: Refusal): void {
    if (!isBeforeLogin(refusal.code)) this.count++;
    const clientId = sent.slice(0, clientIdKept);
    this.#refused({ clientId, code: refusal.code, at: this.#clock.now() });
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
    const why = whyOf(explainRefusal(refusal));
    this.#log.info({ device: clientId, address, reason: refusal.code }, 'device_refused', withWhy(why));
    const { code, detail } = refusal;
    const times = 1 + (last?.unwritten ?? 0);
    this.#store.write
      .noteRefusal({ at: this.#clock.now(), door: gateway, clientId, address, code, detail, times })
      .catch(error => this.#log.warn({ error: String(error) }, 'refusal_not_stored'));
  }

  #mayWrite(last: Remembered | undefined, address: string, now: number): boolean {
    if (last && now - last.at < repeatMs) return false;
    return this.#inSum.wait(now) === 0 && this.#ofAddress.take(address, now) && this.#inSum.take(now);
  }
}
