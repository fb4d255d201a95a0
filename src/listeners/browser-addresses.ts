import type { Clock } from '../runtime/clock.ts';
import { plainAddress } from '../runtime/plain-address.ts';
import { distrustsBox } from './handshakes.ts';

const rememberedMs = 24 * 3600_000;
/** Addresses that are remembered at once; the oldest is forgotten first. */
const addressesMax = 2_000;

interface Seen {
  /** When pages were last asked for; null: never. */
  readonly cameAt: number | null;
  /** When the certificate was last refused; null: never. */
  readonly refusedAt: number | null;
}

/**
 * Addresses that browsers have, so that a browser that does not trust the certificate of the box is
 * told apart from a terminal that does not. Only HTTPS counts: browsers speak no MQTT.
 */
export class BrowserAddresses {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that pages were opened; answers whether that browser lately refused the certificate. */
  came(address: string): boolean {
    const { refusedAt } = this.#note(address, { cameAt: this.#clock.monotonic() });
    return this.#isRecent(refusedAt);
  }

  /** A handshake over HTTPS failed. Answers whether it is a browser's. */
  failed(address: string, error: Error): boolean {
    const known = this.#seen.get(plainAddress(address));
    const refuses = error.message === distrustsBox;
    const { cameAt } = refuses ? this.#note(address, { refusedAt: this.#clock.monotonic() }) : (known ?? never);
    return this.#isRecent(cameAt);
  }

  has(address: string): boolean {
    return this.#isRecent((this.#seen.get(plainAddress(address)) ?? never).cameAt);
  }

  #note(address: string, news: Partial<Seen>): Seen {
    const plain = plainAddress(address);
    const seen = { ...(this.#seen.get(plain) ?? never), ...news };
    this.#seen.delete(plain);
    this.#seen.set(plain, seen);
    if (this.#seen.size > addressesMax) this.#seen.delete(this.#seen.keys().next().value!);
    return seen;
  }

  #isRecent(at: number | null): boolean {
    return at !== null && this.#clock.monotonic() - at < rememberedMs;
  }
}

const never: Seen = { cameAt: null, refusedAt: null };
