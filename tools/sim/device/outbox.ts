import type { Said } from './speech.ts';

/**
 * Records that a device has sent, and which of them are acknowledged. The others are kept, and sent
 * again after a reconnect with the same `mid` and in the same order.
 */
export class Outbox {
  readonly said: Said[] = [];
  /** All before this index are acknowledged. */
  #acknowledged = 0;
  #next = 0;
  #inFlight = 0;
  readonly #window: number;
  acknowledgedCount = 0;
  /** How often something was sent again. */
  repeats = 0;
  #sentMax = 0;
  readonly #idle: (() => void)[] = [];

  constructor(window: number) {
    this.#window = window;
  }

  add(said: Said): void {
    this.said.push(said);
  }

  /** The next to be sent, while the window has room. */
  take(): Said | null {
    if (this.#inFlight >= this.#window) return null;
    while (this.#next < this.said.length && this.said[this.#next]!.acknowledged) this.#next++;
    const said = this.said[this.#next];
    if (!said) return null;
    if (++this.#next <= this.#sentMax) this.repeats++;
    else this.#sentMax = this.#next;
    this.#inFlight++;
    return said;
  }

  /** True the first time. */
  acknowledge(said: Said): boolean {
    if (said.acknowledged) return false;
    said.acknowledged = true;
    this.acknowledgedCount++;
    this.#inFlight = Math.max(0, this.#inFlight - 1);
    while (this.said[this.#acknowledged]?.acknowledged) this.#acknowledged++;
    if (this.waiting === 0) for (const wake of this.#idle.splice(0)) wake();
    return true;
  }

  acknowledgeMid(mid: string): void {
    for (let index = this.#acknowledged; index < this.#next; index++) {
      const said = this.said[index]!;
      if (said.mid === mid && said.channel === 'device') this.acknowledge(said);
    }
  }

  /** The connection is lost: everything without an acknowledgement will be sent again. */
  rewind(): void {
    this.#next = this.#acknowledged;
    this.#inFlight = 0;
  }

  get waiting(): number {
    return this.said.length - this.acknowledgedCount;
  }

  get acknowledged(): Said[] {
    return this.said.filter(one => one.acknowledged);
  }

  /** Resolves when nothing waits for its acknowledgement. */
  async idle(): Promise<void> {
    if (this.waiting > 0) await new Promise<void>(resolve => this.#idle.push(resolve));
  }
}
