import type { Clock } from '../platform/clock.ts';
import { RateWindows } from '../platform/rate-windows.ts';
import type { LocalUser, StoreReader } from '../store/index.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

export type LoginOutcome =
  | { readonly ok: true; readonly user: LocalUser }
  /** `busy`: too many are being checked. `wait`: too many wrong ones; whether this one is right was not looked at. */
  | { readonly ok: false; readonly why: 'wrong' | 'wait' | 'busy'; readonly retryAfterSeconds: number };

const quarterHourMs = 15 * 60_000;
/** A check takes 19 MiB and 30 ms of a processor: one at a time, and not more than these in the queue. */
const queuedMax = 20;

/** Checks names and passwords. Guesses are slowed down by name at an address, by address, and, so that many addresses cannot share the work, by name. */
export class Logins {
  readonly #read: Pick<StoreReader, 'user'>;
  readonly #clock: Clock;
  readonly #pairs = new RateWindows<string>(5, quarterHourMs);
  readonly #addresses = new RateWindows<string>(50, quarterHourMs);
  readonly #names = new RateWindows<string>(100, quarterHourMs);
  #queued = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** Somebody who is not there takes as long as somebody who is. */
  #nobody: Promise<string> | null = null;

  constructor(options: { read: Pick<StoreReader, 'user'>; clock: Clock }) {
    this.#read = options.read;
    this.#clock = options.clock;
  }

  async login({ name, password, address }: { name: string; password: string; address: string }): Promise<LoginOutcome> {
    const counted = [
      [this.#pairs, `${name}\0${address}`],
      [this.#addresses, address],
      [this.#names, name],
    ] as const;
    const now = this.#clock.monotonic();
    const waitMs = Math.max(...counted.map(([tries, key]) => tries.wait(key, now)));
    if (waitMs > 0) return { ok: false, why: 'wait', retryAfterSeconds: Math.ceil(waitMs / 1000) };
    if (this.#queued >= queuedMax) return { ok: false, why: 'busy', retryAfterSeconds: 2 };
    // Counted before it is known, so that many at once do not get in more guesses.
    for (const [tries, key] of counted) tries.take(key, now);
    const user = await this.#inTurn(() => this.#check(name, password));
    if (!user) return { ok: false, why: 'wrong', retryAfterSeconds: 0 };
    this.#pairs.forget(`${name}\0${address}`);
    return { ok: true, user };
  }

  async #check(name: string, password: string): Promise<LocalUser | null> {
    this.#nobody ??= hashPassword('nobody');
    const user = await this.#read.user(name);
    const right = await verifyPassword(password, user?.passwordHash ?? (await this.#nobody));
    return right && user?.passwordHash ? user : null;
  }

  async #inTurn<Result>(check: () => Promise<Result>): Promise<Result> {
    this.#queued++;
    const mine = this.#last.then(check);
    this.#last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      this.#queued--;
    }
  }
}
