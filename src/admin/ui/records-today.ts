import { setImmediate } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { DeviceNo, DeviceReads, JournalStore, ReadPart, Seq } from '../../store/index.ts';

interface Parts {
  readonly store: ReadPart<DeviceReads> & JournalStore;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
}

/** Counted at a time, in a few milliseconds: others wait for the event loop. */
const segmentsEach = 2048;

/**
 * How much each device has said since midnight. Counted on from the last look, by the heads of
 * segments alone.
 */
export class RecordsToday {
  readonly #parts: Parts;
  #day = '';
  #through = 0 as Seq;
  #counts = new Map<DeviceNo, number>();
  /** One look counts at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  look(): Promise<(deviceNo: DeviceNo) => number> {
    const looked = this.#last.then(() => this.#look());
    this.#last = looked.catch(() => {});
    return looked;
  }

  async #look(): Promise<(deviceNo: DeviceNo) => number> {
    const { store, clock, config } = this.#parts;
    const { day, from } = dayOf(clock.now(), config.site.timezone);
    if (day !== this.#day) {
      this.#through = await store.read.seqBefore(from * 1000);
      this.#counts = new Map();
      this.#day = day;
    }
    for (;;) {
      const { through, byDevice } = await store.journal.tally(this.#through, segmentsEach);
      this.#through = through;
      for (const [deviceNo, count] of byDevice) this.#counts.set(deviceNo, (this.#counts.get(deviceNo) ?? 0) + count);
      if (through >= store.journal.lastSeq) break;
      await setImmediate();
    }
    return deviceNo => this.#counts.get(deviceNo) ?? 0;
  }
}
