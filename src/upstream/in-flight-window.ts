import type { Clock } from '../runtime/clock.ts';
import type { Seq } from '../store/index.ts';
import type { GivenReason } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import type { InFlightRecord } from './in-flight-record.ts';
import type { Allowance } from './load-shedding.ts';
import type { Outgoing, Result, Transport } from './transport.ts';

/** Silence is counted in turns of the watch: no clock is read for each record. */
const watchMs = 2_000;
/** CONTRACT 7: parked after the cloud has closed the connection three times in a row behind it. */
const strikesMax = 3;
/**
 * At an eighth of the window, so that many records share one write: while the others are in flight,
 * answers will come.
 */
const worthAnnouncing = 7 / 8;
/**
 * When a connection breaks, the oldest records in flight become suspects: each is sent alone until
 * it is confirmed. The cloud reads in order, so what broke the connection is among the oldest.
 */
const suspectsMax = 16;

interface InFlightWindowOptions {
  readonly clock: Clock;
  /** Of all sessions together. */
  readonly allowance: Allowance;
  /** The session must be given up: nothing is answered any more. */
  readonly onSilence: (why: GivenReason) => void;
  /** There is room again for queues that found none. */
  readonly onRoom: () => void;
}

/**
 * The records in flight on one session. Finds out which of them makes the cloud close the
 * connection.
 */
export class InFlightWindow {
  readonly #clock: Clock;
  readonly #options: InFlightWindowOptions;
  /** How many records more its queues have read that wait for nothing but room. */
  ahead = 0;
  #transport: Transport | null = null;
  #via: Transport['via'] = 'mqtt';
  /** Of this connection; answers of an earlier one are no longer heard. */
  #connection = 0;
  /** A linked list in the order of sending: any of them leaves at the same small cost. */
  #oldest: InFlightRecord | null = null;
  #newest: InFlightRecord | null = null;
  #count = 0;
  readonly #suspects = new Set<Seq>();
  #suspectInFlight = false;
  /** A suspect waits until nothing is in flight; nothing else is sent before it. */
  #suspectWaits = false;
  /** How often the connection broke behind a record that was in flight alone. */
  readonly #strikes = new Map<Seq, number>();
  #watch: AbortController | null = null;
  #watchRound = 0;
  #roomAnnounced = false;
  readonly #announceRoom = (): void => {
    this.#roomAnnounced = false;
    if (this.#count <= this.size * worthAnnouncing) this.#options.onRoom();
  };

  constructor(options: InFlightWindowOptions) {
    this.#clock = options.clock;
    this.#options = options;
  }

  /** Of this connection, or the last one. */
  get via(): Transport['via'] {
    return this.#via;
  }

  /** How many may be in flight at once; 0 without a connection. */
  get size(): number {
    return this.#transport?.window ?? 0;
  }

  get isUp(): boolean {
    return this.#transport !== null;
  }

  get hasRoom(): boolean {
    return (
      this.#transport !== null &&
      !this.#suspectInFlight &&
      this.#count < this.#transport.window &&
      this.#options.allowance.hasRoom
    );
  }

  /** Whether this one may go now. A suspect that may not is the next that may. */
  hasRoomFor({ seq }: Outgoing): boolean {
    if (!this.hasRoom) return false;
    if (this.#suspects.size === 0 || !this.#suspects.has(seq)) return !this.#suspectWaits;
    this.#suspectWaits = this.#count > 0;
    return !this.#suspectWaits;
  }

  up(transport: Transport): void {
    this.#transport = transport;
    this.#via = transport.via;
    this.#connection++;
  }

  /**
   * The connection is gone. Returns the record behind which the cloud has now closed it three times
   * in a row, if there is one.
   */
  lost(byCloud: boolean): InFlightRecord | null {
    this.#transport = null;
    this.#connection++;
    this.#watch?.abort();
    this.#watch = null;
    const count = this.#count;
    const broken: InFlightRecord[] = [];
    for (let record = this.#oldest; record && broken.length < suspectsMax; record = record.after) broken.push(record);
    this.#oldest = null;
    this.#newest = null;
    this.#count = 0;
    this.#suspectInFlight = false;
    this.#suspectWaits = false;
    const [first] = broken;
    if (!first || !byCloud) return null;
    for (const { seq } of broken) this.#suspects.add(seq);
    if (count > 1) return null;
    const strikes = (this.#strikes.get(first.seq) ?? 0) + 1;
    this.#strikes.set(first.seq, strikes);
    if (strikes < strikesMax) return null;
    this.#clear(first.seq);
    return first;
  }

  /** Only when there is room for it. Its sender is not told when the connection breaks first. */
  send(record: InFlightRecord): void {
    if (this.#suspects.size > 0 && this.#suspects.has(record.seq)) {
      this.#suspectInFlight = true;
      this.#suspectWaits = false;
    }
    record.window = this;
    record.connection = this.#connection;
    record.sentInRound = this.#watchRound;
    record.before = this.#newest;
    if (this.#newest) this.#newest.after = record;
    else this.#oldest = record;
    this.#newest = record;
    this.#count++;
    this.#options.allowance.sent();
    if (!this.#watch) this.#watchForSilence();
    this.#transport!.send(record);
  }

  /** The cloud has answered. Room is announced once for all the answers that came together. */
  onAnswer(record: InFlightRecord, result: Result): void {
    if (record.connection !== this.#connection) return;
    const { before, after } = record;
    if (before) before.after = after;
    else this.#oldest = after;
    if (after) after.before = before;
    else this.#newest = before;
    // A list of dead records would keep live ones from being collected early.
    record.before = null;
    record.after = null;
    this.#count--;
    // A suspect is in flight alone.
    if (this.#suspectInFlight) {
      this.#suspectInFlight = false;
      if (result.kind !== 'again') this.#clear(record.seq);
    }
    record.sender.onAnswer(record, result);
    if (this.#roomAnnounced) return;
    this.#roomAnnounced = true;
    queueMicrotask(this.#announceRoom);
  }

  /** A suspect that has to wait for something else lets others go first. */
  suspectIsHeld(): void {
    this.#suspectWaits = false;
  }

  /** There may be room again, for another reason than an answer. */
  announceRoom(): void {
    this.#options.onRoom();
  }

  #clear(seq: Seq): void {
    this.#suspects.delete(seq);
    this.#strikes.delete(seq);
  }

  #watchForSilence(): void {
    const watch = new AbortController();
    this.#watch = watch;
    const { silentMs } = this.#transport!;
    void (async () => {
      while (!watch.signal.aborted && this.#oldest) {
        await this.#clock.sleep(watchMs, watch.signal).catch(() => {});
        if (watch.signal.aborted) return;
        this.#watchRound++;
        if (this.#oldest && (this.#watchRound - this.#oldest.sentInRound) * watchMs > silentMs) {
          this.#options.onSilence(uplinkReasons.say('cloud_confirms_nothing', { seconds: silentMs / 1000 }));
          return;
        }
      }
      if (this.#watch === watch) this.#watch = null;
    })();
  }
}
