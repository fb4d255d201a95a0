import type { Clock } from '../runtime/clock.ts';

/** Wrong logins that cost nothing, and after how many ms one of them is forgotten. */
const freeByAddress = 20;
const freeById = 5;
const forgetMs = 6_000;
/**
 * Beyond these no more are counted: after an attack everything is as before within a minute or two.
 */
const countedMax = 10;
const delayMsMin = 250;
const delayMsMax = 3_000;
/** How many wait for their turn: of one address, for one device id, in sum. */
const waitingByAddress = 6;
const waitingById = 12;
/** Kept free of those that wait for one id: for an address that has not been wrong lately. */
const keptForOthers = 4;
const waitingMax = 256;
const keysMax = 10_000;

interface Level {
  wrong: number;
  at: number;
}

/**
 * How many wrong logins came of each key lately; at most `keysMax` keys, then the one that was
 * quiet longest is forgotten.
 */
class WrongLogins {
  readonly #free: number;
  readonly #levels = new Map<string, Level>();

  constructor(free: number) {
    this.#free = free;
  }

  of(key: string, now: number): number {
    const level = this.#levels.get(key);
    return level ? Math.max(0, level.wrong - (now - level.at) / forgetMs) : 0;
  }

  add(key: string, by: 1 | -1, now: number): void {
    const wrong = Math.min(this.#free + countedMax, Math.max(0, this.of(key, now) + by));
    this.#levels.delete(key);
    if (wrong > 0) this.#levels.set(key, { wrong, at: now });
    if (this.#levels.size > keysMax) this.#levels.delete(this.#levels.keys().next().value!);
  }

  delayMs(key: string, now: number): number {
    const over = this.of(key, now) - this.#free;
    return over < 0 ? 0 : Math.min(delayMsMax, delayMsMin * 2 ** over);
  }
}

/**
 * Slows wrong logins down, by address and by device id, and locks nobody out: after some wrong ones
 * each further login waits up to 3 s before its password is looked at. Where more wait than there
 * is room for, a login is refused without a look. The caller lets those pass that log in from where
 * they did before.
 */
export class LoginPace {
  readonly #clock: Clock;
  readonly #byAddress = new WrongLogins(freeByAddress);
  readonly #byId = new WrongLogins(freeById);
  readonly #waiting = new Map<string, number>();
  readonly #closing = new AbortController();
  #waitingInSum = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Null: its turn is now. Otherwise resolves when it has waited; false: it is refused, and its
   * password is not to be looked at.
   */
  turn(id: string, address: string): Promise<boolean> | null {
    const now = this.#clock.monotonic();
    const place = placeOf(address);
    const delayMs = Math.max(this.#byAddress.delayMs(place, now), this.#byId.delayMs(id, now));
    if (delayMs === 0) return null;
    const room = this.#byAddress.of(place, now) > 0 ? waitingById : waitingById + keptForOthers;
    const keys = [`address ${place}`, `id ${id}`] as const;
    const [fromHere, forIt] = keys.map(key => this.#waiting.get(key) ?? 0) as [number, number];
    if (fromHere >= waitingByAddress || forIt >= room || this.#waitingInSum >= waitingMax)
      return Promise.resolve(false);
    return this.#wait(keys, delayMs);
  }

  /** Counts a wrong login. */
  failed(id: string, address: string): void {
    this.#count(id, address, 1);
  }

  /** It was right after all: the cloud knows it. */
  forgive(id: string, address: string): void {
    this.#count(id, address, -1);
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
  }

  #count(id: string, address: string, by: 1 | -1): void {
    const now = this.#clock.monotonic();
    this.#byAddress.add(placeOf(address), by, now);
    this.#byId.add(id, by, now);
  }

  async #wait(keys: readonly string[], delayMs: number): Promise<boolean> {
    this.#waitingInSum++;
    for (const key of keys) this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    try {
      await this.#clock.sleep(delayMs, this.#closing.signal);
      return true;
    } catch {
      return false; // the box is closing
    } finally {
      this.#waitingInSum--;
      for (const key of keys) {
        const left = this.#waiting.get(key)! - 1;
        if (left > 0) this.#waiting.set(key, left);
        else this.#waiting.delete(key);
      }
    }
  }
}

/**
 * What counts as one address: an IPv4 address, and of IPv6 the 64 bits that one subscriber or host
 * has to himself; link-local ones whole.
 */
function placeOf(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':') || plain.startsWith('fe80:')) return plain;
  const [head = '', tail] = plain.split('::') as [string, string | undefined];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) while (groups.length < 4) groups.push('0');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** An IPv4 address that came in over IPv6 is itself. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
