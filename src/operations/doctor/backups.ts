import type { UnixMs } from '../../runtime/clock.ts';
import { momentText } from '../../runtime/wall-time.ts';
import { found } from '../../words/checks.ts';
import { type Why, withWhy } from '../../words/sentences.ts';
import type { Finding } from './check.ts';

/** Where backups by schedule go, and how it went. */
interface BackupTargetFacts {
  /** As under `backups` in the config. */
  readonly name: string;
  readonly where: string;
  readonly lastGoodAt: UnixMs | null;
  /** The last restore that was tried, and why it failed; no reason: it did not. */
  readonly restoreTried: (Why & { readonly at: UnixMs }) | null;
  /** Why the last run failed there, with what to do; null: it did not. */
  readonly lastFailure: Why | null;
  /** Tries it now. Null: it answers; else why not, with what to do. */
  answers(): Promise<Why | null>;
}

export interface BackupFacts {
  /** When any backup was last made, by hand too. */
  readonly lastAt: UnixMs | null;
  readonly tooOldMs: number;
  /** Of the site, in which times are shown. */
  readonly timeZone: string;
  readonly targets: readonly BackupTargetFacts[];
}

/** Where no target is set. */
export const noTargetFinding = ({ lastAt, timeZone }: BackupFacts): Finding => ({
  state: 'warn',
  ...found('backup_none', { last: momentOrNone(lastAt, timeZone) }),
});

const momentOrNone = (at: UnixMs | null, timeZone: string): string => (at === null ? '' : momentText(at, timeZone));

/** Whether the target can be used now, and whether what is there is good and not too old. */
export async function targetFinding(
  target: BackupTargetFacts,
  { tooOldMs, timeZone }: Pick<BackupFacts, 'tooOldMs' | 'timeZone'>,
  now: UnixMs,
): Promise<Finding> {
  const { where, lastGoodAt, restoreTried, lastFailure } = target;
  const silent = await target.answers();
  const failed = restoreTried?.why ?? '';
  const known = {
    ...{ where, failed },
    good: momentOrNone(lastGoodAt, timeZone),
    tried: momentOrNone(restoreTried?.at ?? null, timeZone),
  };
  if (silent !== null) return { state: 'failed', ...found('backup_target', { ...withWhy(silent), ...known }) };
  if (lastFailure !== null)
    return { state: 'failed', ...found('backup_failed', { ...withWhy(lastFailure), ...known }) };
  if (failed !== '') return { state: 'failed', ...found('backup_restore', { ...withWhy(restoreTried!), ...known }) };
  if (lastGoodAt === null || now - lastGoodAt > tooOldMs) return { state: 'warn', ...found('backup_old', known) };
  return { state: 'ok', ...found('backup', known) };
}
