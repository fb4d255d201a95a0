import { join } from 'node:path';
import type { ActionTable } from '../../platform/actions.ts';
import type { DeviceState } from '../../platform/device-state.ts';
import { drillHours, type TerminalsReport, type TerminalsResult } from '../../platform/drill.ts';
import type { Clock, UnixMs } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Device, DeviceNo, Journal, ReadPart, Seq, StatementReads } from '../../store/index.ts';
import { PunchWatch } from './punch-watch.ts';
import { StateFile } from './state-file.ts';
import { countsOf, listedPunches, type Punched, rowsOf } from './terminal-rows.ts';

interface TerminalState {
  readonly version: 1;
  readonly id: string;
  readonly begunAt: UnixMs;
  /** The last record before it. */
  readonly after: Seq;
}

interface TerminalDrillParts extends ReadPart<Pick<StatementReads, 'receipt'>> {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly actions: ActionTable;
  readonly journal: Pick<Journal, 'read' | 'lastSeq' | 'onCommitted'>;
  /** Those that speak to this box; not those behind a box below. */
  readonly terminals: () => readonly Device[];
  readonly stateOf: (device: Device) => DeviceState;
  readonly upstream: {
    readonly standsAlone: boolean;
    /** Why the records of a device do not go up; empty: they do. */
    whyNot(deviceNo: DeviceNo): string;
    watchSends(watch: ((deviceNo: DeviceNo, seq: Seq) => void) | null): void;
  };
  readonly keep: (result: TerminalsResult) => Promise<void>;
}

const lookMs = 250;
const endsAfterMs = drillHours * 3600_000;
/** Each is a look into the journal and the ledger. */
const receiptsAtOnce = 20;
/** Polls between two checks of parked records, which staff may send again. */
const parkedEvery = 20;
const latestMax = 20;

/**
 * The drill of the terminals (docs/drill.md): waits for a punch of each, and notes when it came
 * past each hop on its way to the cloud. What it found is in the journal, so a restart costs no
 * more than the moments of commit and sending before it.
 */
export class TerminalDrill implements AsyncDisposable {
  readonly #parts: TerminalDrillParts;
  readonly #file: StateFile<TerminalState>;
  readonly #watch: PunchWatch;
  readonly #ending = new AbortController();
  #state: TerminalState | null = null;
  #isBeginning = false;
  #over = new AbortController();
  /** In the order in which they were found. */
  readonly #punched = new Map<DeviceNo, Punched>();
  #settlings = 0;
  #running: Promise<void> | null = null;

  private constructor(parts: TerminalDrillParts) {
    this.#parts = parts;
    this.#file = new StateFile(join(parts.dataDir, 'drill-terminals'), 'terminals.json');
    this.#watch = new PunchWatch(parts);
  }

  /** Goes on with a drill that a restart has interrupted. */
  static async open(parts: TerminalDrillParts): Promise<TerminalDrill> {
    const drill = new TerminalDrill(parts);
    const state = await drill.#file.read();
    if (state) drill.#goOn(state);
    return drill;
  }

  /** Report; null if no drill is under way. */
  report(): TerminalsReport | null {
    if (this.#state === null) return null;
    const rows = this.#rows();
    const latest = [...this.#punched.keys()].slice(-latestMax).reverse();
    return {
      ...{ id: this.#state.id, begunAt: this.#state.begunAt, endsAt: this.#state.begunAt + endsAfterMs },
      ...countsOf(rows.values()),
      latest: latest.flatMap(deviceNo => rows.get(deviceNo) ?? []),
      terminals: listedPunches(rows.values()),
    };
  }

  /** Why it did not begin; null: it did. */
  async begin(id: string): Promise<'under way' | 'no terminals' | null> {
    if (this.#state !== null || this.#isBeginning) return 'under way';
    if (this.#parts.terminals().length === 0) return 'no terminals';
    this.#isBeginning = true;
    try {
      const { clock, journal } = this.#parts;
      const state: TerminalState = { version: 1, id, begunAt: clock.now(), after: journal.lastSeq };
      await this.#file.write(state);
      this.#goOn(state);
      return null;
    } finally {
      this.#isBeginning = false;
    }
  }

  /** The result is what is known now. */
  end(): void {
    this.#over.abort();
  }

  /** Leaves the drill to the next start, which continues it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  #goOn(state: TerminalState): void {
    const { log, upstream } = this.#parts;
    this.#state = state;
    this.#over = new AbortController();
    this.#watch.begin(state.after);
    upstream.watchSends((deviceNo, seq) => this.#watch.noteSent(deviceNo, seq));
    this.#running = this.#run(state)
      .catch(error => {
        if (!this.#ending.signal.aborted) log.error({ error: (error as Error).message }, 'terminal_drill_failed');
      })
      .finally(() => {
        upstream.watchSends(null);
        this.#watch.end();
        this.#punched.clear();
        this.#state = null;
      });
  }

  async #run({ id, begunAt }: TerminalState): Promise<void> {
    const { clock, keep, upstream } = this.#parts;
    const over = AbortSignal.any([this.#over.signal, this.#ending.signal]);
    for (;;) {
      const isDone = await this.#look();
      // A clock that was set back must not make it longer.
      const isLate = Math.abs(clock.now() - begunAt) >= endsAfterMs;
      if (over.aborted || isLate || isDone) break;
      await clock.sleep(lookMs, over).catch(() => {});
    }
    this.#ending.signal.throwIfAborted();
    const rows = this.#rows();
    const counts = countsOf(rows.values());
    await keep({
      ...{ kind: 'terminals', id, begunAt, endedAt: clock.now(), hasCloud: !upstream.standsAlone, ...counts },
      outcome: counts.done === counts.known ? 'passed' : counts.done + counts.punched === 0 ? 'silent' : 'failed',
      terminals: listedPunches(rows.values()),
    });
    await this.#file.write(null);
  }

  #rows() {
    const { terminals, stateOf, upstream } = this.#parts;
    return rowsOf(terminals(), this.#punched, { stateOf, upstream, sentAt: this.#watch.sentAt.bind(this.#watch) });
  }

  /** Resolves with whether all terminals are done. */
  async #look(): Promise<boolean> {
    const { terminals, upstream } = this.#parts;
    const isOpen = ({ deviceNo }: Device) => this.#punched.get(deviceNo)?.isSettled !== true;
    const isAwaited = ({ deviceNo }: Device) => (this.#punched.get(deviceNo)?.misfit ?? 'none') !== '';
    const numbers = (devices: readonly Device[]) => new Set(devices.map(({ deviceNo }) => deviceNo));
    const open = terminals().filter(isOpen);
    const awaited = () => numbers(terminals().filter(isAwaited));
    for (const punch of await this.#watch.look(awaited, numbers(open))) {
      if (punch.misfit !== '' && this.#punched.has(punch.deviceNo)) continue;
      const isSettled = punch.misfit === '' && upstream.standsAlone;
      this.#punched.delete(punch.deviceNo);
      this.#punched.set(punch.deviceNo, { ...punch, isSettled, sentAt: null, confirmedAt: null, parked: '' });
    }
    if (!upstream.standsAlone) await this.#settle(open);
    // As they are now: some may have come meanwhile.
    const known = terminals();
    return known.length > 0 && !known.some(isOpen);
  }

  /** Asks the ledger about those that the cloud has answered. */
  async #settle(open: readonly Device[]): Promise<void> {
    let asked = 0;
    this.#settlings++;
    for (const { deviceNo, forwarded } of open) {
      const punch = this.#punched.get(deviceNo);
      if (punch?.misfit !== '' || forwarded.device < punch.seq) continue;
      if (punch.parked !== '' && this.#settlings % parkedEvery !== 0) continue;
      if (++asked > receiptsAtOnce) return;
      const receipt = await this.#parts.read.receipt({ seq: punch.seq });
      if (receipt === null || receipt.state === 'waiting') continue;
      const { parked } = receipt;
      this.#punched.set(deviceNo, {
        ...punch,
        sentAt: this.#watch.sentAt(deviceNo, punch.seq),
        confirmedAt: receipt.confirmedAt,
        parked: parked ? `${parked.code}: ${parked.reason}` : '',
        // Parked records may be sent again while the drill goes on.
        isSettled: parked === null,
      });
      if (parked === null) this.#watch.forgetSends(deviceNo);
    }
  }
}
