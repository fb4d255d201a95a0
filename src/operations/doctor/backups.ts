import type { UnixMs } from '../../runtime/clock.ts';
import { momentText } from '../../runtime/wall-time.ts';
import type { Finding } from './check.ts';

/** Where backups by schedule go, and how it went. */
interface BackupTargetFacts {
  /** As under `backups` in the config. */
  readonly name: string;
  readonly where: string;
  readonly lastGoodAt: UnixMs | null;
  /** The last restore that was tried; `why`: the reason why it failed, or null. */
  readonly restoreTried: { readonly at: UnixMs; readonly why: string | null } | null;
  /** Why the last run failed there, with what to do; null: it did not. */
  readonly lastFailure: string | null;
  /** Tries it now. Null: it answers; else why not, with what to do. */
  answers(): Promise<string | null>;
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
  code: 'backup_none',
  message: `no target is set: no backup is made by schedule; ${lastAt === null ? 'none was made by hand' : `the last by hand was made ${momentText(lastAt, timeZone)}`}`,
  remedy: 'name a target on the page System, Backup, or under backups in the config',
});

/** Whether the target can be used now, and whether what is there is good and not too old. */
export async function targetFinding(
  target: BackupTargetFacts,
  { tooOldMs, timeZone }: Pick<BackupFacts, 'tooOldMs' | 'timeZone'>,
  now: UnixMs,
): Promise<Finding> {
  const { where, lastGoodAt, restoreTried, lastFailure } = target;
  const silent = await target.answers();
  const good =
    lastGoodAt === null ? 'no good one yet' : `the last good one was made ${momentText(lastGoodAt, timeZone)}`;
  const tried =
    restoreTried === null
      ? 'no restore was tried'
      : `a restore ${restoreTried.why === null ? 'was tried' : 'failed'} ${momentText(restoreTried.at, timeZone)}`;
  const facts = { where };
  const known = `${good}, ${tried}`;
  // The reasons end with what is to be done.
  if (silent !== null)
    return { state: 'failed', code: 'backup_target', facts, message: `cannot be used now; ${known}`, remedy: silent };
  if (lastFailure !== null)
    return {
      state: 'failed',
      code: 'backup_failed',
      facts,
      message: `the last run failed; ${known}`,
      remedy: lastFailure,
    };
  if (restoreTried !== null && restoreTried.why !== null)
    return { state: 'failed', code: 'backup_restore', facts, message: `${where}: ${known}`, remedy: restoreTried.why };
  if (lastGoodAt === null || now - lastGoodAt > tooOldMs)
    return {
      state: 'warn',
      code: 'backup_old',
      facts,
      message: `${where} answers; ${known}`,
      remedy: '`Back up now` on the page System, Backup makes one, and says what is wrong',
    };
  return { state: 'ok', code: 'backup', facts, message: `${where} answers; ${known}` };
}
