import type { Clock } from '../platform/clock.ts';
import type { Outgoing, Result, Transport } from './transport.ts';

/** A record without any answer for so long means that the session is dead although the connection stands. */
const silentMs = 20_000;
const watchMs = 2_000;
/** CONTRACT 7: parked after the cloud has closed the connection three times in a row behind it. */
const strikesMax = 3;
/** After a connection broke with records under way they go one at a time, until so many were confirmed. */
const carefulRecords = 8;

export interface FlightsOptions {
  readonly clock: Clock;
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
  /** Of this connection; answers of an earlier one are no longer heard. */
  #connection = 0;
  readonly #underWay = new Map<Outgoing, number>();
  #careful = 0;
  #strikes: { seq: number; count: number } | null = null;
  #watch: AbortController | null = null;

  constructor(options: FlightsOptions) {
    this.#clock = options.clock;
    this.#options = options;
  }

  get via(): Transport['via'] {
    return this.#transport?.via ?? 'mqtt';
  }

  get hasRoom(): boolean {
    if (!this.#transport) return false;
    return this.#underWay.size < (this.#careful > 0 ? 1 : this.#transport.window);
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
    const [alone, ...others] = this.#underWay.keys();
    this.#underWay.clear();
    if (!alone || !byCloud) return null;
    this.#careful = carefulRecords;
    if (others.length > 0) return null;
    this.#strikes = { seq: alone.seq, count: this.#strikes?.seq === alone.seq ? this.#strikes.count + 1 : 1 };
    if (this.#strikes.count < strikesMax) return null;
    this.#strikes = null;
    return alone;
  }

  /** Only when there is room. `settled` is not called when the connection breaks first. */
  send(record: Outgoing, settled: (result: Result) => void): void {
    const connection = this.#connection;
    this.#underWay.set(record, this.#clock.monotonic());
    if (!this.#watch) this.#watchForSilence();
    this.#transport!.send(record, result => {
      if (connection !== this.#connection) return;
      this.#underWay.delete(record);
      if (result.kind === 'confirmed') {
        if (this.#careful > 0) this.#careful--;
        this.#strikes = null;
      }
      settled(result);
      this.#options.room();
    });
  }

  #watchForSilence(): void {
    const watch = new AbortController();
    this.#watch = watch;
    void (async () => {
      while (!watch.signal.aborted && this.#underWay.size > 0) {
        await this.#clock.sleep(watchMs, watch.signal).catch(() => {});
        const oldest = this.#underWay.values().next().value;
        if (watch.signal.aborted) return;
        if (oldest !== undefined && this.#clock.monotonic() - oldest > silentMs) {
          this.#options.silent(`the cloud has not confirmed anything for ${silentMs / 1000} s`);
          return;
        }
      }
      if (this.#watch === watch) this.#watch = null;
    })();
  }
}
