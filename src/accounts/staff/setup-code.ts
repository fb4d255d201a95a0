import { randomInt } from 'node:crypto';
import type { Clock } from '../../runtime/clock.ts';
import { addressKey, GuessBrake } from '../guess-brake.ts';
import { sameSecret } from '../tokens.ts';

/** Letters and digits that nobody takes for another. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const halfCharacters = 4;
const freeTries = 10;
const waitMaxMs = 10_000;

/** `XXXX-XXXX`, 39 bits by chance. */
export function makeSetupCode(): string {
  const half = () => Array.from({ length: halfCharacters }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${half()}-${half()}`;
}

/**
 * The one-time code that makes the first account (CONTRACT 6): that of the box's label, else made
 * anew at each start while nobody has an account, so that it is kept nowhere. What protects it are
 * its 39 bits: an address that gets it wrong is slowed down, to a guess each ten seconds, and keeps
 * nobody else from it.
 */
export class SetupCode {
  readonly #code: string;
  readonly #brake = new GuessBrake({ free: freeTries, waitMaxMs });
  readonly #clock: Clock;

  constructor(clock: Clock, code: string) {
    this.#clock = clock;
    this.#code = code;
  }

  /** To be shown to whoever stands at the box. */
  get text(): string {
    return this.#code;
  }

  /**
   * In any case, with or without the hyphen. A number: the seconds to wait, and it was not looked
   * at.
   */
  check(written: string, address: string): 'right' | 'wrong' | number {
    const key = addressKey(address);
    const now = this.#clock.monotonic();
    const wait = this.#brake.begin(key, now);
    if (wait > 0) return Math.ceil(wait / 1000);
    const plain = (text: string) => text.toUpperCase().replace(/[\s-]/g, '');
    const outcome = sameSecret(plain(written), plain(this.#code)) ? 'right' : 'wrong';
    this.#brake.end(key, now, outcome);
    return outcome;
  }
}
