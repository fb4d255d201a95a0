import { performance } from 'node:perf_hooks';
import type { Clock } from '../runtime/clock.ts';
import { processorShare } from '../runtime/processor-share.ts';

const windowMs = 20;
/** Of the time there is: from here on there is none for both. */
const busyFrom = 0.85;
const slower = 0.8;
const faster = 1.5;
/**
 * Records that go up for one that comes, at the least: sending one to a cloud that answers one by
 * one takes several times as long as taking one, so that this is about a tenth of the time.
 */
const shareMin = 1 / 64;

/** How the box is doing, since it was asked last. */
interface Strain {
  /** Share of the time that is used, 0 to 1. */
  busy(): number;
  /** How many records came in. */
  taken(): number;
}

/** Whether more may go up now. */
export interface Allowance {
  readonly hasRoom: boolean;
  sent(): void;
}

/**
 * While the box has no time both to take what devices say and to send what waits, devices come
 * first: fewer and fewer records go up, until there is time to spare or they are down to their
 * share. What waits has time; a device that is not answered says it again.
 */
export class LoadShedding implements Allowance {
  readonly #clock: Clock;
  readonly #strain: Strain;
  readonly #refilled: () => void;
  readonly #signal: AbortSignal;
  #perWindow = Number.POSITIVE_INFINITY;
  #left = Number.POSITIVE_INFINITY;
  #sent = 0;
  #watching = false;

  /** `refilled`: there is room again. */
  constructor(options: { clock: Clock; strain: Strain; refilled: () => void; signal: AbortSignal }) {
    this.#clock = options.clock;
    this.#strain = options.strain;
    this.#refilled = options.refilled;
    this.#signal = options.signal;
  }

  get hasRoom(): boolean {
    return this.#left > 0;
  }

  sent(): void {
    this.#sent++;
    this.#left--;
    if (!this.#watching) void this.#watch();
  }

  /** As long as something goes up, or might. */
  async #watch(): Promise<void> {
    this.#watching = true;
    this.#strain.busy();
    this.#strain.taken();
    do {
      await this.#clock.sleep(windowMs, this.#signal).catch(() => {});
      this.#judge(this.#sent);
    } while (!this.#signal.aborted && (this.#sent > 0 || this.#perWindow !== Number.POSITIVE_INFINITY));
    this.#watching = false;
  }

  #judge(sent: number): void {
    this.#sent = 0;
    const taken = this.#strain.taken();
    if (taken > 0 && this.#strain.busy() > busyFrom)
      this.#perWindow = Math.max(1, taken * shareMin, Math.min(this.#perWindow, sent) * slower);
    else if (sent < this.#perWindow / 4) this.#perWindow = Number.POSITIVE_INFINITY;
    else this.#perWindow *= faster;
    this.#left = this.#perWindow;
    if (this.#perWindow !== Number.POSITIVE_INFINITY) this.#refilled();
  }
}

/**
 * Of this process: whichever is more, the time in which the event loop of this thread had something
 * to do, or the time that all threads used of all the cores they may use. On one core the loop may
 * wait while the writer thread works. `lastSeq`: the number of the newest record.
 */
export function strainOf(clock: Clock, lastSeq: () => number): Strain {
  const share = processorShare(clock);
  let loop = performance.eventLoopUtilization();
  let seq = lastSeq();
  return {
    busy() {
      const before = loop;
      loop = performance.eventLoopUtilization();
      return Math.max(performance.eventLoopUtilization(loop, before).utilization, share());
    },
    taken() {
      const count = lastSeq() - seq;
      seq += count;
      return count;
    },
  };
}
