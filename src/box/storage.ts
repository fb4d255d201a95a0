import { join } from 'node:path';
import { fullStrength, type HashStrength } from '../accounts/index.ts';
import { type Config, fixedBy, ownCertificate, rememberConfig, withPageSettings } from '../config/index.ts';
import { BrowserAddresses } from '../listeners/index.ts';
import { type Certificates, openCertificates, openTicketKeys, type TicketKeys } from '../operations/index.ts';
import { type ActionTable, actionTable } from '../platform/actions.ts';
import type { SiteChoice } from '../platform/site.ts';
import type { FilePlace } from '../runtime/file-place.ts';
import { KnownTime, latestLikely } from '../runtime/known-time.ts';
import type { Log } from '../runtime/log.ts';
import { RecentLines } from '../runtime/recent-lines.ts';
import { shortTime } from '../runtime/short-time.ts';
import { programAt } from '../runtime/version.ts';
import { type FlushTime, measuredFlushTime, openStore, type Store } from '../store/index.ts';
import { type Trust, trustOf } from '../upstream/index.ts';
import { whyOf, withWhy } from '../words/sentences.ts';
import type { World } from './box.ts';
import { legacyHostOf } from './certificate-files.ts';
import { filePlace } from './file-place.ts';
import { namesOf } from './own-address.ts';
import { PageSettingsOfBox } from './page-settings.ts';
import { noteReset } from './reset.ts';
import { openSigns, type Signs } from './signs.ts';
import { SiteSettings } from './site-settings.ts';
import { upstreamConfig } from './uplink.ts';
import { configWarnings } from './warnings.ts';

/** The first phase: opens what the box keeps on disk. All later phases use it. */
export interface Storage extends World {
  /** `config.site` is the site in force: its properties change while the box runs. */
  readonly config: Config;
  readonly hashStrength: HashStrength;
  readonly settings: SiteSettings;
  /** Keys of the config that pages set; `config` has them. */
  readonly pageSettings: PageSettingsOfBox;
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
  readonly files: FilePlace;
  /** How long the disk takes to be believed; null: not measured. */
  readonly flush: FlushTime | null;
  readonly certificates: Certificates;
  /** Whether the box knows the time. */
  readonly time: KnownTime;
  readonly ticketKeys: TicketKeys;
  readonly browsers: BrowserAddresses;
}

export async function openStorage(
  loaded: Config,
  { clock, random, log: outer, hashStrength = fullStrength, origin = () => 'default' }: World,
  opened: AsyncDisposableStack,
): Promise<Storage> {
  const systemLog = new RecentLines(clock);
  const log = systemLog.beside(outer);
  const signs = opened.use(openSigns(loaded, { clock, log }));
  const store = opened.use(
    await openStore({
      dataDir: loaded.data_dir,
      url: loaded.store.url,
      ownerUrl: loaded.store.owner_url,
      files: loaded.store.files,
      environment: loaded.environment,
      timeZone: loaded.site.timezone,
      isTimeZoneFixed: fixedBy(origin, 'timezone') !== null,
      actions: loaded.actions,
      upstream: upstreamConfig(loaded) !== null,
      upstreamWith: set => upstreamConfig(withPageSettings(loaded, origin, set).config) !== null,
      clock,
      log: log.child({ part: 'store' }),
    }),
  );
  const settings = await SiteSettings.open(store, {
    configured: loaded.site,
    origin,
    onChange: () => noteConfigInForce(config, settings.chosen, log),
  });
  const pageSettings = await PageSettingsOfBox.open(store, loaded, origin);
  const { config: set, wrong } = pageSettings.inForce();
  if (wrong) log.error({}, 'page_settings_not_used', wrong);
  const config: Config = { ...set, site: settings.site };
  noteConfigInForce(config, settings.chosen, log);
  for (const warning of configWarnings(config)) log.warn({}, 'config_warning', withWhy(whyOf(warning)));
  const flush = loaded.store.url === undefined ? measuredFlushTime(config.data_dir, () => clock.monotonic()) : null;
  if (flush?.isTooFast) log.warn({}, 'disk_answers_too_fast', { ms: shortTime(flush.ms) });
  await noteReset(store, config.data_dir, clock);
  const certificates = opened.use(
    await openCertificates({
      dir: join(config.data_dir, 'tls'),
      ...namesOf(config),
      clock,
      log: log.child({ part: 'certificates' }),
      ...ownCertificate(config),
      legacyHost: legacyHostOf(config.tls),
    }),
  );
  const ticketKeys = opened.use(
    await openTicketKeys({ dir: join(config.data_dir, 'tls'), clock, log: log.child({ part: 'certificates' }) }),
  );
  return {
    time: new KnownTime(clock, {
      programAt,
      newestRecordAt: await store.read.newestReceipt(latestLikely(programAt)),
    }),
    ...{ config, settings, pageSettings, clock, random, log, hashStrength, opened, systemLog },
    ...{ signs, store, flush, certificates, ticketKeys },
    browsers: new BrowserAddresses(clock),
    files: filePlace(loaded),
    actions: actionTable(config.actions),
    trust: trustOf(config.upstream?.ca),
  };
}

/** Saves the config in force for the commands. A full or read-only disk does not stop the start. */
function noteConfigInForce(config: Config, chosen: SiteChoice, log: Log): void {
  try {
    rememberConfig(config, chosen);
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'config_not_stored');
  }
}
