import type { ActionTable } from '../../platform/actions.ts';
import type { Site } from '../../platform/site.ts';
import { BackgroundJob } from '../../runtime/background-job.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { dayOf, wallTime } from '../../runtime/wall-time.ts';
import type {
  DeviceBefore,
  Lease,
  ReadPart,
  RememberedStore,
  Seq,
  StatementReads,
  WholeStore,
} from '../../store/index.ts';
import { noStatementBefore } from './chain.ts';
import { chained, StatementFiles } from './files.ts';
import { type KeptHeads, keepHeads, keptHeads, nothingBefore } from './kept-heads.ts';
import { type DayStatement, type DeviceStatement, statementsOf } from './statement.ts';
import { verifyStatements } from './verify.ts';

type MakersStore = ReadPart<StatementReads> & RememberedStore & WholeStore & { readonly once: Lease };

interface StatementOptions {
  readonly store: MakersStore;
  readonly dataDir: string;
  readonly site: Pick<Site, 'timezone'>;
  readonly actions: ActionTable;
  readonly clock: Clock;
  readonly log: Log;
}

const everyMs = 10 * 60 * 1000;
/** Soon after a start: days for which the box was off are stated before retention runs. */
const firstAfterMs = 5_000;
/** More missed days get no statement of their own; the next one begins where the last one ended. */
const missedDaysMax = 31;
/** A clock that is further ahead is believed when it has run on for two days. */
const believedAfterMs = 2 * 24 * 3600 * 1000;
/** Statements and results are kept for two years. */
const keptDays = 731;
/** A page that is reloaded does not read the whole day again. */
const todayKeptMs = 3_000;

interface Today {
  readonly box: DayStatement;
  readonly devices: readonly DeviceStatement[];
}

/** Makes the statement of each day, soon after it ends, and removes those that are too old. */
export class StatementMaker implements AsyncDisposable {
  readonly #options: StatementOptions;
  readonly #files: StatementFiles;
  readonly #startedAt: number;
  readonly #job: BackgroundJob;
  #today: { readonly until: number; readonly statements: Promise<Today> } | null = null;

  constructor(options: StatementOptions) {
    this.#options = options;
    this.#files = new StatementFiles(options.dataDir);
    const { clock, log } = options;
    this.#startedAt = clock.monotonic();
    this.#job = new BackgroundJob({
      ...{ clock, everyMs, firstAfterMs, lease: options.store.once },
      retryMs: () => everyMs,
      run: signal => this.makeDue(signal),
      onFailed: error => log.warn({ error: (error as Error).message }, 'statement_not_made'),
    });
  }

  /** The statements of all days that are over and have none. */
  async makeDue(signal?: AbortSignal): Promise<void> {
    const { clock, site, store } = this.#options;
    const today = dayOf(clock.now(), site.timezone).day;
    let kept = await keptHeads(store);
    const next = await this.#firstDue(kept, today);
    if (next === null) return;
    for (let day = next; day < today && !signal?.aborted; day = addDays(day, 1))
      kept = await this.#make(day, kept, signal);
  }

  async #firstDue(kept: KeptHeads | null, today: string): Promise<string | null> {
    const { store, site, clock, log } = this.#options;
    const oldest = addDays(today, -missedDaysMax);
    if (kept === null) {
      const { at, after } = await store.read.journalBegin();
      // All that there was is with the cloud, and removed: the statements begin with yesterday.
      if (at === null) return after > 0 ? addDays(today, -1) : null;
      const first = dayOf(at, site.timezone).day;
      if (first < oldest) return oldest;
      return first;
    }
    const next = addDays(kept.head.day, 1);
    if (next >= oldest) return next;
    if (clock.monotonic() - this.#startedAt >= believedAfterMs) return oldest;
    log.warn({ last: kept.head.day, today }, 'clock_ahead_of_statement');
    return null;
  }

  async #make(day: string, kept: KeptHeads | null, signal: AbortSignal | undefined): Promise<KeptHeads> {
    const { store, clock, log } = this.#options;
    const adopted = await this.#adopt(day, kept);
    if (adopted) return adopted;
    const { no, after, previous, statements } = await this.#state(day, kept, signal);
    const lines = chained(statements, previous);
    await this.#files.write(day, lines);
    const { hash } = lines.at(-1)!;
    const [box] = statements;
    const heads = { head: { no, day, hash, throughSeq: box.through_seq }, begin: kept?.begin ?? nothingBefore };
    await keepHeads(store, heads, clock.now());
    const { said, box: stored, cloud, waiting } = box;
    log.info(
      { day, no, head: hash, after, said, box: stored, cloud, waiting, timeZone: box.timezone },
      'statement_made',
    );
    return heads;
  }

  /**
   * A power cut came between the file and the note of its head: the file counts, if it is whole.
   */
  async #adopt(day: string, kept: KeptHeads | null): Promise<KeptHeads | null> {
    const { store, clock } = this.#options;
    const there = await this.#files.read(day);
    if (!there || there.box.previous !== (kept?.head.hash ?? noStatementBefore)) return null;
    const { holds, last } = await verifyStatements(this.#files, kept, null);
    if (!holds || last?.day !== day) return null;
    const head = { no: last.no, day, hash: last.hash, throughSeq: there.box.statement.through_seq };
    const heads = { head, begin: kept?.begin ?? nothingBefore };
    await keepHeads(store, heads, clock.now());
    return heads;
  }

  async #state(day: string, kept: KeptHeads | null, signal?: AbortSignal) {
    const { store, clock, site, actions } = this.#options;
    const { timezone: timeZone } = site;
    const before = kept && (await this.#files.read(kept.head.day));
    const devices = new Map(before?.devices.map(({ statement }) => [statement.device, statement]));
    const after = kept ? (kept.head.throughSeq as Seq) : (await store.read.journalBegin()).after;
    const no = (kept?.head.no ?? 0) + 1;
    const { from, to } = wallTime(timeZone).dayBounds(day);
    await store.whole();
    const facts = await store.read.statementDay({
      ...{ after, from: from * 1000, to: to * 1000, timeZone },
      codes: { checkin: actions.codeOf('checkin_report'), access: actions.codeOf('access_report') },
      before: Object.fromEntries([...devices].map(([id, statement]) => [id, beforeOf(statement)])),
      ...(signal && { signal }),
    });
    const statements = statementsOf(facts, { no, day, timeZone, madeAt: clock.now(), after, before: devices });
    return { no, after, previous: kept?.head.hash ?? noStatementBefore, statements };
  }

  /** Statement of today so far, without a number and a hash. */
  today(): Promise<Today> {
    const { clock, site, store } = this.#options;
    if (!this.#today || clock.monotonic() >= this.#today.until) {
      const day = dayOf(clock.now(), site.timezone).day;
      const statements = keptHeads(store)
        .then(kept => this.#state(day, kept))
        .then(({ statements: [box, ...devices] }) => ({ box, devices }));
      this.#today = { until: clock.monotonic() + todayKeptMs, statements };
      statements.catch(() => {
        this.#today = null;
      });
    }
    return this.#today.statements;
  }

  /** Removes statements that are older than two years, from the old end of the chain. */
  async retire(): Promise<void> {
    const { store, clock, site } = this.#options;
    const kept = await keptHeads(store);
    if (!kept) return;
    const keptFrom = addDays(dayOf(clock.now(), site.timezone).day, -keptDays);
    for (const day of await this.#files.days()) {
      if (day >= keptFrom || day >= kept.head.day) return;
      const next = (await this.#files.days()).find(other => other > day);
      const following = next === undefined ? null : await this.#files.read(next);
      // The chain is broken here: what is left shows it.
      if (!following) return;
      const { previous, statement } = following.box;
      await keepHeads(store, { head: kept.head, begin: { no: statement.no, previous } }, clock.now());
      await this.#files.remove(day);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#job[Symbol.asyncDispose]();
  }
}

const beforeOf = ({ cloud_seq, waiting, last_number }: DeviceStatement): DeviceBefore => ({
  cloudSeq: cloud_seq,
  waiting,
  lastNumber: last_number,
});
