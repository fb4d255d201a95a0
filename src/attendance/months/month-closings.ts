import type { Site } from '../../platform/site.ts';
import { BackgroundJob } from '../../runtime/background-job.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type {
  AuditStore,
  ClosingDraft,
  Lease,
  Period,
  PeriodReads,
  PeriodWrites,
  ReadPart,
  WritePart,
} from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { subjectOf } from '../../words/audit-own.ts';
import type { Reason } from '../../words/sentences.ts';
import type { ClosingAsked } from './close-month.ts';
import { type ClosingFoot, type ClosingOutcome, refusalText } from './closing-outcome.ts';

const everyMs = 10 * 60_000;
const firstAfterMs = 60_000;
const periodsMax = 1000;
/** Terminals come back first: what one of them has still to report is in the way. */
const takenUpAfterMs = 15_000;
const takenUpEveryMs = 60_000;
/** A closing that was cut so often is refused: it may be the reason. */
const attemptsMax = 3;
/** Late changes are looked for in months that ended at most so long ago. */
const lookedAtMonths = 3;
/** Results are kept for two years. */
const keptMonths = 24;

/** Work on closed months, done by the thread for reports. */
interface ClosingWork {
  /** `signal` ends the waiting alone. */
  close(asked: ClosingAsked, signal?: AbortSignal): Promise<ClosingOutcome>;
  /** See noteLateChanges. */
  noteLate(period: Period, signal?: AbortSignal): Promise<void>;
  /** See closedLines. */
  lines(period: Period, signal?: AbortSignal): AsyncGenerator<Uint8Array>;
  hashOf(period: Period): Promise<string>;
}

interface MonthClosingsParts {
  readonly work: ClosingWork;
  readonly store: ReadPart<PeriodReads> & WritePart<PeriodWrites> & AuditStore & { readonly once: Lease };
  /** Other processes close months of this store. */
  readonly isRegion: boolean;
  /** Names of the devices whose clock is wrong now. */
  wrongClocks(): Promise<readonly string[]>;
  readonly clock: Clock;
  readonly site: Pick<Site, 'timezone'>;
  readonly log: Log;
}

type Asked = Omit<ClosingAsked, 'wrongClocks' | 'instead'>;

/**
 * Closed months: closes them, also those whose closing was cut, verifies them, and notes what
 * arrives or changes afterwards.
 */
export class MonthClosings implements AsyncDisposable {
  readonly #parts: MonthClosingsParts;
  readonly #job: BackgroundJob;
  readonly #takingUp: BackgroundJob;
  readonly #stopping = new AbortController();
  /** Closings of this process. */
  #underWay = 0;

  constructor(parts: MonthClosingsParts) {
    this.#parts = parts;
    const { clock, log } = parts;
    this.#job = new BackgroundJob({
      ...{ clock, everyMs, firstAfterMs, lease: parts.store.once },
      retryMs: () => everyMs,
      run: signal => this.noteLate(signal),
      onFailed: error => log.warn({ error: (error as Error).message }, 'late_changes_not_checked'),
    });
    this.#takingUp = new BackgroundJob({
      ...{ clock, everyMs: takenUpEveryMs, firstAfterMs: takenUpAfterMs, lease: parts.store.once },
      retryMs: () => takenUpEveryMs,
      run: signal => this.#takeUp(signal),
      onFailed: error => log.warn({ error: (error as Error).message }, 'closing_not_taken_up'),
    });
  }

  /**
   * Goes on when whoever asked is gone (`signal`): then a refusal stays for them. What a stop of
   * the box or an error cuts is begun again.
   */
  async close(asked: Asked, signal?: AbortSignal): Promise<ClosingOutcome> {
    const outcome = await this.#run({ ...asked, instead: null });
    if (!('draft' in outcome)) return outcome;
    if (signal?.aborted) await this.#note(asked, outcome);
    else await this.#parts.store.write.dropClosing({ id: outcome.draft });
    return outcome;
  }

  /** Begins closings again whose writer has gone. */
  async #takeUp(signal: AbortSignal): Promise<void> {
    const { store, clock, isRegion } = this.#parts;
    for (const draft of await store.read.closingDrafts({ now: clock.now() })) {
      if (draft.refusal !== null || signal.aborted) continue;
      if (isRegion ? !draft.isStale : this.#underWay > 0) continue;
      const asked = askedOf(draft);
      if (draft.attempt < attemptsMax) await this.#note(asked, await this.#run({ ...asked, instead: draft.id }));
      else await this.#giveUp(draft);
    }
  }

  async #giveUp(draft: ClosingDraft): Promise<void> {
    const refusal = { why: 'failed' } as const;
    await this.#parts.store.write.refuseClosing({ id: draft.id, refusal: refusalText(refusal) });
    await this.#note(askedOf(draft), { ok: false, draft: draft.id, ...refusal });
  }

  async #run(asked: Omit<ClosingAsked, 'wrongClocks'>): Promise<ClosingOutcome> {
    const { work, wrongClocks } = this.#parts;
    this.#underWay++;
    try {
      return await work.close({ ...asked, wrongClocks: await wrongClocks() }, this.#stopping.signal);
    } finally {
      this.#underWay--;
    }
  }

  /** Writes the end of a closing into the audit log that nobody waited for. */
  async #note({ month, department, force, by }: Asked, outcome: ClosingOutcome): Promise<void> {
    const of = { month, scope: department?.name ?? '' };
    const note = (about: Reason, done: 'done' | 'refused') =>
      this.#parts.store.audit.note({
        ...{ actor: by, role: '', address: '', action: 'POST /attendance/closings', outcome: done },
        ...subjectOf(about),
      });
    if (outcome.ok) {
      const { revision, hash, foot } = outcome.period;
      const { people } = JSON.parse(foot) as ClosingFoot;
      await note(auditSubjects.say('period_closed_later', { ...of, revision, people, hash, why: force ?? '' }), 'done');
    } else if ('draft' in outcome)
      await note(auditSubjects.say('period_not_closed', { ...of, why: outcome.why }), 'refused');
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#job[Symbol.asyncDispose](), this.#takingUp[Symbol.asyncDispose]()]);
  }
}

const askedOf = ({ month, scopeId, scopeName, forced, closedBy }: ClosingDraft): Asked => ({
  ...{ month, force: forced, by: closedBy },
  department: scopeId === '' ? null : { extId: scopeId, name: scopeName },
});
