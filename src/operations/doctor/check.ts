import type { Check, CheckName, CheckState } from '../../platform/checks.ts';
import type { SetupError } from '../../platform/setup-result.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Found, found } from '../../words/checks.ts';

export interface Finding extends Found {
  readonly state: CheckState;
  /** Error that a device in this place would report (SPEC 7.6). */
  readonly error?: SetupError;
}

/** How long one link may take; a chain of all of them ends within a minute. */
export const linkMs = 5000;

/** Runs a check and measures how long it took. A check that throws has failed. */
export async function check(
  name: CheckName,
  of: string,
  clock: Clock,
  look: () => Finding | Promise<Finding>,
): Promise<Check> {
  const since = clock.monotonic();
  const finding = await Promise.resolve()
    .then(look)
    .catch((error): Finding => ({ state: 'failed', ...found('check_failed', { error: (error as Error).message }) }));
  return made(name, of, finding, Math.round(clock.monotonic() - since));
}

export const skipped = (name: CheckName, of: string, because: CheckName): Check =>
  made(name, of, { state: 'skipped', ...found('skipped', { because }) }, 0);

const made = (name: CheckName, of: string, finding: Finding, ms: number): Check => ({
  ...{ name, of, ms, error: null },
  ...finding,
});

/** Waits at most `ms`; null: timed out. The work is abandoned. */
export async function withinMs<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | null> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
    promise.catch(() => {});
  }
}
