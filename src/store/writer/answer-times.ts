/** How long the writer lets wait, by the monotonic clock. */
export class AnswerTimes {
  /** Since when something waits and nothing was answered; null: nothing waits. */
  #since: number | null = null;
  #slowestMs = 0;

  asked(): void {
    this.#since ??= performance.now();
  }

  answered(isMoreWaiting: boolean): void {
    this.#slowestMs = Math.max(this.#slowestMs, this.silentMs);
    this.#since = isMoreWaiting ? performance.now() : null;
  }

  /** For how long nothing was answered although something waits; otherwise 0. */
  get silentMs(): number {
    return this.#since === null ? 0 : performance.now() - this.#since;
  }

  /** The longest such time since the last call, the present one included. */
  takeSlowestMs(): number {
    const slowest = Math.max(this.#slowestMs, this.silentMs);
    this.#slowestMs = 0;
    return slowest;
  }
}
