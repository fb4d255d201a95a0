import type { SeenNumber } from '../../../../src/platform/drill.ts';
import { lines } from '../../api.ts';
import { kept } from '../../kept.ts';

/**
 * The last number that this browser has shown, kept where a power cut of the box, a reload or a
 * sign-in does not reach it. After an hour it says nothing any more: the box may have been reset.
 */
type KeptNumber = SeenNumber & { readonly at: number };

const hourMs = 3600_000;

export function keptNumber(): SeenNumber | null {
  try {
    const found = JSON.parse(localStorage.getItem(kept.drill) ?? 'null') as KeptNumber | null;
    return found && Date.now() - found.at < hourMs ? { id: found.id, cut: found.cut, number: found.number } : null;
  } catch {
    return null;
  }
}

export const keepNumber = (seen: SeenNumber): void =>
  localStorage.setItem(kept.drill, JSON.stringify({ ...seen, at: Date.now() }));

export const forgetNumber = (): void => localStorage.removeItem(kept.drill);

/** A box without power closes no connection. While it measures, numbers are late. */
const silentMs = { first: 40_000, next: 4000 } as const;

/**
 * Calls with each number as the box writes it. Resolves when the box no longer counts, or does not
 * answer any more (false).
 */
export async function followNumbers(onNumber: (written: number) => void, signal: AbortSignal): Promise<boolean> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silentMs.first);
  try {
    const numbers = lines('get', '/drill/card/numbers', {}, AbortSignal.any([signal, silence.signal]));
    for await (const said of numbers) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silentMs.next);
      if ('done' in said) return true;
      onNumber(said.written);
    }
    return false;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
