import type { Clock } from '../platform/clock.ts';
import type { Seq } from '../store/index.ts';
import type { Allowance } from './devices-first.ts';
import type { Outgoing, Result, Transport } from './transport.ts';

/** A record without any answer for so long means that the session is dead although the connection stands. */
const silentMs = 20_000;
const watchMs = 2_000;
/** CONTRACT 7: parked after the cloud has closed the connection three times in a row behind it. */
const strikesMax = 3;
/**
 * When a connection breaks, the first of the records under way are suspected, and each goes alone from then on, until it is confirmed: the cloud reads in order,
 * so what broke the connection is among the oldest.
 */
const suspectsMax = 16;

export interface FlightsOptions {
  readonly clock: Clock;
  /** Of all sessions together. */
  readonly allowance: Allowance;
  /** The session must be given up: nothing is answered any more. */
  readonly silent: (why: string) => void;
  /** There is room again for lanes that found none. */
  readonly room: () => void;
}

/** A record under way, between the one that was sent before it and the one after: any of them leaves at the same small cost. */
interface Flight {
  readonly record: Outgoing;
  readonly settled: (result: Result) => void;
  readonly connection: number;
  readonly since: number;
  before: Flight | null;
  after: Flight | null;
}

/** The records under way on one session. Finds out which of them the cloud cannot bear. */
export class Flights {
  readonly #clock: Clock;
  readonly #options: FlightsOptions;
  #transport: Transport | null = null;
  /** Of this connection; answers of an earlier one are no longer heard. */
  #connection = 0;
  #oldest: Flight | null = null;
  #newest: Flight | null = null;
  #underWay = 0;
  readonly #suspects = new Set<Seq>();
  #suspectUnderWay = false;
  /** A suspect waits for everything under way to come back; nothing else is sent before it. */
  #suspectWaits = false;
  /** How often the connection broke behind a record that was under way alone. */
  readonly #strikes = new Map<Seq, number>();
  #watch: AbortController | null = null;

  constructor(options: FlightsOptions) {
    this.#clock = options.clock;
    this.#options = options;
  }

  get via(): Transport['via'] {
    return this.#transport?.via ?? 'mqtt';
  }

  get isUp(): boolean {
    return this.#transport !== null;
  }

  get hasRoom(): boolean {
    return (
      this.#transport !== null &&
      !this.#suspectUnderWay &&
      this.#underWay < this.#transport.window &&
      this.#options.allowance.hasRoom
    );
  }

  /** Whether this one may go now. A suspect that may not is the next that may. */
  hasRoomFor({ seq }: Outgoing): boolean {
    if (!this.hasRoom) return false;
    if (this.#suspects.size === 0 || !this.#suspects.has(seq)) return !this.#suspectWaits;
    this.#suspectWaits = this.#underWay > 0;
    return !this.#suspectWaits;
  }

  up(transport: Transport): void {
    this.#transport = transport;
    this.#connection++;
  }

  /** Answers the record that the cloud has now closed the connection behind three times in a row, if there is one. */
  lost(byCloud: boolean): Outgoing | null {
    this.#transport = null;
    this.#connection++;
    this.#watch?.abort();
    this.#watch = null;
    const count = this.#underWay;
    const broken: Outgoing[] = [];
    for (let flight = this.#oldest; flight && broken.length < suspectsMax; flight = flight.after)
      broken.push(flight.record);
    this.#oldest = null;
    this.#newest = null;
    this.#underWay = 0;
    this.#suspectUnderWay = false;
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

  /** Only when there is room for it. `settled` is not called when the connection breaks first. */
  send(record: Outgoing, settled: (result: Result) => void): void {
    if (this.#suspects.size > 0 && this.#suspects.has(record.seq)) {
      this.#suspectUnderWay = true;
      this.#suspectWaits = false;
    }
    const flight: Flight = {
      record,
      settled,
      connection: this.#connection,
      since: this.#clock.monotonic(),
      before: this.#newest,
      after: null,
    };
    if (this.#newest) this.#newest.after = flight;
    else this.#oldest = flight;
    this.#newest = flight;
    this.#underWay++;
    this.#options.allowance.sent();
    if (!this.#watch) this.#watchForSilence();
    this.#transport!.send(record, result => this.#settle(flight, result));
  }

  #settle(flight: Flight, result: Result): void {
    if (flight.connection !== this.#connection) return;
    if (flight.before) flight.before.after = flight.after;
    else this.#oldest = flight.after;
    if (flight.after) flight.after.before = flight.before;
    else this.#newest = flight.before;
    // A chain of dead ones would keep the garbage collector from letting any of the living go early.
    flight.before = null;
    flight.after = null;
    this.#underWay--;
    // A suspect is under way alone.
    if (this.#suspectUnderWay) {
      this.#suspectUnderWay = false;
      if (result.kind !== 'again') this.#clear(flight.record.seq);
    }
    flight.settled(result);
    this.#options.room();
  }

  /** For lanes that found none: there may be room again, for another reason than an answer. */
  lookForRoom(): void {
    this.#options.room();
  }

  #clear(seq: Seq): void {
    this.#suspects.delete(seq);
    this.#strikes.delete(seq);
  }

  #watchForSilence(): void {
    const watch = new AbortController();
    this.#watch = watch;
    void (async () => {
      while (!watch.signal.aborted && this.#oldest) {
        await this.#clock.sleep(watchMs, watch.signal).catch(() => {});
        if (watch.signal.aborted) return;
        if (this.#oldest && this.#clock.monotonic() - this.#oldest.since > silentMs) {
          this.#options.silent(`the cloud has not confirmed anything for ${silentMs / 1000} s`);
          return;
        }
      }
      if (this.#watch === watch) this.#watch = null;
    })();
  }
}
