import type { Clock } from '../../runtime/clock.ts';

/** One millisecond of waiting for so many expected records, which take about as long to be read. */
const recordsForMs = 64;
const msMax = 3;
/**
 * With more in flight a group is large enough without waiting, and waiting would only put more in
 * flight: where devices do not wait for their answers, the delay would feed itself.
 */
const heldRecordsMax = 256;

/**
 * How long the next group of the journal waits for more records. A commit takes the processor as
 * long as two or three hundred records do: under load fewer, larger groups cost less (docs/
 * decisions/store.md). Expected is what was in flight when the last group was answered: those
 * devices send their next record. When so many have come, nobody else is waited for. Fewer than 64
 * in flight are not held at all, nor are more than 256.
 */
export class GroupHold {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #over: () => void;
  #expected = 0;
  #isOn = false;
  /** Which hold it is: a sleep that ends later than its own changes nothing. */
  #number = 0;

  /** `over`: called when the time of a hold is over, unless it was ended before. */
  constructor(clock: Pick<Clock, 'sleep'>, over: () => void) {
    this.#clock = clock;
    this.#over = over;
  }

  /** Whether a group that has so many records by now should wait. */
  holds(records: number): boolean {
    return this.#isOn && records < this.#expected;
  }

  /** A group was answered; so many records wait for the next one already. */
  begin(answered: number, waiting: number): void {
    this.#expected = answered + waiting;
    const ms = this.#expected > heldRecordsMax ? 0 : Math.min(msMax, Math.floor(this.#expected / recordsForMs));
    const number = ++this.#number;
    this.#isOn = ms > 0;
    if (!this.#isOn) return;
    void this.#clock.sleep(ms).then(() => {
      if (number !== this.#number) return;
      this.#isOn = false;
      this.#over();
    });
  }

  end(): void {
    this.#isOn = false;
    this.#number++;
  }
}
