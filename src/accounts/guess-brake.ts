import { plainAddress } from '../runtime/plain-address.ts';

interface Tries {
  wrong: number;
  /** Being checked; counted as wrong until the result is known. */
  underWay: number;
  waitUntil: number;
  heardAt: number;
}

const quietMs = 3600_000;
const firstWaitMs = 1000;

/**
 * Slows down guessing and locks nobody out. Some wrong tries in a row are free; each further one
 * doubles the wait before the next is checked, up to `waitMaxMs`. A right try resets the count, and
 * so does an hour without a wrong one. Holds at most `keysMax` keys and drops the least recently
 * used.
 */
export class GuessBrake {
  readonly #free: number;
  readonly #waitMaxMs: number;
  readonly #keysMax: number;
  /** The least recently used key is first. */
  readonly #tries = new Map<string, Tries>();

  constructor({ free, waitMaxMs, keysMax = 10_000 }: { free: number; waitMaxMs: number; keysMax?: number }) {
    this.#free = free;
    this.#waitMaxMs = waitMaxMs;
    this.#keysMax = keysMax;
  }

  get size(): number {
    return this.#tries.size;
  }

  /**
   * Milliseconds to wait. 0: this try may be checked, and `end` has to be called; until then it
   * counts as wrong, so that parallel tries gain nothing. `now`: monotonic. `free`: fewer free
   * tries than usual, for a key that is under attack.
   */
  begin(key: string, now: number, free = this.#free): number {
    const held = this.#tries.get(key);
    const tries = held && now - held.heardAt < quietMs ? held : { wrong: 0, underWay: 0, waitUntil: now, heardAt: now };
    if (tries.wrong + tries.underWay >= free) {
      if (now < tries.waitUntil) return tries.waitUntil - now;
      if (tries.underWay > 0) return firstWaitMs;
    }
    tries.underWay++;
    tries.heardAt = now;
    this.#tries.delete(key);
    this.#tries.set(key, tries);
    for (const [quiet] of this.#tries) {
      if (this.#tries.size <= this.#keysMax) break;
      this.#tries.delete(quiet);
    }
    return 0;
  }

  /** How the try went; `not_looked_at` gives it back. */
  end(key: string, now: number, outcome: 'right' | 'wrong' | 'not_looked_at'): void {
    const tries = this.#tries.get(key);
    if (!tries) return;
    tries.underWay = Math.max(0, tries.underWay - 1);
    if (outcome === 'not_looked_at') return;
    tries.wrong = outcome === 'right' ? 0 : tries.wrong + 1;
    const doublings = Math.max(0, tries.wrong - this.#free);
    tries.waitUntil = outcome === 'right' ? now : now + Math.min(this.#waitMaxMs, firstWaitMs * 2 ** doublings);
  }
}

/**
 * Key under which attempts of one address are counted: an IPv4 address, or the /64 network of an
 * IPv6 address, within which a subscriber can choose any.
 */
export function addressKey(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('%', 1)[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = plain.includes('::') && tail !== '' ? tail.split(':') : [];
  const missing = plain.includes('::') ? Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0') : [];
  const groups = [...before, ...missing, ...after].slice(0, 4);
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
