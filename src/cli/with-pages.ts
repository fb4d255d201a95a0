import { existsSync } from 'node:fs';
import { type AlertSettings, inForce as alertsInForce } from '../alerts/index.ts';
import { type BackupSettings, backupsInForce } from '../backups/index.ts';
import { type Config, type LoadedConfig, siteInForce, withPageSettings } from '../config/index.ts';
import { becomeOwner } from '../runtime/become-owner.ts';
import { databaseFile, openStoreForReading } from '../store/index.ts';

/** A config with what was set on the pages of its box, and the origin of each value. */
interface Shown {
  readonly config: Config;
  /** Also `page`. */
  readonly origin: LoadedConfig['origin'];
}

/**
 * Lays what was set on the pages under the config file and the environment, as the box does. A box
 * that never ran, and a process of a region, have set nothing. Throws StoreOpenError.
 */
export async function withPages({ config: loaded, origin }: LoadedConfig): Promise<Shown> {
  if (loaded.store.engine !== 'sqlite' || !existsSync(databaseFile(loaded.data_dir))) return { config: loaded, origin };
  using _owner = becomeOwner(loaded.data_dir);
  await using store = await openStoreForReading({ dataDir: loaded.data_dir });
  const { read } = store;
  const site = await read.siteChoice();
  const webhooks = await read.webhooks();
  const below = withPageSettings(loaded, origin, await read.pageSettings());
  const config: Config = {
    ...below.config,
    site: siteInForce(loaded.site, site, origin),
    alerts: alertsInForce(
      loaded.alerts,
      parsed<AlertSettings>(await read.alertSetting('settings')),
    ) as Config['alerts'],
    backups: backupsInForce(
      loaded.backups,
      parsed<BackupSettings>(await read.backupSetting('settings')),
    ) as Config['backups'],
    events: { ...loaded.events, webhooks: [...loaded.events.webhooks, ...webhooks] as Config['events']['webhooks'] },
  };
  return {
    config,
    origin(path) {
      const where = below.origin(path);
      const [section, key] = path;
      if (section === 'events' && key === 'webhooks' && webhooks.length > 0)
        return where === 'default' ? 'page' : `${where}, page`;
      if (where !== 'default') return where;
      if (section === 'site') return key! in site ? 'page' : where;
      return isSame(valueAt(loaded, path), valueAt(config, path)) ? where : 'page';
    },
  };
}

const parsed = <Settings>(text: string | null): Settings => JSON.parse(text ?? '{}') as Settings;

const valueAt = (values: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((map, step) => (map as Record<string, unknown> | undefined)?.[step], values);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
