import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../runtime/log.ts';
import { workPrefix } from './backup.ts';

/**
 * Deletes what backups and transfers were working on when the program ended, such as a copy of the
 * database. Goes on after it returns; what is begun from now on is not touched.
 */
export function clearLeftWork(dataDir: string, log: Log): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(workPrefix))
      rm(join(dataDir, name), { recursive: true, force: true }).catch(error =>
        log.warn({ error: String(error) }, 'temporary_files_not_deleted'),
      );
}
