import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { askedDatabase, refusesLogins } from '../../store/index.ts';
import { examineRegion, type RegionCheck } from './checks.ts';
import { roles } from './database-files.ts';
import { proxySocket } from './proxy-file.ts';
import { configFolder, type RegionChoices, type RegionSecrets, regionOf } from './region.ts';

/** Choices that `install.sh` has left on this machine; null: it is none of a region. */
export function installedRegion(folder = configFolder): RegionChoices | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'region.json'), 'utf8')) as RegionChoices;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * A region's checks, each as it is done, from one of its machines. `url`: `store.url` of its
 * process.
 */
export async function* examineInstalledRegion(
  choices: RegionChoices,
  { url, clock, timeZone }: { readonly url: string; readonly clock: Clock; readonly timeZone: string },
): AsyncGenerator<RegionCheck> {
  const { machines } = regionOf(choices, {} as RegionSecrets);
  await using database = askedDatabase(url);
  const users = ['postgres', 'replicator', roles.owner, roles.writer];
  const logins = (host: string) =>
    users.flatMap(user =>
      ['disable', 'no-verify'].map(mode => `postgresql://${user}@${host}/gatehouse?sslmode=${mode}`),
    );
  yield* examineRegion({
    ...{ machines, clock, timeZone, folder: configFolder, socket: proxySocket },
    ask: database.ask,
    isRefused: host => refusesLogins(logins(host)),
  });
}
