import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CardReport,
  type CardResult,
  type CutFound,
  cutsOfDrill,
  type DiskDevice,
  type DrillOutcome,
  numbersBeforeCut,
  type SeenNumber,
} from '../../platform/drill.ts';
import type { Clock, Random } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { afterCut, type CardState, isExpired, startedAgain } from './card-state.ts';
import { examine, NumbersWriter, numbersMax, removeNumbers } from './numbers.ts';
import { measureSpeed, whatIsAllowed } from './speed.ts';
import { StateFile } from './state-file.ts';

export interface CardDrillParts {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Of the machine since it was switched on (`/proc/sys/kernel/random/boot_id`). */
  readonly bootId: () => string;
  readonly disk: () => DiskDevice;
  /** Bytes written in a day, null if not measured yet, and the endurance of the disk. */
  readonly wear: () => { readonly bytesPerDay: number | null; readonly enduranceTb: number };
  /** Keeps a result; a second one with the same id replaces the first. */
  readonly keep: (result: CardResult) => Promise<void>;
  readonly isKept: (id: string) => Promise<boolean>;
  /** The LED says to pull the plug, or not any more. */
  readonly showPull: (on: boolean) => void;
}

const paceMs = 25;

/**
 * The drill of the card (docs/drill.md): counts numbers that are synced, until somebody pulls the
 * plug, and looks after the next start whether one is missing. Three times. Its files lie in
 * `drill` in the data directory, 20 MiB at most.
 */
export class CardDrill implements AsyncDisposable {
  readonly #parts: CardDrillParts;
  readonly #folder: string;
  readonly #file: StateFile<CardState>;
  readonly #hearers = new Set<(written: number | null) => void>();
  #state: CardState | null = null;
  #written = 0;
  /** Last change of the state; each change waits for the one before. */
  #last: Promise<unknown> = Promise.resolve();
  #running: { readonly ended: Promise<void>; readonly ending: AbortController } | null = null;

  private constructor(parts: CardDrillParts) {
    this.#parts = parts;
    this.#folder = join(parts.dataDir, 'drill');
    this.#file = new StateFile(this.#folder, 'card.json');
  }

  /** Goes on with a drill that a power cut, or a restart, has interrupted. */
  static async open(parts: CardDrillParts): Promise<CardDrill> {
    const drill = new CardDrill(parts);
    const state = await drill.#file.read();
    if (state === null) return drill;
    try {
      // The power went between keeping the result and removing the file.
      if (await parts.isKept(state.id)) {
        await removeNumbers(drill.#folder);
        return drill;
      }
      await drill.#become(startedAgain(state, parts.bootId()));
      if (drill.#state?.step === 'proving')
        drill.#written = (await examine(drill.#numbersFolder(), drill.#state, 0)).found;
    } catch (error) {
      // A drill must not keep a box from starting.
      parts.log.warn({ error: (error as Error).message }, 'card_drill_failed');
    }
    return drill;
  }

  /** Report; null if no drill is under way. */
  async report(): Promise<CardReport | null> {
    await this.#queued(() => this.#expire());
    if (this.#state === null) return null;
    const { id, begunAt, step, cut, cuts, device } = this.#state;
    return { id, begunAt, step, cut, written: this.#written, cuts, device };
  }

  /** False: one is under way already. `id`: 16 characters. */
  begin(id: string): Promise<boolean> {
    return this.#queued(async () => {
      await this.#expire();
      if (this.#state !== null) return false;
      await removeNumbers(this.#folder);
      await this.#become({
        ...{ version: 1, id, begunAt: this.#parts.clock.now(), step: 'measuring', cut: 1, cuts: [], speed: null },
        ...{ bootId: this.#parts.bootId(), isStopped: false, device: this.#parts.disk() },
      });
      return true;
    });
  }

  /**
   * Compares what somebody saw last with what is on the disk. Null: the plug was not pulled yet, or
   * this cut was proved before. A drill, or a cut, of which the box knows nothing was on a card
   * that forgot it: every number of it is missing.
   */
  seen(seen: SeenNumber): Promise<CutFound | null> {
    return this.#queued(() => this.#seen(seen));
  }

  async #seen({ id, cut, number }: SeenNumber): Promise<CutFound | null> {
    await this.#expire();
    const state = this.#state;
    if (state?.id !== id) return (await this.#parts.isKept(id)) ? null : this.#forgotten({ id, cut, number });
    if (cut < state.cut || (cut === state.cut && state.step !== 'proving')) return null;
    const found: CutFound =
      cut === state.cut
        ? { cut, ...(await examine(this.#numbersFolder(), state, number)) }
        : { cut, seen: number, found: 0, missing: number, firstMissing: 1 };
    const next = found.missing > 0 ? null : afterCut(state, found, cutsOfDrill);
    if (next) {
      await removeNumbers(this.#numbersFolder());
      await this.#become(next);
    } else await this.#end(found.missing > 0 ? 'failed' : 'passed', '', found);
    return found;
  }

  /** Ends it without a verdict. */
  stop(): Promise<void> {
    return this.#queued(() => this.#end('stopped'));
  }

  /** Calls with each number when it is on the disk; with null when it no longer counts. */
  hear(hearer: (written: number | null) => void): () => void {
    this.#hearers.add(hearer);
    return () => void this.#hearers.delete(hearer);
  }

  /** The box stops in order: the next start knows that this was no power cut. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.#rest();
    this.#tell(null);
    if (this.#state) await this.#file.write({ ...this.#state, isStopped: true }).catch(() => {});
  }

  #queued<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => {});
    return done;
  }

  async #expire(): Promise<void> {
    if (this.#state && isExpired(this.#state, this.#parts.clock.now())) await this.#end('expired');
  }

  async #become(state: CardState): Promise<void> {
    await this.#rest();
    await this.#file.write(state);
    this.#state = state;
    this.#written = 0;
    if (state.step === 'proving') return;
    const ending = new AbortController();
    this.#running = { ending, ended: this.#run(state, ending.signal).catch(error => this.#broke(error, ending)) };
  }

  async #run(begun: CardState, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#parts;
    let state = begun;
    if (state.step === 'measuring') {
      await mkdir(this.#folder, { recursive: true });
      const speed = await measureSpeed(this.#folder, { clock, random, signal });
      state = { ...state, speed, step: 'counting' };
      await this.#file.write(state);
      this.#state = state;
    }
    await using writer = await NumbersWriter.open(this.#numbersFolder(), state);
    while (!signal.aborted && writer.last < numbersMax) {
      this.#written = await writer.write();
      this.#tell(this.#written);
      if (this.#written === numbersBeforeCut) this.#parts.showPull(true);
      await clock.sleep(paceMs, signal);
    }
    // Nobody pulled the plug in a quarter of an hour.
    if (!signal.aborted) this.#endSoon('expired');
  }

  async #broke(error: Error, { signal }: AbortController): Promise<void> {
    if (signal.aborted) return;
    this.#parts.log.error({ error: error.message }, 'disk_failed_in_drill');
    this.#endSoon('broken', error.message);
  }

  #endSoon(outcome: DrillOutcome, why = ''): void {
    void this.#queued(() => this.#end(outcome, why)).catch(() => {});
  }

  async #rest(): Promise<void> {
    this.#parts.showPull(false);
    this.#running?.ending.abort();
    await this.#running?.ended;
    this.#running = null;
  }

  async #end(outcome: DrillOutcome, why = '', last?: CutFound): Promise<void> {
    await this.#rest();
    const state = this.#state;
    if (state === null) return;
    this.#state = null;
    const { id, begunAt, device, speed } = state;
    const cuts = last ? [...state.cuts, last] : state.cuts;
    await this.#keep({ id, begunAt, outcome, why, device, cuts, speed });
    await removeNumbers(this.#folder);
    this.#tell(null);
  }

  async #forgotten({ id, cut, number }: SeenNumber): Promise<CutFound> {
    const found = { cut, seen: number, found: 0, missing: number, firstMissing: 1 };
    const begunAt = this.#parts.clock.now();
    await this.#keep({
      ...{ id, begunAt, outcome: 'failed', why: '', device: this.#parts.disk(), cuts: [found], speed: null },
    });
    return found;
  }

  #keep(result: Omit<CardResult, 'kind' | 'endedAt' | 'allows'>): Promise<void> {
    const allows = result.speed && whatIsAllowed(result.speed, this.#parts.wear());
    return this.#parts.keep({ kind: 'card', ...result, endedAt: this.#parts.clock.now(), allows });
  }

  #numbersFolder(): string {
    return join(this.#folder, `cut-${this.#state?.cut}`);
  }

  #tell(written: number | null): void {
    for (const hear of this.#hearers) hear(written);
  }
}
