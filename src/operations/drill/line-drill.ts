import { join } from 'node:path';
import { drillRowsMax, type LineFigures, type LineReport, type LineResult } from '../../platform/drill.ts';
import type { Clock, UnixMs } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { GivenReason } from '../../words/sentences.ts';
import { uplinkReasons } from '../../words/uplink.ts';
import { StateFile } from './state-file.ts';

interface LineState {
  readonly version: 1;
  readonly id: string;
  readonly begunAt: UnixMs;
  readonly endsAt: UnixMs;
  /** Time at which the line was restored; null while it is cut. */
  readonly restoredAt: UnixMs | null;
  /** Figures of each device when the line was cut: said, stored, confirmed. */
  readonly before: readonly LineFigures[];
}

interface LineDrillParts {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly upstream: {
    cutLine(why: GivenReason | null): void;
    status(): Promise<{ readonly outbox: { readonly waiting: number } }>;
  };
  /** Of each device today: what the daily statement would say now. */
  readonly figures: () => Promise<readonly LineFigures[]>;
  readonly keep: (result: LineResult) => Promise<void>;
}

const minuteMs = 60_000;
/** Time for which attendance caches the figures: those read after it are not those from before. */
const figuresKeptMs = 4000;
const lookMs = 1000;
/** For what waited, after the line was let go. */
const drainsWithinMs = 10 * minuteMs;

/**
 * The drill of the line (docs/drill.md): cuts it for some minutes while devices work, lets it go,
 * and compares what was said, stored and confirmed. The end of the cut is on disk before the cut
 * begins, so a box that was killed meanwhile does not stay cut.
 */
export class LineDrill implements AsyncDisposable {
  readonly #parts: LineDrillParts;
  readonly #file: StateFile<LineState>;
  readonly #ending = new AbortController();
  #state: LineState | null = null;
  #isBeginning = false;
  #letGo = new AbortController();
  #running: Promise<void> | null = null;

  private constructor(parts: LineDrillParts) {
    this.#parts = parts;
    this.#file = new StateFile(join(parts.dataDir, 'drill-line'), 'line.json');
  }

  /** Goes on with a drill that a restart has interrupted. */
  static async open(parts: LineDrillParts): Promise<LineDrill> {
    const drill = new LineDrill(parts);
    const state = await drill.#file.read();
    if (state) drill.#goOn(state);
    return drill;
  }

  /** Report; null if no drill is under way. */
  async report(): Promise<LineReport | null> {
    if (this.#state === null) return null;
    const { id, begunAt, endsAt, restoredAt } = this.#state;
    const { outbox } = await this.#parts.upstream.status();
    return { id, begunAt, endsAt, step: restoredAt === null ? 'cut' : 'restored', waiting: outbox.waiting };
  }

  /** False: one is under way already. */
  async begin(id: string, minutes: number): Promise<boolean> {
    if (this.#state !== null || this.#isBeginning) return false;
    this.#isBeginning = true;
    try {
      const before = await this.#parts.figures();
      const begunAt = this.#parts.clock.now();
      const endsAt = begunAt + minutes * minuteMs;
      const state: LineState = { version: 1, id, begunAt, endsAt, restoredAt: null, before };
      await this.#file.write(state);
      this.#goOn(state);
      return true;
    } finally {
      this.#isBeginning = false;
    }
  }

  /** Lets the line go before its time. */
  end(): void {
    this.#letGo.abort();
  }

  /** The line is cut again at the next start, if its time is not over by then. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  #goOn(state: LineState): void {
    this.#state = state;
    this.#letGo = new AbortController();
    this.#running = this.#run(state).catch(error => {
      if (!this.#ending.signal.aborted)
        this.#parts.log.error({ error: (error as Error).message }, 'uplink_drill_failed');
      this.#parts.upstream.cutLine(null);
      this.#state = null;
    });
  }

  async #run(begun: LineState): Promise<void> {
    const { clock, upstream } = this.#parts;
    let state = begun;
    if (state.restoredAt === null) {
      // A clock that was set back must not make it longer.
      const leftMs = Math.min(state.endsAt - clock.now(), state.endsAt - state.begunAt);
      if (leftMs > 0) {
        upstream.cutLine(uplinkReasons.say('cut_for_drill'));
        const { signal } = this.#letGo;
        await clock.sleep(leftMs, AbortSignal.any([signal, this.#ending.signal])).catch(() => {});
        this.#ending.signal.throwIfAborted();
      }
      upstream.cutLine(null);
      state = { ...state, restoredAt: clock.now() };
      this.#state = state;
      await this.#file.write(state);
    }
    await this.#finish(state);
  }

  async #finish({ id, begunAt, restoredAt, before }: LineState): Promise<void> {
    const { clock, upstream, figures, keep } = this.#parts;
    const { signal } = this.#ending;
    const until = clock.monotonic() + drainsWithinMs;
    await clock.sleep(figuresKeptMs, signal);
    let waiting = (await upstream.status()).outbox.waiting;
    for (; waiting > 0 && clock.monotonic() < until; waiting = (await upstream.status()).outbox.waiting)
      await clock.sleep(lookMs, signal);
    await clock.sleep(figuresKeptMs, signal);
    const devices = since(before, await figures());
    await keep({
      ...{ kind: 'line', id, begunAt, restoredAt: restoredAt ?? clock.now(), endedAt: clock.now() },
      ...{ outcome: outcomeOf(devices, waiting), waiting, ...listed(devices) },
    });
    await this.#file.write(null);
    this.#state = null;
  }
}

/** Figures since the cut; since midnight where the day has changed meanwhile. */
function since(before: readonly LineFigures[], after: readonly LineFigures[]): LineFigures[] {
  const had = new Map(before.map(one => [one.deviceId, one]));
  return after
    .map(one => {
      const was = had.get(one.deviceId);
      const isSameDay = was !== undefined && was.said <= one.said && was.stored <= one.stored;
      if (!isSameDay) return one;
      return {
        deviceId: one.deviceId,
        said: one.said - was.said,
        stored: one.stored - was.stored,
        confirmed: Math.max(0, one.confirmed - was.confirmed),
      };
    })
    .filter(({ said, stored, confirmed }) => said + stored + confirmed > 0);
}

const differs = ({ said, stored, confirmed }: LineFigures): boolean => stored < said || confirmed < stored;

/** As many as a result may name, those that differ first. */
function listed(devices: readonly LineFigures[]): Pick<LineResult, 'devices' | 'unlisted'> {
  const sorted = devices.toSorted((one, other) => Number(differs(other)) - Number(differs(one)));
  return { devices: sorted.slice(0, drillRowsMax), unlisted: Math.max(0, devices.length - drillRowsMax) };
}

function outcomeOf(devices: readonly LineFigures[], waiting: number): LineResult['outcome'] {
  if (waiting > 0 || devices.some(differs)) return 'failed';
  return devices.length === 0 ? 'silent' : 'passed';
}
