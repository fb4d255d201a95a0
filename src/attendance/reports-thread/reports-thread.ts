import type { Worker } from 'node:worker_threads';
import { type DailyFacts, workdayBeforeDaysMax } from '../../platform/daily-report.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { Site } from '../../platform/site.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import { startThread } from '../../runtime/start-thread.ts';
import {
  type DeviceNo,
  type DirectoryStore,
  type Period,
  type ReaderAddressStore,
  StoreError,
  type WholeStore,
  type WritePart,
} from '../../store/index.ts';
import type { ClosingAsked, ClosingWrites } from '../months/close-month.ts';
import type { ClosingOutcome } from '../months/closing-outcome.ts';
import type { MonthAsked } from '../reports/month-report.ts';
import type { DayArrivals } from '../schedules/day-arrivals.ts';
import { monthDates } from '../schedules/frozen-month.ts';
import type { MonthFigures } from '../schedules/month-figures.ts';
import type { PersonResults } from '../schedules/person-results.ts';
import type { CalendarKind } from '../schedules/plan.ts';
import { datesAround } from '../schedules/results.ts';
import type { DailyAsked, DayAsked, DayPage, FiguresAsked, Jobs, PeopleAsked, RecordsFileAsked } from './jobs.ts';
import type { FromThread, JobFacts, Piece, ToThread } from './messages.ts';

/** Jobs at a time, with those that wait for whoever takes their pieces. */
const jobsMax = 32;
/** After so long without a job the thread ends, which frees its memory. */
const restMs = 60_000;
/** Of the thread. A closing of 5000 people needs a quarter of it. */
const heapMbMax = 256;
/**
 * V8 makes three parts of it. A smaller one lets what is soon garbage grow old: with 8 a month
 * takes a tenth longer, in as much memory.
 */
const youngMbMax = 24;

interface ReportsThreadParts {
  readonly store: ReaderAddressStore & WritePart<ClosingWrites> & WholeStore & DirectoryStore;
  readonly clock: Clock;
  readonly site: JobFacts['site'] & Site;
  readonly rules: JobFacts['rules'];
  isOnline(deviceNo: DeviceNo): boolean;
  calendar(dates: readonly DateText[]): Promise<ReadonlyMap<DateText, CalendarKind>>;
}

interface RunningJob {
  /** Pieces that came and were not taken. */
  readonly pieces: Piece[];
  /** Set when nothing more comes. */
  end: { readonly value: unknown } | { readonly error: unknown } | null;
  wake: () => void;
}

const changed = (job: RunningJob): Promise<void> =>
  new Promise(resolve => {
    job.wake = resolve;
  });

/**
 * Main thread's side of the reports thread (thread.ts): months are read and calculated there, so
 * that no device waits for them. The thread starts with the first job and ends after a minute
 * without one. Whoever asks has waited for the tables (`WholeStore.whole`). Throws StoreError.
 */
export class ReportsThread implements AsyncDisposable {
  readonly #parts: ReportsThreadParts;
  readonly #jobs = new Map<number, RunningJob>();
  /** Errors of calls that a job may end with. */
  readonly #failedCalls = new Map<number, unknown>();
  #lastId = 0;
  #worker: Worker | null = null;
  /** Ends the timer that stops an idle thread. */
  #resting: AbortController | null = null;
  #isClosed = false;

  constructor(parts: ReportsThreadParts) {
    this.#parts = parts;
  }

  /** Whether there is a thread now. */
  get isUp(): boolean {
    return this.#worker !== null;
  }

  /** See AttendanceResults.of. */
  async *people({ signal, ...asked }: PeopleAsked & { readonly signal?: AbortSignal }): AsyncGenerator<PersonResults> {
    for await (const people of this.#run('people', asked, asked, signal)) yield* people as readonly PersonResults[];
  }

  /** A page of those who are employed on a day. */
  day(asked: DayAsked, signal?: AbortSignal): Promise<DayPage> {
    return this.#valueOf('day', { from: asked.day, to: asked.day }, asked, signal);
  }

  /** When people came on a day; null: the schedules expect nobody. */
  arrivals(day: DateText): Promise<DayArrivals | null> {
    return this.#valueOf('arrivals', { from: day, to: day }, { day });
  }

  /** Facts of the daily attendance report of some departments. */
  daily(asked: DailyAsked, signal?: AbortSignal): Promise<DailyFacts> {
    const from = addDays(asked.day, -workdayBeforeDaysMax);
    return this.#valueOf('daily', { from, to: asked.day }, asked, signal);
  }

  /** How many people of a month each filter finds. */
  figures(asked: FiguresAsked, signal?: AbortSignal): Promise<MonthFigures> {
    return this.#valueOf('figures', monthDates(asked.month), asked, signal);
  }

  /** The file of a month, in pieces of about 64 KiB. */
  month(asked: MonthAsked, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.#run('month', asked.query, asked, signal) as AsyncGenerator<Uint8Array>;
  }

  /** The file of a month's records, in pieces of about 64 KiB. */
  records(month: string, asked: RecordsFileAsked, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.#run('records', monthDates(month), asked, signal) as AsyncGenerator<Uint8Array>;
  }

  /** Goes on when whoever asked is gone. */
  close(asked: ClosingAsked, signal?: AbortSignal): Promise<ClosingOutcome> {
    return this.#valueOf('close', monthDates(asked.month), asked, signal);
  }

  noteLate(period: Period, signal?: AbortSignal): Promise<void> {
    return this.#valueOf('noteLate', monthDates(period.month), period, signal);
  }

  lines(period: Period, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.#run('lines', monthDates(period.month), period, signal) as AsyncGenerator<Uint8Array>;
  }

  hashOf(period: Period): Promise<string> {
    return this.#valueOf('hash', monthDates(period.month), period);
  }

  /** Ends the thread with its jobs: a closing is begun again after the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#failAll(new StoreError('closed', 'the box stops'));
    this.#gone();
    await worker?.terminate();
  }

  async #valueOf<Name extends 'day' | 'arrivals' | 'daily' | 'figures' | 'close' | 'noteLate' | 'hash'>(
    name: Name,
    dates: { readonly from: DateText; readonly to: DateText },
    asked: Parameters<Jobs[Name]>[1],
    signal?: AbortSignal,
  ) {
    type Value = ReturnType<Jobs[Name]> extends AsyncGenerator<unknown, infer Found> ? Found : never;
    return (await this.#run(name, dates, asked, signal).next()).value as Value;
  }

  async *#run(
    name: keyof Jobs,
    { from, to }: { readonly from: DateText; readonly to: DateText },
    asked: unknown,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Piece, unknown> {
    const { isOnline, clock, store, site, rules } = this.#parts;
    const calendar = await this.#parts.calendar(datesAround(from, to));
    signal?.throwIfAborted();
    if (this.#isClosed) throw new StoreError('closed', 'the box stops');
    if (this.#jobs.size >= jobsMax)
      throw new StoreError('too_busy', `${jobsMax} reports are being made: try again in a moment`);
    const devices = [...store.directory.devices()].map(({ deviceNo }) => deviceNo);
    const facts: JobFacts = {
      ...{ now: clock.now(), site: { name: site.name, timezone: site.timezone }, rules, calendar },
      online: new Set(devices.filter(deviceNo => isOnline(deviceNo))),
    };
    const id = ++this.#lastId;
    const job: RunningJob = { pieces: [], end: null, wake: () => {} };
    this.#jobs.set(id, job);
    this.#resting?.abort();
    const gone = () => job.wake();
    signal?.addEventListener('abort', gone);
    try {
      this.#post({ kind: 'start', id, name, facts, asked });
      for (;;) {
        signal?.throwIfAborted();
        const piece = job.pieces.shift();
        if (piece) {
          yield piece;
          this.#post({ kind: 'taken', id });
        } else if (job.end === null) await changed(job);
        else if ('error' in job.end) throw job.end.error;
        else return job.end.value;
      }
    } finally {
      signal?.removeEventListener('abort', gone);
      if (job.end === null) this.#post({ kind: 'cancel', id });
      this.#jobs.delete(id);
      if (this.#jobs.size === 0 && this.#worker) this.#rest();
    }
  }

  #post(message: ToThread): void {
    if (this.#isClosed) return;
    if (message.kind === 'start') this.#worker ??= this.#start();
    this.#worker?.postMessage(message);
  }

  #start(): Worker {
    const worker = startThread('reports-thread', () => new URL('./thread.ts', import.meta.url), {
      workerData: this.#parts.store.readerAddress,
      name: 'reports',
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: youngMbMax },
    });
    worker.on('message', (message: FromThread) => this.#take(worker, message));
    worker.on('error', error => this.#fail(worker, `: ${(error as Error).message}`));
    worker.on('exit', () => this.#fail(worker, ''));
    return worker;
  }

  #take(worker: Worker, message: FromThread): void {
    if (message.kind === 'call') {
      void this.#answer(worker, message);
      return;
    }
    const job = this.#jobs.get(message.id);
    if (message.kind === 'piece') job?.pieces.push(message.piece);
    else if (job) job.end = message.kind === 'ended' ? { value: message.value } : { error: this.#errorOf(message) };
    job?.wake();
    // A connection that broke stays so: the next job makes another.
    if (message.kind === 'failed' && message.code === 'broken') this.#fail(worker, `: ${message.message}`);
  }

  /** Runs what a job asks of the main thread. */
  async #answer(worker: Worker, { call, name, input }: Extract<FromThread, { kind: 'call' }>): Promise<void> {
    const { store } = this.#parts;
    const answer = (ok: boolean, value: unknown) =>
      worker.postMessage({ kind: 'answer', call, ok, value } satisfies ToThread);
    try {
      const act = (name === 'whole' ? store.whole : store.write[name]) as (input: unknown) => Promise<unknown>;
      answer(true, await act.call(store, input));
    } catch (error) {
      this.#failedCalls.set(call, error);
      answer(false, (error as Error).message);
    }
  }

  #errorOf({ code, message, call }: Extract<FromThread, { kind: 'failed' }>): unknown {
    const failed = call === null ? undefined : this.#failedCalls.get(call);
    if (this.#jobs.size <= 1) this.#failedCalls.clear();
    return failed ?? (code ? new StoreError(code, message) : new Error(message));
  }

  /** Ends the thread if no job comes. */
  #rest(): void {
    this.#resting?.abort();
    this.#resting = new AbortController();
    this.#parts.clock.sleep(restMs, this.#resting.signal).then(
      () => {
        this.#worker?.postMessage({ kind: 'close' } satisfies ToThread);
        this.#gone();
      },
      () => {},
    );
  }

  #gone(): void {
    this.#worker = null;
    this.#resting?.abort();
    this.#resting = null;
  }

  /** Its jobs have failed; the next one starts another thread. */
  #fail(worker: Worker, why: string): void {
    if (worker !== this.#worker) return;
    this.#gone();
    void worker.terminate();
    this.#failAll(new StoreError('broken', `the thread for reports has ended${why}`));
  }

  #failAll(error: StoreError): void {
    for (const job of this.#jobs.values()) {
      job.end ??= { error };
      job.wake();
    }
  }
}
