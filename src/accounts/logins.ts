import type { Clock } from '../runtime/clock.ts';
import { type GuessCounts, GuessWindows } from '../runtime/guess-windows.ts';
import type { LocalUser, StoreReader } from '../store/index.ts';
import { CheckQueue } from './check-queue.ts';
import { addressKey } from './guess-brake.ts';
import { type HashStrength, hashPassword, verifyPassword } from './passwords.ts';
import { RegionBrake, type Try } from './region-brake.ts';

export type LoginOutcome =
  | { readonly ok: true; readonly user: LocalUser }
  /** `busy`: too many are being checked. `wait`: too many wrong ones; this one was not checked. */
  | { readonly ok: false; readonly why: 'wrong' | 'wait' | 'busy'; readonly retryAfterSeconds: number };

interface LoginTry {
  readonly name: string;
  readonly password: string;
  readonly address: string;
  /** Identifies a browser or a session that is known to be the person's; null: a stranger's. */
  readonly known: string | null;
}

const nameCharactersMax = 64;
const minuteMs = 60_000;
const waitMaxMs = minuteMs;
const busyRetrySeconds = 3;
/**
 * A name that strangers get wrong so often in an hour is under attack: from each new address one
 * try is free then.
 */
const wrongForNameAnHour = 100;
const freeUnderAttack = 1;

/**
 * Checks names and passwords. Wrong ones slow down the pair of name and address, never the name
 * alone, so that no stranger can keep a person out. A browser that signed in before has its own
 * count. A check at full strength takes 19 MiB and 30 ms of CPU: they run one at a time, in turns
 * by address.
 */
export class Logins {
  readonly #read: Pick<StoreReader, 'user'>;
  readonly #clock: Clock;
  readonly #hashStrength: HashStrength;
  readonly #known: RegionBrake;
  readonly #pairs: RegionBrake;
  /** Only wrong ones: limits what one address may cost with made-up names. */
  readonly #addresses: GuessWindows;
  readonly #names: GuessWindows;
  readonly #checks = new CheckQueue({ perKey: 8, unknown: 48, known: 16 });
  /** An unknown name takes as long as a known one. */
  #nobody: Promise<string> | null = null;

  /** `counts`: those of a region. `hashStrength`: that of the accounts, for unknown names. */
  constructor(options: {
    read: Pick<StoreReader, 'user'>;
    clock: Clock;
    hashStrength: HashStrength;
    counts: GuessCounts;
  }) {
    const { counts } = options;
    this.#read = options.read;
    this.#clock = options.clock;
    this.#hashStrength = options.hashStrength;
    this.#known = new RegionBrake({ name: 'known browser', free: 10, waitMaxMs }, counts);
    this.#pairs = new RegionBrake({ name: 'login', free: 5, waitMaxMs }, counts);
    this.#addresses = new GuessWindows({ name: 'login from', limit: 60, windowMs: minuteMs }, counts);
    this.#names = new GuessWindows({ name: 'login as', limit: wrongForNameAnHour, windowMs: 60 * minuteMs }, counts);
  }

  async login(asked: LoginTry): Promise<LoginOutcome> {
    if (asked.name.length > nameCharactersMax) return { ok: false, why: 'wrong', retryAfterSeconds: 0 };
    const { known } = asked;
    const now = this.#clock.monotonic();
    const ofKnown = known === null ? 0 : await this.#known.begin(known, now);
    if (known !== null && typeof ofKnown !== 'number')
      return this.#look(asked, { tried: ofKnown, key: known, isKnown: true });
    const address = addressKey(asked.address);
    const wait = this.#addresses.wait(address, now);
    if (wait > 0) return waitFor(wait);
    const key = `${asked.name}\0${address}`;
    const isUnderAttack = this.#names.wait(asked.name, now) > 0;
    const tried = await (isUnderAttack ? this.#pairs.begin(key, now, freeUnderAttack) : this.#pairs.begin(key, now));
    if (typeof tried === 'number') return waitFor(tried);
    const outcome = await this.#look(asked, { tried, key: address, isKnown: false });
    if (!outcome.ok && outcome.why === 'wrong') {
      const then = this.#clock.monotonic();
      this.#addresses.take(address, then);
      this.#names.take(asked.name, then);
    }
    return outcome;
  }

  async #look(
    { name, password }: LoginTry,
    { tried, key, isKnown }: { tried: Try; key: string; isKnown: boolean },
  ): Promise<LoginOutcome> {
    const end = (outcome: Parameters<Try['end']>[1]) => tried.end(this.#clock.monotonic(), outcome);
    const checked = this.#checks.run(key, isKnown, () => this.#check(name, password));
    if (checked === null) {
      end('not_looked_at');
      return { ok: false, why: 'busy', retryAfterSeconds: busyRetrySeconds };
    }
    try {
      const user = await checked;
      end(user ? 'right' : 'wrong');
      return user ? { ok: true, user } : { ok: false, why: 'wrong', retryAfterSeconds: 0 };
    } catch (error) {
      end('not_looked_at');
      throw error;
    }
  }

  async #check(name: string, password: string): Promise<LocalUser | null> {
    this.#nobody ??= hashPassword('nobody', this.#hashStrength);
    const user = await this.#read.user(name);
    const right = await verifyPassword(password, user?.passwordHash ?? (await this.#nobody));
    return right && user?.passwordHash ? user : null;
  }
}

const waitFor = (ms: number): LoginOutcome => ({
  ok: false,
  why: 'wait',
  retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)),
});
