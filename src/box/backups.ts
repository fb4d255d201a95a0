import { lastBackupAt, noteBackup, recoveryRecipientOf } from '../admin/index.ts';
import { statementsHold } from '../attendance/index.ts';
import { type Backups, openBackups } from '../backups/index.ts';
import type { Config } from '../config/index.ts';
import type { BackupFacts } from '../operations/index.ts';
import { programVersion } from '../runtime/version.ts';
import type { Store } from '../store/index.ts';
import { whyIn, whyOf } from '../words/sentences.ts';
import type { Gateways } from './gateways.ts';
import type { Storage } from './storage.ts';

/**
 * Opens the backups by schedule: the settings from the config, what is verified from the parts.
 * Null in a region, whose database server makes the backups (docs/region-backups.md).
 */
export async function openBoxBackups(
  { config, store, clock, log }: Storage,
  { upstream }: Pick<Gateways, 'upstream'>,
): Promise<Backups | null> {
  if (config.store.engine === 'postgres') return null;
  return openBackups({
    ...{ store, clock, dataDir: config.data_dir, fixed: config.backups },
    log: log.child({ part: 'backups' }),
    // Read for each run: the site may be renamed, or moved to another zone.
    site: () => config.site.name,
    timeZone: () => config.site.timezone,
    version: programVersion,
    recipient: () => recoveryRecipientOf(store.read),
    above: upstream.backupsAbove,
    verifyStatements: (unpacked, kept) => statementsHold(unpacked, kept),
    onGood: bytes => noteBackup(store, bytes, clock),
  });
}

/** Facts about backups for `gatehouse doctor`. */
export async function backupFacts(backups: Backups, read: Store['read'], site: Config['site']): Promise<BackupFacts> {
  const { targets, tooOldMs } = await backups.report();
  return {
    lastAt: await lastBackupAt(read),
    tooOldMs,
    timeZone: site.timezone,
    targets: targets.map(({ name, where, lastGoodAt, drill, failure }) => ({
      ...{ name, where, lastGoodAt, restoreTried: drill, lastFailure: failure && whyIn(failure) },
      answers: async () => {
        const failure = await backups.tryTarget(name);
        return failure && whyOf(failure.said);
      },
    })),
  };
}
