import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Naming } from '../platform/naming.ts';
import type { SiteChoice } from '../platform/site.ts';
import type { Config } from './schema.ts';
import { hasLine } from './upstream-addresses.ts';

/**
 * The part of the config that a command needs to open the store of a stopped box as the box does.
 * Without it, a command with only `--data-dir` would use other action codes and another time zone,
 * and would assume that no cloud waits for records.
 */
export interface LastConfig {
  readonly environment: Config['environment'];
  readonly timezone: string;
  readonly locale: string;
  readonly name: string;
  readonly actions: Config['actions'];
  /** An uplink is configured, so unconfirmed records are kept. */
  readonly upstream: boolean;
  readonly engine: Config['store']['engine'];
  readonly naming: Naming;
  /** Values chosen on the page Settings, in force for keys that the config omits. */
  readonly chosen?: SiteChoice;
}

const fileName = 'last-config.json';

export const namingOf = ({ box, site }: Config): Naming => ({
  vendor: box.vendor,
  qrBaseUrl: box.qr_base_url,
  appType: box.app_type,
  appId: box.app_id,
  locale: site.locale,
});

export const lastConfigOf = (config: Config, chosen: SiteChoice = {}): LastConfig => ({
  environment: config.environment,
  timezone: config.site.timezone,
  locale: config.site.locale,
  name: config.site.name,
  actions: config.actions,
  upstream: hasLine(config),
  engine: config.store.engine,
  naming: namingOf(config),
  chosen,
});

/** Written atomically by the process that owns the data directory. Holds no secret. */
export function rememberConfig(config: Config, chosen: SiteChoice = {}): void {
  const file = join(config.data_dir, fileName);
  writeFileSync(`${file}.new`, `${JSON.stringify(lastConfigOf(config, chosen))}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Config of the last run; null if no box has run yet, or the file cannot be read. */
export function recallConfig(dataDir: string): LastConfig | null {
  try {
    const saved = JSON.parse(readFileSync(join(dataDir, fileName), 'utf8')) as LastConfig;
    return typeof saved.timezone === 'string' && typeof saved.actions === 'object' ? saved : null;
  } catch {
    return null;
  }
}
