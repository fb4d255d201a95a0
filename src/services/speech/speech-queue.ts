/** Lets one at a time through, the others in the order in which they came, up to a bound. */
export class SpeechQueue {
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether one more would have to be turned away. */
  get full(): boolean {
    return this.#taken && this.#waiting.length >= this.#waitingMax;
  }

  /**
   * Resolves when it is this caller's turn, with the function that ends it. Rejects with the
   * signal's reason when it is aborted while waiting; then the place is free again.
   */
  take(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(() => this.#next());
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      if (!this.#taken) {
        this.#taken = true;
        return begin();
      }
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(begin);
    });
  }

  #next(): void {
    const begin = this.#waiting.shift();
    if (begin) begin();
    else this.#taken = false;
  }
}
