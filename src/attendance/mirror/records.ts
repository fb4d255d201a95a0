import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { MirroredCloud, MirrorStore, OrganizationStore } from '../../store/index.ts';
import type { CloudAttendance, CloudPage } from './cloud.ts';

interface RecordsMirrorOptions {
  readonly store: OrganizationStore & MirrorStore;
  readonly cloud: CloudAttendance;
  /** Which cloud that is. */
  readonly source: MirroredCloud;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Copies the check-ins and access records that the cloud lists, page by page with the cloud's own
 * `next_id` (SPEC 4.8). The place stands in the store and moves with the rows, so a box that is
 * killed goes on where it was.
 */
export class RecordsMirror {
  readonly #options: RecordsMirrorOptions;
  #isBegun = false;

  constructor(options: RecordsMirrorOptions) {
    this.#options = options;
  }

  /** A cursor of another cloud would pass over this one's records. */
  async #begin(): Promise<void> {
    const { store, source, log } = this.#options;
    if (await store.write.mirrorFrom(source)) log.warn({ address: source.address }, 'records_of_other_cloud');
    this.#isBegun = true;
  }

  /** Up to the end of the list. Rejects where the cloud does not answer; what it gave is kept. */
  async pull(list: 'checkins' | 'access'): Promise<void> {
    const { cloud, store, clock } = this.#options;
    if (!this.#isBegun) await this.#begin();
    if (list === 'access') return this.#list(list, from => cloud.accessRecords(from), store.write.mirrorAccess);
    const { nextId, wholeAt } = await store.read.mirrorCursor(list);
    // Before that the cloud lists none; a second time changes nothing. It holds at the box as well.
    if (nextId === 0 && wholeAt === null) {
      await cloud.initCheckIns();
      await store.write.initCheckIns({ at: clock.now(), withAll: true });
    }
    await this.#list(list, from => cloud.checkIns(from), store.write.mirrorCheckIns);
  }

  async #list<Row>(
    list: 'checkins' | 'access',
    ask: (from: number) => Promise<CloudPage<Row>>,
    take: (page: { from: number; next: number; records: readonly Row[]; at: number }) => Promise<Report>,
  ): Promise<void> {
    const { store, clock, log } = this.#options;
    const sum = { added: 0, matched: 0, uncertain: 0 };
    for (;;) {
      const { nextId: from } = await store.read.mirrorCursor(list);
      const { records, next } = await ask(from);
      const at = clock.now();
      // Also with an empty page: who was unknown at the last one may be known now.
      const report = await take({ from, next, records, at });
      for (const key of ['added', 'matched', 'uncertain'] as const) sum[key] += report[key];
      if (records.length > 0) continue;
      await store.write.noteMirrored({ list, at });
      break;
    }
    if (sum.added > 0) log.info({ list, ...sum }, 'cloud_records_copied');
  }
}

type Report = Awaited<ReturnType<MirrorStore['write']['mirrorCheckIns']>>;
