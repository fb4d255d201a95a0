import { CloudRefused } from '../../platform/cloud-refused.ts';
import { networkReason } from '../../platform/network-reason.ts';
import type { Clock, Random } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { nextTry } from '../../runtime/retry.ts';
import { waitOrWake } from '../../runtime/wait-or-wake.ts';
import type {
  MirroredCloud,
  MirroredList,
  MirrorStore,
  OrganizationStore,
  RememberedStore,
} from '../../store/index.ts';
import { type Coded, codedIn, noWhy, type Reason, type Why, whyOf, withWhy } from '../../words/sentences.ts';
import { mirrorReasons } from '../../words/uplink.ts';
import { type CloudAttendance, isAboutUs } from './cloud.ts';
import { CloudDevices } from './devices.ts';
import { CloudFeatures } from './features.ts';
import { passOn } from './pass-on.ts';
import { RecordsMirror } from './records.ts';
import { CloudIncomplete } from './whole-lists.ts';

/** The state of the synchronization with the cloud. */
export interface MirrorStatus extends Why {
  /** `never`: nothing fetched since the start. */
  readonly state: 'never' | 'up' | 'down' | 'refused';
  readonly mirrored_at: number | null;
  readonly next_try_at: number | null;
  /** People and departments that the cloud's lists lack, and that are deleted after a day of it. */
  readonly hidden: number;
  /** Missing rows held back because they are too many: kept until staff deletes them. */
  readonly held: number;
  /** Which list of the cloud last came in part, and how; empty: all were whole. */
  readonly incomplete: string;
  readonly incomplete_said: Coded | null;
  /** When the end of the cloud's check-ins and access records was reached last; null: never. */
  readonly checkins_at: number | null;
  readonly access_at: number | null;
  /** When the features of everybody were fetched last; null: never. */
  readonly features_at: number | null;
  /** Why the cloud gives no records, though it gives the organization; else empty. */
  readonly records_why: string;
  readonly records_said: Coded | null;
}

interface MirrorOptions {
  readonly store: OrganizationStore & MirrorStore & RememberedStore;
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
    ...noWhy,
    mirrored_at: null,
    next_try_at: null,
    hidden: 0,
    held: 0,
    incomplete: '',
    incomplete_said: null,
    checkins_at: null,
    access_at: null,
    features_at: null,
    records_why: '',
    records_said: null,
  };
  /** Of lists that came in part. */
  readonly #incomplete = new Map<MirroredList, CloudIncomplete>();
  /** The cloud does not answer; one that answers in part may be asked for something else. */
  #isAway = false;
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
    this.features = new CloudFeatures(options, () => this.#isAway);
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
    if (!this.#isAway) this.#wake.resolve();
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
    await this.readStatus().catch(() => {}); // A store that cannot be read says so elsewhere.
    while (!signal.aborted) {
      const demands = this.#demands.splice(0);
      this.#wake = Promise.withResolvers();
      const usualMs = Math.min(everyMs, recordsEveryMs);
      let waitMs = usualMs;
      try {
        await this.#cycle(demands.length > 0);
        this.#isAway = false;
        this.#become({ state: 'up', ...noWhy, next_try_at: clock.now() + usualMs });
      } catch (error) {
        if (signal.aborted) break;
        const refused = error instanceof CloudRefused;
        const incomplete = error instanceof CloudIncomplete;
        if (!incomplete || this.#incomplete.has('organization')) this.#organizationAt = Number.NEGATIVE_INFINITY;
        this.#isAway = !refused && !incomplete;
        waitMs = incomplete || (refused && isAboutUs(error)) ? 60_000 : nextTry(random);
        this.#become({
          state: refused ? 'refused' : 'down',
          ...whyOf(refused ? answerOf(error) : networkReason(error as Error)),
          next_try_at: clock.now() + waitMs,
        });
        log.debug({ error: String(error) }, 'organization_not_fetched');
      }
      for (const demand of demands) demand.resolve(this.#status);
      if (this.#demands.length > 0) continue;
      await waitOrWake(clock, waitMs, this.#wake.promise, signal);
    }
    for (const demand of this.#demands) demand.resolve(this.#status);
  }

  /**
   * Read the cloud's side before passing on ours: otherwise a change on both sides would be
   * overwritten unnoticed.
   */
  async #cycle(demanded: boolean): Promise<void> {
    const { clock, everyMs } = this.#options;
    if (demanded || this.#isPoked || clock.monotonic() - this.#organizationAt >= everyMs) {
      this.#isPoked = false;
      await this.#whole('organization', async () => {
        await this.#takeOver();
        if ((await passOn(this.#options)) > 0) await this.#takeOver();
        await this.devices.refresh();
      });
      this.#organizationAt = clock.monotonic();
    }
    await this.#pullRecords();
    if (demanded || this.#options.clock.monotonic() - this.#featuresAt > featuresEveryMs)
      await this.#whole('features', () => this.#fetchFeatures());
    const [incomplete] = this.#incomplete.values();
    if (incomplete !== undefined) throw incomplete;
  }

  /** A list that comes in part changes nothing, and holds up no other list. */
  async #whole(list: MirroredList, read: () => Promise<void>): Promise<void> {
    try {
      await read();
      this.#incomplete.delete(list);
    } catch (error) {
      if (!(error instanceof CloudIncomplete)) throw error;
      this.#incomplete.set(list, error);
    }
  }

  /** A cloud that has no such lists holds up nothing else. */
  async #pullRecords(): Promise<void> {
    let why: Reason | null = null;
    try {
      await this.#whole('checkins', () => this.#records.pull('checkins'));
      await this.#whole('access', () => this.#records.pull('access'));
    } catch (error) {
      if (!(error instanceof CloudRefused && error.isFinal)) throw error;
      why = answerOf(error);
      if (why.reason !== this.#status.records_why)
        this.#options.log.warn({ why: why.reason }, 'cloud_records_not_copied');
    } finally {
      this.#recordsAt = this.#options.clock.monotonic();
      await this.readStatus();
    }
    const records = { records_why: why?.reason ?? '', records_said: why && (codedIn(why) ?? null) };
    this.#status = { ...this.#status, ...records };
  }

  /** Reads from the store how old each list is, and how many rows are missing at the cloud. */
  async readStatus(): Promise<void> {
    const { mirrorCursor, missingAtCloud } = this.#options.store.read;
    const [{ hidden, held }, organization, checkins, access, features] = await Promise.all([
      missingAtCloud(0),
      mirrorCursor('organization'),
      mirrorCursor('checkins'),
      mirrorCursor('access'),
      mirrorCursor('features'),
    ]);
    this.#status = {
      ...this.#status,
      hidden,
      held,
      mirrored_at: organization.wholeAt,
      checkins_at: checkins.wholeAt,
      access_at: access.wholeAt,
      features_at: features.wholeAt,
    };
  }

  async #takeOver(): Promise<void> {
    const { store, cloud, clock, log } = this.#options;
    const departments = await cloud.departments();
    const employees = await cloud.employees();
    const at = clock.now();
    const report = await store.write.mirrorOrganization({ departments, employees, at });
    const { hidden, held } = report;
    if (hidden + held > this.#status.hidden + this.#status.held) log.warn({ hidden, held }, 'people_missing_in_cloud');
    this.#status = { ...this.#status, mirrored_at: at, hidden, held };
    if (report.changed + report.removed + report.conflicts > 0) log.info(report, 'organization_updated');
  }

  async #fetchFeatures(): Promise<void> {
    const { store, clock } = this.#options;
    const begun = clock.now();
    const asked = this.features.refreshAll(async () => {
      if ((await store.read.nextOrganizationWrite()) !== null) await passOn(this.#options);
      if (clock.monotonic() - this.#recordsAt >= recordsEveryMs) await this.#pullRecords();
    });
    await asked.catch(error => {
      // All were asked: those that answered in part are asked again with the next round.
      if (error instanceof CloudIncomplete) this.#featuresAt = clock.monotonic();
      throw error;
    });
    this.#featuresAt = clock.monotonic();
    // Data that was fetched first is as old as the round.
    await store.write.noteMirrored({ list: 'features', at: begun });
    this.#status = { ...this.#status, features_at: begun };
  }

  #become(change: Why & Pick<MirrorStatus, 'state' | 'next_try_at'>): void {
    const { log } = this.#options;
    if (change.state !== this.#status.state) {
      if (change.state === 'up') log.info({}, 'organization_follows_cloud');
      else log.warn({ state: change.state }, 'organization_not_following', withWhy(change));
    }
    const { said } = [...this.#incomplete.values()][0] ?? {};
    const incomplete = { incomplete: said?.reason ?? '', incomplete_said: said ? (codedIn(said) ?? null) : null };
    this.#status = { ...this.#status, ...change, ...incomplete };
  }
}

const answerOf = ({ code, message }: CloudRefused): Reason =>
  mirrorReasons.say('cloud_answers', { answer: code, message });
