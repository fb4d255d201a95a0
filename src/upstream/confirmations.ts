import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Confirmation, DeviceNo, Seq, Store } from '../store/index.ts';
import type { Via } from './transport.ts';

/** Writes down what the cloud has confirmed: the ledger's rows. What comes while one write is under way goes with the next. */
export class Confirmations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  #collected = new Map<DeviceNo, Confirmation>();
  #writing: Promise<void> | null = null;
  /** Of this run, written or not yet. */
  readonly #last = new Map<DeviceNo, Seq>();

  constructor(options: { store: Store; clock: Clock; log: Log }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  add(deviceNo: DeviceNo, upToSeq: Seq, via: Via): void {
    this.#last.set(deviceNo, upToSeq);
    this.#collected.set(deviceNo, { deviceNo, upToSeq, at: this.#clock.now(), via });
    this.#writing ??= this.#write();
  }

  /** How far a device is confirmed: what is still to be written counts. */
  upTo(deviceNo: DeviceNo): Seq {
    const stored = this.#store.directory.deviceByNo(deviceNo)?.forwardedSeq ?? 0;
    return Math.max(stored, this.#last.get(deviceNo) ?? 0) as Seq;
  }

  /** Resolves when everything that was added is written. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #write(): Promise<void> {
    // A turn of the event loop brings many confirmations: one row for each device.
    await new Promise(resolve => setImmediate(resolve));
    try {
      while (this.#collected.size > 0) {
        const confirmations = [...this.#collected.values()];
        this.#collected = new Map();
        await this.#store.write.confirm({ confirmations });
      }
    } catch (error) {
      // The cursor stays behind: after a restart those records are sent again, with the same mid.
      this.#log.warn({ error: String(error) }, 'a confirmation could not be written down');
    } finally {
      this.#writing = null;
    }
  }
}
