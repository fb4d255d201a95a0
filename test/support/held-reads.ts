import type { Journal, JournalReading, JournalRecord, Seq } from '../../src/store/index.ts';

/** When a store asks which records are wanted: before it looks, or when it has found some. */
export const askings = ['at the call', 'at the end'] as const;

/** Lets what was due in this turn of the event loop happen, and what that brings about. */
export async function rest(): Promise<void> {
  for (let turns = 0; turns < 4; turns++) await new Promise(resolve => setImmediate(resolve));
}

/**
 * A journal whose readings wait until the test lets them go on, as those of a store that answers
 * over a network may.
 */
export class HeldReads {
  readonly journal: Journal;
  /** Behind which record each reading began, in their order. */
  readonly begun: Seq[] = [];
  /** Once false, readings are no longer held. */
  holds = true;
  readonly #held: PromiseWithResolvers<void>[] = [];

  constructor(journal: Journal, asking: (typeof askings)[number] = 'at the call') {
    const read: Journal['read'] = async (after, options) => {
      this.begun.push(after);
      const { bytesMax } = options;
      const found = journal.read(after, asking === 'at the end' ? { bytesMax } : options);
      if (this.holds) {
        const held = Promise.withResolvers<void>();
        this.#held.push(held);
        await held.promise;
      }
      const { records, through } = await found;
      return { through, records: asking === 'at the end' ? records.filter(record => isFor(options, record)) : records };
    };
    this.journal = new Proxy(journal, {
      get(target, name) {
        if (name === 'read') return read;
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** How many readings are under way. */
  get underWay(): number {
    return this.#held.length;
  }

  /** Lets the oldest go on. */
  async release(): Promise<void> {
    this.#oldest().resolve();
    await rest();
  }

  /** The oldest ends with an error. */
  async fail(error: Error): Promise<void> {
    this.#oldest().reject(error);
    await rest();
  }

  /** Lets all go on, and holds none from now on. */
  async free(): Promise<void> {
    this.holds = false;
    while (this.underWay > 0) await this.release();
    await rest();
  }

  #oldest(): PromiseWithResolvers<void> {
    const oldest = this.#held.shift();
    if (!oldest) throw new Error('no reading is under way');
    return oldest;
  }
}

const isFor = ({ deviceNos, wanted }: JournalReading, { deviceNo, seq, channel }: JournalRecord): boolean =>
  (deviceNos?.has(deviceNo, channel) ?? true) && (wanted?.(deviceNo, seq, channel) ?? true);
