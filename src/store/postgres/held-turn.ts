import type { Clock } from '../../runtime/clock.ts';
import type { Turn } from '../port/turn.ts';
import { machineMonotonic } from './turn.ts';

/** The main thread's side of a turn that the writer thread renews. */
export class HeldTurn implements Turn, Disposable {
  readonly #sleep: Clock['sleep'];
  readonly #now: () => number;
  /** See RenewedTurn: shared with the writer thread. */
  readonly line = new Int32Array(new SharedArrayBuffer(4));
  isUpElsewhere = false;
  #until = Number.NEGATIVE_INFINITY;
  #wasMine = false;
  #waiting = new AbortController();
  readonly #listeners: ((isMine: boolean) => void)[] = [];

  constructor({ sleep }: Pick<Clock, 'sleep'>, now = machineMonotonic) {
    this.#sleep = sleep;
    this.#now = now;
  }

  get isMine(): boolean {
    return this.#now() < this.#until;
  }

  onChange(listener: (isMine: boolean) => void): void {
    this.#listeners.push(listener);
  }

  say(isUp: boolean): void {
    Atomics.store(this.line, 0, isUp ? 1 : 0);
  }

  /** See RenewedTurn. */
  follow(until: number | null, isUpElsewhere: boolean): void {
    this.isUpElsewhere = isUpElsewhere;
    this.#until = until ?? Number.NEGATIVE_INFINITY;
    this.#look();
  }

  #look(): void {
    this.#waiting.abort();
    const { isMine } = this;
    if (isMine) this.#lookLater(this.#until - this.#now());
    if (isMine === this.#wasMine) return;
    this.#wasMine = isMine;
    for (const listener of this.#listeners) listener(isMine);
  }

  #lookLater(ms: number): void {
    this.#waiting = new AbortController();
    this.#sleep(Math.max(1, ms), this.#waiting.signal).then(
      () => this.#look(),
      () => {},
    );
  }

  [Symbol.dispose](): void {
    this.#waiting.abort();
  }
}
