import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { RememberedStore, UpgradeStore } from '../../store/index.ts';
import type { CloudServices } from '../cloud.ts';
import { badRequest } from '../refusal.ts';
import type { SentFile } from '../send-file.ts';
import { UpgradeRefused, upgradeFor, upgradePage, upgradePageSizeMax } from './catalogue.ts';
import { isPackageFile, packageFile, partSuffix } from './package-file.ts';
import type { OpenPackage } from './package-mirror.ts';
import { PackageMirror } from './package-mirror.ts';
import { type UpgradeRecord, upgradeRecordSchema } from './record.ts';
import { readUpgradePath } from './upgrade-path.ts';

const service = 'upgrades';
const refreshedEveryMs = 3600_000;
const mirrorAgainMs = 60_000;
const firstAnswerMs = 4000;

const cloudPage = z.object({ rows: z.array(upgradeRecordSchema) });

interface UpgradeServiceOptions {
  readonly store: RememberedStore & UpgradeStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly cloud: CloudServices | null;
  readonly folder: string;
  /** See FilePlace. */
  readonly process: string | null;
  readonly openPackage: OpenPackage;
  readonly roomBytes: () => Promise<number>;
}

/**
 * The app-upgrade catalogue (SPEC 2.13, 3.8, 4.7): the site's records and the cloud's, their
 * packages mirrored here.
 */
export class UpgradeService {
  readonly #options: UpgradeServiceOptions;
  readonly #mirror: PackageMirror;
  readonly #refreshedAt = new Map<string, number>();
  readonly #triedAt = new Map<string, number>();
  readonly #closing = new AbortController();

  constructor(options: UpgradeServiceOptions) {
    this.#options = options;
    const { folder, process, openPackage: open, clock, log, roomBytes } = options;
    this.#mirror = new PackageMirror({ folder, process, open, clock, log, roomBytes });
  }

  /**
   * Takes what follows `/app-upgrade/`, path and query as they came. `linkOf` returns the address
   * of a package that is here.
   */
  async newest(rest: string, linkOf: (file: string) => string): Promise<object> {
    const asked = readUpgradePath(rest);
    if (asked instanceof UpgradeRefused) throw badRequest(asked.message);
    const records = await this.#records(asked.app_code);
    const found = upgradeFor(records, asked.app_code, asked.version);
    return found ? this.#served(found, linkOf) : {};
  }

  async page(
    appCode: string,
    page: string | undefined,
    size: string | undefined,
    linkOf: (file: string) => string,
  ): Promise<object> {
    const found = upgradePage(
      await this.#records(appCode),
      appCode,
      Number(page ?? Number.NaN),
      Number(size ?? Number.NaN),
    );
    if (found instanceof UpgradeRefused) throw badRequest(found.message);
    return { ...found, rows: await Promise.all(found.rows.map(record => this.#served(record, linkOf))) };
  }

  /** A package that is here and was checked. Null: there is none of that name. */
  async find(name: string): Promise<SentFile | null> {
    if (!isPackageFile(name) || name.endsWith(partSuffix)) return null;
    const path = join(this.#options.folder, name);
    const found = await stat(path).catch(() => null);
    return found && { path, bytes: found.size, tag: name, name, contentType: 'application/octet-stream' };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#mirror[Symbol.asyncDispose]();
  }

  /**
   * The box's own link where the package is here and checked; else the record's, while it is
   * fetched.
   */
  async #served(record: UpgradeRecord, linkOf: (file: string) => string): Promise<object> {
    if (await this.#mirror.has(record)) return { ...record, url: linkOf(packageFile(record)!) };
    this.#bring(record);
    return record;
  }

  #bring(record: UpgradeRecord): void {
    const { clock, log } = this.#options;
    const key = `${record.app_code} ${record.version}`;
    const tried = this.#triedAt.get(key);
    if (tried !== undefined && clock.monotonic() - tried < mirrorAgainMs) return;
    this.#triedAt.set(key, clock.monotonic());
    this.#mirror.mirror(record).then(
      ({ bytes }) => log.info({ app_code: record.app_code, version: record.version, bytes }, 'upgrade_package_served'),
      error =>
        log.debug(
          { app_code: record.app_code, version: record.version, error: String(error) },
          'upgrade_package_not_fetched',
        ),
    );
  }

  /** Of equal versions the site's record comes first. */
  async #records(appCode: string): Promise<UpgradeRecord[]> {
    const { store, cloud, clock } = this.#options;
    const own = (await store.read.appUpgrades(appCode)) as UpgradeRecord[];
    if (!cloud) return own;
    const refreshed = this.#refresh(cloud, appCode);
    let kept = await store.read.remembered(service, appCode);
    if (!kept) {
      // Asked for the first time: worth a moment, since "none" would be believed.
      await Promise.race([refreshed, clock.sleep(firstAnswerMs, this.#closing.signal).catch(() => {})]);
      kept = await store.read.remembered(service, appCode);
    }
    const theirs = kept ? (cloudPage.safeParse(JSON.parse(kept.value)).data?.rows ?? []) : [];
    const versions = new Set(own.map(({ version }) => version));
    return [...own, ...theirs.filter(({ version }) => !versions.has(version))];
  }

  async #refresh(cloud: CloudServices, appCode: string): Promise<void> {
    const { store, clock, log } = this.#options;
    const at = this.#refreshedAt.get(appCode);
    if (at !== undefined && clock.monotonic() - at < refreshedEveryMs) return;
    // So that made-up codes do not fill the memory.
    if (this.#refreshedAt.size > 1000) this.#refreshedAt.clear();
    this.#refreshedAt.set(appCode, clock.monotonic());
    try {
      const path = `/api/1.0.0/app/page/${encodeURIComponent(appCode)}?page=1&size=${upgradePageSizeMax}`;
      const value = JSON.stringify(cloudPage.parse(await cloud.call(path, { signal: this.#closing.signal })));
      await store.write.remember({ service, key: appCode, value, at: clock.now() });
    } catch (error) {
      log.debug({ app_code: appCode, error: String(error) }, 'upgrades_not_fetched');
      this.#refreshedAt.set(appCode, clock.monotonic() - refreshedEveryMs + mirrorAgainMs);
    }
  }
}
