import { createHash } from 'node:crypto';
import type {
  ChannelMessage,
  DailyFacts,
  DailyReportContent,
  DailyReportSettings,
} from '../../platform/daily-report.ts';
import type { DateText } from '../../platform/shifts.ts';
import { BackgroundJob } from '../../runtime/background-job.ts';
import type { Clock, UnixMs } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { DailyReportDay, DailyReportStore, Lease, WholeStore } from '../../store/index.ts';
import { type GivenReason, noWhy, whyOf, withWhy } from '../../words/sentences.ts';
import { asTest, compose } from './compose.ts';
import { type Due, lastDue } from './due.ts';

export interface DailyReportEntry extends DailyReportSettings {
  readonly isFixed: boolean;
  readonly since: UnixMs;
}

export interface DailyReportsOptions {
  readonly store: DailyReportStore & WholeStore;
  /** Reports are sent while this process has it. */
  readonly lease: Lease;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells this store's messages from those of another box. */
  readonly epoch: string;
  readonly fixed: readonly DailyReportSettings[];
  readonly site: () => { readonly name: string; readonly timeZone: string; readonly language: 'en' | 'zh' };
  readonly pages: () => string;
  readonly facts: (day: DateText, departments: readonly string[], signal: AbortSignal) => Promise<DailyFacts>;
  readonly terminalName: (deviceNo: number) => string;
  readonly departmentNames: (extIds: readonly string[]) => Promise<string[]>;
  /** Resolves to null, or to why it did not get through. */
  readonly send: (entry: DailyReportEntry, message: ChannelMessage, signal: AbortSignal) => Promise<GivenReason | null>;
}

export interface DailyReportState extends DailyReportEntry {
  /** Outcome of the newest one; null: none was due. */
  readonly last: DailyReportDay | null;
}

/** Daily attendance reports: each entry's goes out once a day. */
export interface DailyReports extends AsyncDisposable {
  report(): Promise<DailyReportState[]>;
  /** Adds or replaces one of the page. */
  put(settings: DailyReportSettings): Promise<'fixed' | 'too_many' | null>;
  remove(name: string): Promise<'fixed' | 'unknown' | null>;
  /** Report that would go out now; null: there is no such entry. */
  preview(name: string, signal: AbortSignal): Promise<{ isDue: boolean; content: DailyReportContent } | null>;
  /** Sends it now, marked as a test. Undefined: there is no such entry; null: it got through. */
  test(name: string, signal: AbortSignal): Promise<GivenReason | null | undefined>;
}

const everyMs = 30_000;
/** Terminals have connected again by then, so that fewer are called offline. */
const firstAfterMs = 60_000;
/** Waits between tries of one day. */
const retryMs = [60_000, 2 * 60_000, 5 * 60_000, 15 * 60_000];
/** Beside those of the config. */
const chosenMax = 20;

export const openDailyReports = (options: DailyReportsOptions): DailyReports => new OpenDailyReports(options);

class OpenDailyReports implements DailyReports {
  readonly #options: DailyReportsOptions;
  readonly #job: BackgroundJob;
  /** Outcomes that the store has not taken, by entry: a full disk sends no report twice. */
  readonly #unsaved = new Map<string, DailyReportDay>();

  constructor(options: DailyReportsOptions) {
    this.#options = options;
    const { lease, clock, log } = options;
    this.#job = new BackgroundJob({
      ...{ lease, clock, everyMs, firstAfterMs, retryMs: () => everyMs },
      run: signal => this.#look(signal),
      onFailed: error => log.warn({ error: String(error) }, 'daily_reports_not_read'),
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#job[Symbol.asyncDispose]();
  }

  async report(): Promise<DailyReportState[]> {
    const entries = await this.#entries();
    return Promise.all(entries.map(async one => ({ ...one, last: (await this.#daysOf(one.name))[0] ?? null })));
  }

  async put(settings: DailyReportSettings) {
    const { store, clock, fixed } = this.#options;
    const { name } = settings;
    if (fixed.some(one => one.name === name)) return 'fixed';
    const entries = await this.#entries();
    const before = entries.find(one => one.name === name);
    if (!before && entries.length - fixed.length >= chosenMax) return 'too_many';
    const since = before?.at === settings.at ? before.since : clock.now();
    await store.write.putDailyReport({ name, settings: JSON.stringify(settings), since });
    this.#job.poke();
    return null;
  }

  async remove(name: string) {
    const { store, fixed } = this.#options;
    if (fixed.some(one => one.name === name)) return 'fixed';
    if (!(await this.#find(name))) return 'unknown';
    await store.write.removeDailyReport({ name });
    return null;
  }

  async preview(name: string, signal: AbortSignal) {
    const entry = await this.#find(name);
    if (!entry) return null;
    const { clock, site } = this.#options;
    const found = await this.#made(entry, dayOf(clock.now(), site().timeZone).day, signal);
    return { isDue: found.isScheduled, content: found.content };
  }

  async test(name: string, signal: AbortSignal) {
    const entry = await this.#find(name);
    if (!entry) return undefined;
    const { clock, site, send } = this.#options;
    const day = dayOf(clock.now(), site().timeZone).day;
    const { content } = await this.#made(entry, day, signal);
    const id = this.#idOf(entry, `test-${clock.now()}`);
    return send(entry, { id, content: asTest(content, this.#languageOf(entry)) }, signal);
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { clock, log, site } = this.#options;
    for (const entry of await this.#entries()) {
      const due = lastDue(entry.at, site().timeZone, clock.now(), entry.since);
      if (!due || signal.aborted) continue;
      // A report that cannot be made holds up no other.
      await this.#doWhatIsDue(entry, due, signal).catch(error => {
        if (!signal.aborted) log.warn({ name: entry.name, error: String(error) }, 'daily_report_not_made');
      });
    }
  }

  async #doWhatIsDue(entry: DailyReportEntry, { day, until }: Due, signal: AbortSignal): Promise<void> {
    const { clock, log, send, lease } = this.#options;
    const { name } = entry;
    const unsaved = this.#unsaved.get(name);
    if (unsaved) await this.#note(unsaved);
    const before = (await this.#daysOf(name)).find(one => one.day === day);
    if (before && before.state !== 'failing') return;
    const now = clock.now();
    if (now >= until) {
      if (!before) return;
      log.warn({ name, day }, 'daily_report_given_up', withWhy(before));
      return this.#note({ ...before, state: 'given_up' });
    }
    if (before && isWaiting(before, now)) return;
    const { isScheduled, content } = await this.#made(entry, day, signal);
    const attempts = (before?.attempts ?? 0) + 1;
    if (!isScheduled) return this.#note({ ...noWhy, name, day, attempts, at: now, state: 'nobody' });
    if (!lease.isMine) return;
    const why = await send(entry, { id: this.#idOf(entry, day), content }, signal);
    if (signal.aborted && why) return;
    if (!why) return this.#note({ ...noWhy, name, day, attempts, at: clock.now(), state: 'sent' });
    const failed = { ...whyOf(why), name, day, attempts, at: clock.now(), state: 'failing' as const };
    if (attempts === 1) log.warn({ name, day }, 'daily_report_not_sent', withWhy(failed));
    return this.#note(failed);
  }

  /** An outcome that the store refuses counts all the same, until it is stored. */
  async #note(one: DailyReportDay): Promise<void> {
    this.#unsaved.set(one.name, one);
    await this.#options.store.write.noteDailyReport(one);
    this.#unsaved.delete(one.name);
  }

  async #made(entry: DailyReportEntry, day: DateText, signal: AbortSignal) {
    const { store, facts, site, pages, terminalName, departmentNames } = this.#options;
    await store.whole();
    const found = await facts(day, entry.departments, signal);
    const content = compose(found, {
      ...{ name: entry.name, language: this.#languageOf(entry), site: site().name, timeZone: site().timeZone },
      departments: await departmentNames(entry.departments),
      terminals: found.offline.map(terminalName),
      pages: pages(),
    });
    return { isScheduled: found.isScheduled, content };
  }

  /** A message keeps its id at every try of a day. */
  #idOf({ name }: DailyReportEntry, what: string): string {
    const of = createHash('sha256').update(`${this.#options.epoch} ${name}`).digest('hex').slice(0, 12);
    return `daily-report-${of}-${what}`;
  }

  #languageOf({ language }: DailyReportEntry): 'en' | 'zh' {
    return language ?? this.#options.site().language;
  }

  async #find(name: string): Promise<DailyReportEntry | undefined> {
    return (await this.#entries()).find(one => one.name === name);
  }

  /** Those of the config, then those of the page, whatever process set them up. */
  async #entries(): Promise<DailyReportEntry[]> {
    const { fixed, store } = this.#options;
    const chosen = (await store.read.dailyReports()).map(({ settings, since }) => ({
      ...(JSON.parse(settings) as DailyReportSettings),
      since,
    }));
    return [
      ...fixed.map(one => ({ ...one, isFixed: true, since: 0 })),
      ...chosen.filter(({ name }) => !fixed.some(one => one.name === name)).map(one => ({ ...one, isFixed: false })),
    ];
  }

  async #daysOf(name: string): Promise<DailyReportDay[]> {
    const stored = await this.#options.store.read.dailyReportDays(name);
    const unsaved = this.#unsaved.get(name);
    return unsaved ? [unsaved, ...stored.filter(({ day }) => day !== unsaved.day)] : stored;
  }
}

/** Also after the clock was set back nothing waits for longer than a step. */
function isWaiting({ attempts, at }: DailyReportDay, now: UnixMs): boolean {
  const since = now - at;
  return since >= 0 && since < retryMs[Math.min(attempts, retryMs.length) - 1]!;
}
