import type { Site } from '../../platform/site.ts';
import { BackgroundJob } from '../../runtime/background-job.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Lease, Period, PeriodReads, PeriodWrites, ReadPart, WritePart } from '../../store/index.ts';
import type { ClosingAsked, ClosingOutcome } from './close-month.ts';

const everyMs = 10 * 60_000;
const firstAfterMs = 60_000;
const periodsMax = 1000;
/** Late changes are looked for in months that ended at most so long ago. */
const lookedAtMonths = 3;
/** Results are kept for two years. */
const keptMonths = 24;

/** Work on closed months, done by the thread for reports. */
interface ClosingWork {
  close(asked: ClosingAsked): Promise<ClosingOutcome>;
  /** See noteLateChanges. */
  noteLate(period: Period, signal?: AbortSignal): Promise<void>;
  /** See closedLines. */
  lines(period: Period, signal?: AbortSignal): AsyncGenerator<Uint8Array>;
  hashOf(period: Period): Promise<string>;
}

interface MonthClosingsParts {
  readonly work: ClosingWork;
  readonly store: ReadPart<PeriodReads> & WritePart<PeriodWrites> & { readonly once: Lease };
  readonly clock: Clock;
  readonly site: Pick<Site, 'timezone'>;
  readonly log: Log;
}

/** Closed months: closes them, verifies them, and notes what arrives or changes afterwards. */
export class MonthClosings implements AsyncDisposable {
  readonly #parts: MonthClosingsParts;
  readonly #job: BackgroundJob;

  constructor(parts: MonthClosingsParts) {
    this.#parts = parts;
    const { clock, log } = parts;
    this.#job = new BackgroundJob({
      ...{ clock, everyMs, firstAfterMs, lease: parts.store.once },
      retryMs: () => everyMs,
      run: signal => this.noteLate(signal),
      onFailed: error => log.warn({ error: (error as Error).message }, 'late_changes_not_checked'),
    });
  }

  close(asked: ClosingAsked): Promise<ClosingOutcome> {
    return this.#parts.work.close(asked);
  }

  lines(period: Period, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.#parts.work.lines(period, signal);
  }

  hashOf(period: Period): Promise<string> {
    return this.#parts.work.hashOf(period);
  }

  /** Looks for late changes soon. */
  poke(): void {
    this.#job.poke();
  }

  /** Looks for late changes of one closing now. */
  async noteLateOf(period: Period, signal?: AbortSignal): Promise<void> {
    await this.#parts.work.noteLate(period, signal);
  }

  /** Looks for late changes of every closing of the last months. */
  async noteLate(signal?: AbortSignal): Promise<void> {
    const { store } = this.#parts;
    const since = this.#monthsBack(lookedAtMonths);
    for (const period of await store.read.periods({ limit: periodsMax }))
      if (period.month >= since && !signal?.aborted) await this.noteLateOf(period, signal);
  }

  /** Removes closings that are older than two years. */
  async retire(): Promise<void> {
    await this.#parts.store.write.dropPeriods({ before: this.#monthsBack(keptMonths) });
  }

  /** The month that lies so many months before this one. */
  #monthsBack(count: number): string {
    const { clock, site } = this.#parts;
    const [year, month] = dayOf(clock.now(), site.timezone).day.split('-').map(Number) as [number, number];
    return new Date(Date.UTC(year, month - 1 - count, 1)).toISOString().slice(0, 7);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#job[Symbol.asyncDispose]();
  }
}
