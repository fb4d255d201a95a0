import type { Clock } from '../platform/clock.ts';
import type { Seq } from '../store/index.ts';
import type { Allowance } from './devices-first.ts';
import type { Passage } from './passage.ts';
import type { Outgoing, Result, Transport } from './transport.ts';

/** A record without any answer for so long means that the session is dead although the connection stands. Counted in turns of the watch, with no look at a clock for each record. */
const silentMs = 20_000;
const watchMs = 2_000;
const silentTurns = silentMs / watchMs;
/** CONTRACT 7: parked after the cloud has closed the connection three times in a row behind it. */
const strikesMax = 3;
/** Room for an eighth of the window, so that many records share one write: while all the others are under way, their answers will come. */
const worthTelling = 7 / 8;
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

/** The records under way on one session. Finds out which of them the cloud cannot bear. */
export class Flights {
  readonly #clock: Clock;
  readonly #options: FlightsOptions;
  #transport: Transport | null = null;
  #via: Transport['via'] = 'mqtt';
  /** Of this connection; answers of an earlier one are no longer heard. */
  #connection = 0;
  /** Those under way, each between the one that was sent before it and the one after: any of them leaves at the same small cost. */
  #oldest: Passage | null = null;
  #newest: Passage | null = null;
  #underWay = 0;
  readonly #suspects = new Set<Seq>();
  #suspectUnderWay = false;
  /** A suspect waits for everything under way to come back; nothing else is sent before it. */
  #suspectWaits = false;
  /** How often the connection broke behind a record that was under way alone. */
  readonly #strikes = new Map<Seq, number>();
  #watch: AbortController | null = null;
  #watchTurn = 0;
  #roomTold = false;
  readonly #tellRoom = (): void => {
    this.#roomTold = false;
    if (this.#underWay <= this.window * worthTelling) this.#options.room();
  };

  constructor(options: FlightsOptions) {
    this.#clock = options.clock;
    this.#options = options;
  }

  /** Of this connection, or the last one. */
  get via(): Transport['via'] {
    return this.#via;
  }

  /** How many may be under way at once; 0 without a connection. */
  get window(): number {
    return this.#transport?.window ?? 0;
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
    this.#via = transport.via;
    this.#connection++;
  }

  /** Answers the record that the cloud has now closed the connection behind three times in a row, if there is one. */
  lost(byCloud: boolean): Outgoing | null {
    this.#transport = null;
    this.#connection++;
    this.#watch?.abort();
    this.#watch = null;
    const count = this.#underWay;
    const broken: Passage[] = [];
    for (let passage = this.#oldest; passage && broken.length < suspectsMax; passage = passage.after)
      broken.push(passage);
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

  /** Only when there is room for it. Its sender is not told when the connection breaks first. */
  send(passage: Passage): void {
    if (this.#suspects.size > 0 && this.#suspects.has(passage.seq)) {
      this.#suspectUnderWay = true;
      this.#suspectWaits = false;
    }
    passage.flights = this;
    passage.connection = this.#connection;
    passage.sentInTurn = this.#watchTurn;
    passage.before = this.#newest;
    if (this.#newest) this.#newest.after = passage;
    else this.#oldest = passage;
    this.#newest = passage;
    this.#underWay++;
    this.#options.allowance.sent();
    if (!this.#watch) this.#watchForSilence();
    this.#transport!.send(passage);
  }

  /** The cloud has answered. Lanes are told of room once for all the answers that came together. */
  settle(passage: Passage, result: Result): void {
    if (passage.connection !== this.#connection) return;
    const { before, after } = passage;
    if (before) before.after = after;
    else this.#oldest = after;
    if (after) after.before = before;
    else this.#newest = before;
    // A chain of dead ones would keep the garbage collector from letting any of the living go early.
    passage.before = null;
    passage.after = null;
    this.#underWay--;
    // A suspect is under way alone.
    if (this.#suspectUnderWay) {
      this.#suspectUnderWay = false;
      if (result.kind !== 'again') this.#clear(passage.seq);
    }
    passage.sender.settled(passage, result);
    if (this.#roomTold) return;
    this.#roomTold = true;
    queueMicrotask(this.#tellRoom);
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
        this.#watchTurn++;
        if (this.#oldest && this.#watchTurn - this.#oldest.sentInTurn > silentTurns) {
          this.#options.silent(`the cloud has not confirmed anything for ${silentMs / 1000} s`);
          return;
        }
      }
      if (this.#watch === watch) this.#watch = null;
    })();
  }
}
