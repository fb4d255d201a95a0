import type { Clock, Random } from '../../../src/runtime/clock.ts';

/** APIs over HTTP that fail one by one; `devices` is the device gateway over HTTP. */
export const apiNames = [
  'devices',
  'attendance',
  'files',
  'holidays',
  'weather',
  'speech',
  'messages',
  'upgrades',
  'oauth',
] as const;
export type ApiName = (typeof apiNames)[number];

/**
 * `error`: 503. `slow`: the answer comes 5 s late. `cut`: the connection ends in the middle of the
 * answer. `code`: a body code of which SPEC knows nothing. `limit`: too many calls. `differ`: one
 * value of the answer is changed, for tests of comparisons.
 */
export const apiFaultKinds = ['error', 'slow', 'cut', 'code', 'limit', 'differ'] as const;
export type ApiFaultKind = (typeof apiFaultKinds)[number];
export type ApiFaultName = `${ApiName}.${ApiFaultKind}`;

const slowMs = 5000;

/** Which API fails how, by a probability from 0 (never) to 1 (always); switched while it runs. */
export class ApiFaults {
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #chances = new Map<ApiFaultName, number>();
  readonly #struck = new Map<ApiFaultName, number>();

  constructor(random: Random, clock: Clock) {
    this.#random = random;
    this.#clock = clock;
  }

  set(api: ApiName, kind: ApiFaultKind, chance = 1): void {
    this.#chances.set(`${api}.${kind}`, chance);
  }

  clear(): void {
    this.#chances.clear();
  }

  /** How often each has happened. */
  struck(): Record<string, number> {
    return Object.fromEntries(this.#struck);
  }

  strikes(api: ApiName, kind: ApiFaultKind): boolean {
    const name: ApiFaultName = `${api}.${kind}`;
    const chance = this.#chances.get(name) ?? 0;
    if (chance <= 0 || (chance < 1 && this.#random() >= chance)) return false;
    this.#struck.set(name, (this.#struck.get(name) ?? 0) + 1);
    return true;
  }

  /** Waits when the API is to be slow. */
  async delay(api: ApiName): Promise<void> {
    if (this.strikes(api, 'slow')) await this.#clock.sleep(slowMs);
  }
}

/** Changes the first value that it finds; an answer without values gets an unknown key. */
export function planted(body: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  const inside = (copy.data ?? copy) as Record<string, unknown>;
  if (!changeFirst(inside)) {
    if (Array.isArray(inside)) inside.push('planted');
    else inside.planted = 1;
  }
  return copy;
}

function changeFirst(holder: Record<string, unknown>): boolean {
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value === 'object' && value !== null) {
      if (changeFirst(value as Record<string, unknown>)) return true;
      continue;
    }
    if (typeof value === 'string') holder[key] = `${value}~`;
    else if (typeof value === 'number') holder[key] = value + 1;
    else if (typeof value === 'boolean') holder[key] = !value;
    else continue;
    return true;
  }
  return false;
}
