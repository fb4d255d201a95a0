import type { Clock } from './clock.ts';

/**
 * Resolves after `ms`, when `woken` resolves or when `signal` aborts, whichever is first; leaves no
 * timer behind.
 */
export async function waitOrWake(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  woken: Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const ended = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  await Promise.race([woken, clock.sleep(ms, ended).catch(() => {})]);
  over.abort();
}
