import { noteBackup, recoveryRecipientOf } from '../admin/index.ts';
import { statementsHold } from '../attendance/index.ts';
import { type Backups, openBackups } from '../backups/index.ts';
import { programVersion } from '../runtime/version.ts';
import type { Storage } from './storage.ts';

/** Opens the backups by schedule: the settings from the config, what is verified from the parts. */
export const openBoxBackups = ({ config, store, clock, log }: Storage): Promise<Backups> =>
  openBackups({
    ...{ store, clock, dataDir: config.data_dir, fixed: config.backups },
    log: log.child({ part: 'backups' }),
    // Read for each run: the site may be renamed, or moved to another zone.
    site: () => config.site.name,
    timeZone: () => config.site.timezone,
    version: programVersion,
    recipient: () => recoveryRecipientOf(store.read),
    verifyStatements: (unpacked, kept) => statementsHold(unpacked, kept),
    onGood: bytes => noteBackup(store, bytes, clock),
  });
