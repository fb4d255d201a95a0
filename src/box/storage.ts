import { join } from 'node:path';
import { type Config, ownCertificate, rememberConfig } from '../config/index.ts';
import { type Certificates, openCertificates } from '../operations/index.ts';
import { type ActionTable, actionTable } from '../platform/actions.ts';
import type { Log } from '../runtime/log.ts';
import { RecentLines } from '../runtime/recent-lines.ts';
import { openStore, type Store } from '../store/index.ts';
import { type Trust, trustOf } from '../upstream/index.ts';
import type { World } from './box.ts';
import { namesOf } from './own-address.ts';
import { noteReset } from './reset.ts';
import { openSigns, type Signs } from './signs.ts';
import { upstreamConfig } from './uplink.ts';
import { configWarnings } from './warnings.ts';

/** The first phase: opens what the box keeps on disk. All later phases use it. */
export interface Storage extends World {
  readonly config: Config;
  /** Closes the parts in reverse order. Each part is registered as soon as it is open. */
  readonly opened: AsyncDisposableStack;
  /** The last lines of `log`, for the pages. */
  readonly systemLog: RecentLines;
  readonly actions: ActionTable;
  readonly signs: Signs;
  /** The roots that the cloud's certificates are checked against. */
  readonly trust: Trust;
  /** All of it: the root hands each part the domains that it takes. */
  readonly store: Store;
  readonly certificates: Certificates;
}

export async function openStorage(
  config: Config,
  { clock, random, log: outer }: World,
  opened: AsyncDisposableStack,
): Promise<Storage> {
  const systemLog = new RecentLines(clock);
  const log = systemLog.beside(outer);
  const signs = opened.use(openSigns(config, { clock, log }));
  const store = opened.use(
    await openStore({
      dataDir: config.data_dir,
      environment: config.environment,
      timeZone: config.site.timezone,
      actions: config.actions,
      upstream: upstreamConfig(config) !== null,
      clock,
      log: log.child({ part: 'store' }),
    }),
  );
  noteConfigInForce(config, log);
  for (const warning of configWarnings(config)) log.warn({}, warning);
  await noteReset(store, config.data_dir, clock);
  const certificates = opened.use(
    await openCertificates({
      dir: join(config.data_dir, 'tls'),
      ...namesOf(config),
      clock,
      log: log.child({ part: 'certificates' }),
      ...ownCertificate(config),
    }),
  );
  return {
    ...{ config, clock, random, log, opened, systemLog, signs, store, certificates },
    actions: actionTable(config.actions),
    trust: trustOf(config.upstream?.ca),
  };
}

/** Saves the config in force for the commands. A full or read-only disk does not stop the start. */
function noteConfigInForce(config: Config, log: Log): void {
  try {
    rememberConfig(config);
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'the config in force could not be stored in the data directory');
  }
}
