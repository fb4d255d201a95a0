import type { Clock } from '../runtime/clock.ts';
import { plainAddress } from '../runtime/plain-address.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import type { Processes } from '../store/index.ts';

/** Wrong logins without a delay, and how many ms it takes until one of them is forgotten. */
const freeByAddress = 20;
const freeById = 5;
const forgetMs = 6_000;
/** Counting stops here, so that a minute or two after an attack logins are as fast as before. */
const countedMax = 10;
const delayMsMin = 250;
const delayMsMax = 3_000;
/** How many logins may wait: from one address, for one device id, in total. */
const waitingByAddress = 6;
const waitingById = 12;
/**
 * Places among those that wait for one id which are reserved for addresses without recent wrong
 * logins.
 */
const keptForOthers = 4;
const waitingMax = 256;
const keysMax = 10_000;
/** The other processes of a region are not told of more: in a flood each counts by itself. */
const toldPerSecondMax = 50;

interface Level {
  wrong: number;
  at: number;
}

/**
 * Recent wrong logins of each key. Keeps at most `keysMax` keys and drops the one that was quiet
 * longest.
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
 * Delays logins after wrong ones, by address and by device id, but locks nobody out: after some
 * wrong logins each further one waits up to 3 s before its password is checked. If too many wait
 * already, a login is refused unchecked. The caller exempts logins from a device's last known
 * address. Wrong logins count at all processes of a region, whichever of them they came to.
 */
export class LoginPace {
  readonly #clock: Clock;
  readonly #byAddress = new WrongLogins(freeByAddress);
  readonly #byId = new WrongLogins(freeById);
  readonly #waiting = new Map<string, number>();
  readonly #closing = new AbortController();
  #waitingInSum = 0;
  readonly #processes: Processes;
  readonly #sent = new RateWindow(toldPerSecondMax, 1000);

  constructor(clock: Clock, processes: Processes) {
    this.#clock = clock;
    this.#processes = processes;
    processes.onMessage('wrong-logins', text => {
      const [by, id = '', place = ''] = text.split(' ');
      this.#add(id, place, by === '1' ? 1 : -1);
    });
  }

  /**
   * Turn of a login; null if it may be checked now. Otherwise resolves after its wait; false means
   * to refuse the login without checking its password.
   */
  delay(id: string, address: string): Promise<boolean> | null {
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

  /** Takes a wrong login back: the cloud knows the password. */
  forgive(id: string, address: string): void {
    this.#count(id, address, -1);
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
  }

  #count(id: string, address: string, by: 1 | -1): void {
    const place = placeOf(address);
    this.#add(id, place, by);
    if (this.#sent.take(this.#clock.monotonic())) void this.#processes.tell('wrong-logins', `${by} ${id} ${place}`);
  }

  #add(id: string, place: string, by: 1 | -1): void {
    const now = this.#clock.monotonic();
    this.#byAddress.add(place, by, now);
    this.#byId.add(id, by, now);
  }

  async #wait(keys: readonly string[], delayMs: number): Promise<boolean> {
    this.#waitingInSum++;
    for (const key of keys) this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    try {
      await this.#clock.sleep(delayMs, this.#closing.signal);
      return true;
    } catch {
      return false; // The box is closing.
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
 * Key under which logins of one address are counted: an IPv4 address, or the 64-bit prefix of an
 * IPv6 address, which is what one subscriber gets. Link-local addresses count whole.
 */
function placeOf(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':') || plain.startsWith('fe80:')) return plain;
  const [head = '', tail] = plain.split('::') as [string, string | undefined];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) while (groups.length < 4) groups.push('0');
  return `${groups.slice(0, 4).join(':')}::/64`;
}
