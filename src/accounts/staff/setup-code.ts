import { randomInt } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { RateWindow } from '../../platform/rate-window.ts';
import { sameSecret } from '../tokens.ts';

/** Letters and digits that nobody takes for another. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const halfCharacters = 4;
const triesMax = 10;
const quarterHourMs = 15 * 60_000;

/** `XXXX-XXXX`, 39 bits by chance. */
export function makeSetupCode(): string {
  const half = () => Array.from({ length: halfCharacters }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${half()}-${half()}`;
}

/**
 * The one-time code that makes the first account (CONTRACT 6): that of the box's label, else made anew at each start while nobody has an
 * account, so that it is kept nowhere. Ten guesses in a quarter of an hour, whoever makes them.
 */
export class SetupCode {
  readonly #code: string;
  readonly #tries = new RateWindow(triesMax, quarterHourMs);
  readonly #clock: Clock;

  constructor(clock: Clock, code: string) {
    this.#clock = clock;
    this.#code = code;
  }

  /** To be shown to whoever stands at the box. */
  get text(): string {
    return this.#code;
  }

  /** In any case, with or without the hyphen. */
  check(written: string): 'right' | 'wrong' | 'wait' {
    if (!this.#tries.take(this.#clock.monotonic())) return 'wait';
    const plain = (text: string) => text.toUpperCase().replace(/[\s-]/g, '');
    return sameSecret(plain(written), plain(this.#code)) ? 'right' : 'wrong';
  }
}
