import { randomBytes } from 'node:crypto';
import type { Clock } from '../runtime/clock.ts';
import type { RememberedStore } from '../store/index.ts';

const service = 'box above';
const key = 'instance';

interface Known {
  /** Under which a batch was taken above. */
  readonly confirmed: string;
  /** Shown above, and no answer was heard; empty: none. */
  readonly pending: string;
}

/**
 * Instance by which the box above tells this box from a copy of its card
 * (docs/decisions/upstream.md): each run has one of its own, which follows that of the run before.
 * It is stored before it is shown, so that a power cut at any moment leaves a box that the box
 * above still knows.
 */
export class BatchInstance {
  readonly #store: RememberedStore;
  readonly #clock: Clock;
  #known: Known | null = null;
  /** The pending one was made by this run, and not by one before that was cut off. */
  #isOfThisRun = false;

  constructor(store: RememberedStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** For the headers of a batch. */
  async headers(): Promise<Record<string, string>> {
    let known = await this.#load();
    if (known.pending === '' && !this.#isOfThisRun) {
      known = { ...known, pending: randomBytes(12).toString('hex') };
      this.#isOfThisRun = true;
      await this.#keep(known);
    }
    return { 'Batch-Instance': known.pending || known.confirmed, 'Batch-Instance-Before': known.confirmed };
  }

  /** The box above takes what these headers are sent with. Resolves with whether to ask again. */
  async accepted(): Promise<boolean> {
    const known = await this.#load();
    if (known.pending !== '') await this.#keep({ confirmed: known.pending, pending: '' });
    return !this.#isOfThisRun;
  }

  async #load(): Promise<Known> {
    if (this.#known) return this.#known;
    const kept = (await this.#store.read.remembered(service, key))?.value;
    this.#known = kept ? (JSON.parse(kept) as Known) : { confirmed: '', pending: '' };
    return this.#known;
  }

  async #keep(known: Known): Promise<void> {
    await this.#store.write.remember({ service, key, value: JSON.stringify(known), at: this.#clock.now() });
    this.#known = known;
  }
}
