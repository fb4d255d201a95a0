import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Naming } from '../platform/naming.ts';
import type { Config } from './schema.ts';

/**
 * What a command needs to open the store of a stopped box as the box itself would: otherwise a
 * command that was only told the data directory would read records by other action codes and
 * another day, and take for granted that no cloud waits for them.
 */
export interface LastConfig {
  readonly environment: Config['environment'];
  readonly timezone: string;
  readonly locale: string;
  readonly name: string;
  readonly actions: Config['actions'];
  /** A line to a cloud is configured: what it has not confirmed is kept. */
  readonly upstream: boolean;
  /** Absent where an older version of the program noted it. */
  readonly naming?: Naming;
}

const fileName = 'last-config.json';

/** Whether devices' records go up a line, whatever else of the cloud is configured. */
export const hasLine = ({ upstream }: Config): boolean =>
  upstream !== undefined && (upstream.device_mqtt !== undefined || upstream.device_http !== undefined);

export const namingOf = ({ box, site }: Config): Naming => ({
  vendor: box.vendor,
  qrBaseUrl: box.qr_base_url,
  appType: box.app_type,
  appId: box.app_id,
  locale: site.locale,
});

export const lastConfigOf = (config: Config): LastConfig => ({
  environment: config.environment,
  timezone: config.site.timezone,
  locale: config.site.locale,
  name: config.site.name,
  actions: config.actions,
  upstream: hasLine(config),
  naming: namingOf(config),
});

/** Written by the process that owns the data directory, whole or not at all. Holds no secret. */
export function rememberConfig(config: Config): void {
  const file = join(config.data_dir, fileName);
  writeFileSync(`${file}.new`, `${JSON.stringify(lastConfigOf(config))}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Null where no box has run yet, or what it wrote cannot be read. */
export function recallConfig(dataDir: string): LastConfig | null {
  try {
    const saved = JSON.parse(readFileSync(join(dataDir, fileName), 'utf8')) as LastConfig;
    return typeof saved.timezone === 'string' && typeof saved.actions === 'object' ? saved : null;
  } catch {
    return null;
  }
}
