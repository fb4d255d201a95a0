import type { Clock } from '../../runtime/clock.ts';
import type { GuessCounts } from '../../runtime/guess-windows.ts';
import { addressKey } from '../guess-brake.ts';
import { plainCode, randomCode } from '../random-code.ts';
import { RegionBrake } from '../region-brake.ts';
import { sameSecret } from '../tokens.ts';

const freeTries = 10;
const waitMaxMs = 10_000;

/** `XXXX-XXXX`: 39 random bits. */
export const makeSetupCode = (): string => randomCode(2);

/**
 * The one-time code that makes the first account (CONTRACT 6): the one on the box's label, else a
 * new one at each start while there is no account, so that it is stored nowhere. Its 39 bits
 * protect it: an address that gets it wrong is slowed down to one guess in ten seconds, and does
 * not keep others from it.
 */
export class SetupCode {
  readonly #code: string;
  readonly #brake: RegionBrake;
  readonly #clock: Clock;

  /** `counts`: those of a region. */
  constructor(clock: Clock, code: string, counts: GuessCounts) {
    this.#brake = new RegionBrake({ name: 'setup code', free: freeTries, waitMaxMs }, counts);
    this.#clock = clock;
    this.#code = code;
  }

  /** To be shown at the box. */
  get text(): string {
    return this.#code;
  }

  /** A number: the seconds to wait; the code was not checked. */
  async check(written: string, address: string): Promise<'right' | 'wrong' | number> {
    const key = addressKey(address);
    const now = this.#clock.monotonic();
    const tried = await this.#brake.begin(key, now);
    if (typeof tried === 'number') return Math.ceil(tried / 1000);
    const outcome = sameSecret(plainCode(written), plainCode(this.#code)) ? 'right' : 'wrong';
    tried.end(now, outcome);
    return outcome;
  }
}
