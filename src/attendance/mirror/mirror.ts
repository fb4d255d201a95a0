import { CloudRefused } from '../../platform/cloud-refused.ts';
import { isBiometric } from '../../platform/reports.ts';
import type { Clock, Random } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { nextTry } from '../../runtime/retry.ts';
import type { MirroredCloud, MirroredList, OrganizationStore, ServiceStore } from '../../store/index.ts';
import { type CloudAttendance, isAboutUs } from './cloud.ts';
import { CloudDevices } from './devices.ts';
import { CloudFeatures } from './features.ts';
import { RecordsMirror } from './records.ts';

/** The state of the synchronization with the cloud. */
export interface MirrorStatus {
  /** `never`: nothing fetched since the start. */
  readonly state: 'never' | 'up' | 'down' | 'refused';
  readonly why: string;
  readonly mirrored_at: number | null;
  readonly next_try_at: number | null;
  /**
   * People or departments that are gone in the cloud, but so many at once that they are kept until
   * a person decides.
   */
  readonly held: number;
  /** When the end of the cloud's check-ins and access records was reached last; null: never. */
  readonly checkins_at: number | null;
  readonly access_at: number | null;
  /** When the features of everybody were fetched last; null: never. */
  readonly features_at: number | null;
  /** Why the cloud gives no records, though it gives the organization; else empty. */
  readonly records_why: string;
}

interface MirrorOptions {
  readonly store: OrganizationStore & ServiceStore;
  /** Faces, fingerprints and PINs are neither passed on nor fetched. */
  readonly featuresStay: boolean;
  readonly cloud: CloudAttendance;
  readonly source: MirroredCloud;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

const featuresEveryMs = 6 * 3600 * 1000;
/** Punches of phones are what payroll waits for: more often than people change. */
const recordsEveryMs = 60_000;

/**
 * Keeps the organization as the cloud, its authority, has it (DESIGN 1, area E): fetches it on a
 * schedule and on demand, and passes on in order what was written here meanwhile. Before a write is
 * passed on, the cloud's side is read, so that a change on both sides is noticed.
 */
export class Mirror {
  readonly #options: MirrorOptions;
  #status: MirrorStatus = {
    state: 'never',
    why: '',
    mirrored_at: null,
    next_try_at: null,
    held: 0,
    checkins_at: null,
    access_at: null,
    features_at: null,
    records_why: '',
  };
  #lastIds: string[] = [];
  #featuresAt = Number.NEGATIVE_INFINITY;
  #organizationAt = Number.NEGATIVE_INFINITY;
  #recordsAt = Number.NEGATIVE_INFINITY;
  readonly #records: RecordsMirror;
  readonly features: CloudFeatures;
  readonly devices: CloudDevices;
  #isPoked = false;
  #wake = Promise.withResolvers<void>();
  #demands: PromiseWithResolvers<MirrorStatus>[] = [];
  readonly #ended: Promise<void>;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#records = new RecordsMirror(options);
    this.features = new CloudFeatures(options, () => this.#status.state === 'down');
    this.devices = new CloudDevices(options);
    this.#ended = this.#run();
  }

  status(): MirrorStatus {
    return this.#status;
  }

  /** When the list was last fetched to its end; null: never. */
  mirroredAt(list: MirroredList): number | null {
    const { mirrored_at, checkins_at, access_at, features_at } = this.#status;
    return { organization: mirrored_at, checkins: checkins_at, access: access_at, features: features_at }[list];
  }

  /**
   * Something was written here: it is passed on soon, or with the next try while the cloud does not
   * answer.
   */
  poke(): void {
    this.#isPoked = true;
    if (this.#status.state !== 'down') this.#wake.resolve();
  }

  /** Fetches now, features too; resolves when that was tried. */
  now(): Promise<MirrorStatus> {
    const demand = Promise.withResolvers<MirrorStatus>();
    this.#demands.push(demand);
    this.#wake.resolve();
    return demand.promise;
  }

  async close(): Promise<void> {
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { clock, random, everyMs, signal, log } = this.#options;
    await this.#readFreshness().catch(() => {}); // A store that cannot be read says so elsewhere.
    while (!signal.aborted) {
      const demands = this.#demands.splice(0);
      this.#wake = Promise.withResolvers();
      const usualMs = Math.min(everyMs, recordsEveryMs);
      let waitMs = usualMs;
      try {
        await this.#cycle(demands.length > 0);
        this.#become({ state: 'up', why: '', next_try_at: clock.now() + usualMs });
      } catch (error) {
        if (signal.aborted) break;
        this.#organizationAt = Number.NEGATIVE_INFINITY;
        const refused = error instanceof CloudRefused;
        waitMs = refused && isAboutUs(error) ? 60_000 : nextTry(random);
        this.#become({
          state: refused ? 'refused' : 'down',
          why: refused ? `the cloud answers ${error.code}: ${error.message}` : (error as Error).message,
          next_try_at: clock.now() + waitMs,
        });
        log.debug({ error: String(error) }, 'the organization could not be fetched from the cloud');
      }
      for (const demand of demands) demand.resolve(this.#status);
      if (this.#demands.length > 0) continue;
      await this.#pause(waitMs);
    }
    for (const demand of this.#demands) demand.resolve(this.#status);
  }

  async #pause(ms: number): Promise<void> {
    const over = new AbortController();
    const { clock, signal } = this.#options;
    await Promise.race([clock.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => {}), this.#wake.promise]);
    over.abort();
  }

  /**
   * Read the cloud's side before passing on ours: otherwise a change on both sides would be
   * overwritten unnoticed.
   */
  async #cycle(demanded: boolean): Promise<void> {
    const { clock, everyMs } = this.#options;
    if (demanded || this.#isPoked || clock.monotonic() - this.#organizationAt >= everyMs) {
      this.#isPoked = false;
      await this.#takeOver();
      if ((await this.#passOn()) > 0) await this.#takeOver();
      await this.devices.refresh();
      this.#organizationAt = clock.monotonic();
    }
    await this.#pullRecords();
    if (demanded || this.#options.clock.monotonic() - this.#featuresAt > featuresEveryMs) await this.#fetchFeatures();
  }

  /** A cloud that has no such lists holds up nothing else. */
  async #pullRecords(): Promise<void> {
    let why = '';
    try {
      await this.#records.pull();
    } catch (error) {
      if (!(error instanceof CloudRefused && error.isFinal)) throw error;
      why = `the cloud answers ${error.code}: ${error.message}`;
      if (why !== this.#status.records_why)
        this.#options.log.warn({ why }, 'no records could be copied from the cloud');
    } finally {
      this.#recordsAt = this.#options.clock.monotonic();
      await this.#readFreshness();
    }
    this.#status = { ...this.#status, records_why: why };
  }

  async #readFreshness(): Promise<void> {
    const { mirrorCursor } = this.#options.store.read;
    const [organization, checkins, access, features] = await Promise.all([
      mirrorCursor('organization'),
      mirrorCursor('checkins'),
      mirrorCursor('access'),
      mirrorCursor('features'),
    ]);
    this.#status = {
      ...this.#status,
      mirrored_at: organization.wholeAt,
      checkins_at: checkins.wholeAt,
      access_at: access.wholeAt,
      features_at: features.wholeAt,
    };
  }

  async #takeOver(): Promise<void> {
    const { store, cloud, clock, log } = this.#options;
    for (let again = true; again; ) {
      const departments = await cloud.departments();
      const employees = await cloud.employees();
      const at = clock.now();
      const perhapsThere = this.#lastIds;
      const ids = [...departments, ...employees].map(({ id }) => id);
      const report = await store.write.mirrorOrganization({ departments, employees, perhapsThere, at });
      await store.write.noteMirrored({ list: 'organization', at });
      this.#lastIds = ids;
      this.#status = { ...this.#status, mirrored_at: at, held: report.held };
      if (report.changed + report.removed + report.conflicts > 0)
        log.info(report, 'the organization was updated from the cloud');
      // What was there at the last fetch and is missing now is fetched again before it counts as
      // gone.
      const now = new Set(ids);
      again = perhapsThere.some(id => !now.has(id));
    }
  }

  /**
   * In order; the first that the cloud does not answer holds up the rest, the first that it refuses
   * for good does not. Returns how many it took or refused.
   */
  async #passOn(): Promise<number> {
    const { store, cloud, clock, log, featuresStay } = this.#options;
    for (let count = 0; ; count++) {
      const write = await store.read.nextOrganizationWrite();
      if (!write) return count;
      try {
        if (featuresStay && isOfFeatures(write)) {
          await store.write.settleOrganizationWrite({ id: write.id, outcome: 'taken', at: clock.now() });
          continue;
        }
        const data = await cloud.call(write.path, write.command, write.body);
        const failed = (data as { error_ext_ids?: unknown[] } | null)?.error_ext_ids ?? [];
        if (failed.length > 0)
          throw new CloudRefused(0, `the cloud could not store it for ${failed.join(', ')}`, { isFinal: true });
        await store.write.settleOrganizationWrite({ id: write.id, outcome: 'taken', at: clock.now() });
      } catch (error) {
        if (!(error instanceof CloudRefused && error.isFinal)) throw error;
        const outcome = { code: error.code, reason: error.message };
        log.warn({ subject: write.subject, ...outcome }, 'the cloud refused a change of the organization');
        await store.write.settleOrganizationWrite({ id: write.id, outcome, at: clock.now() });
      }
    }
  }

  /** What the cloud has of everybody's features, of each kind that is known. */
  async #fetchFeatures(): Promise<void> {
    const { store, clock } = this.#options;
    const begun = clock.now();
    const kinds = await this.features.kinds();
    const size = 100;
    for (let offset = 0; ; offset += size) {
      const { rows } = await store.read.employees({ limit: size, offset });
      for (const { extId } of rows)
        for (const kind of extId === '' ? [] : kinds) {
          if (!(await this.features.refresh(extId, kind))) break;
          if ((await store.read.nextOrganizationWrite()) !== null) await this.#passOn();
          if (clock.monotonic() - this.#recordsAt >= recordsEveryMs) await this.#pullRecords();
        }
      if (rows.length < size) break;
    }
    this.#featuresAt = clock.monotonic();
    // What was fetched first is as old as the round.
    await store.write.noteMirrored({ list: 'features', at: begun });
    this.#status = { ...this.#status, features_at: begun };
  }

  #become(change: Pick<MirrorStatus, 'state' | 'why' | 'next_try_at'>): void {
    const { log } = this.#options;
    if (change.state !== this.#status.state) {
      if (change.state === 'up') log.info({}, 'the organization follows the cloud');
      else log.warn({ state: change.state }, `the organization does not follow the cloud: ${change.why}`);
    }
    this.#status = { ...this.#status, ...change };
  }
}

/** Queued before features stayed at the site: one person's, of one type. */
function isOfFeatures({ command, body }: { command: string; body: string }): boolean {
  if (command !== 'feature_update') return false;
  const { users } = JSON.parse(body) as { users?: { feature_type?: unknown }[] };
  return !users?.length || users.some(({ feature_type }) => isBiometric(feature_type));
}
