import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { plainAddress } from '../runtime/plain-address.ts';
import type { DeviceNo, GatewayStore } from '../store/index.ts';

/** How long an address waits for others: after a power cut every device may have a new one. */
const groupMs = 1_000;
/** One commit writes no more of them: others wait for it. */
const groupMax = 1_000;

interface KnownPlacesOptions {
  readonly store: GatewayStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The address of each device's last successful login, kept in the store. Written in groups once a
 * second: a kill loses the last second of them, `close` loses none.
 */
export class KnownPlaces {
  readonly #store: GatewayStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #last: Map<DeviceNo, string>;
  /** Those that are not written yet: at most one for each device. */
  #unwritten = new Map<DeviceNo, string>();
  #isWaiting = false;
  #writing: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  private constructor({ store, clock, log }: KnownPlacesOptions, last: Map<DeviceNo, string>) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#last = last;
  }

  static async open(options: KnownPlacesOptions): Promise<KnownPlaces> {
    return new KnownPlaces(options, await options.store.read.lastAddresses());
  }

  has(deviceNo: DeviceNo, address: string): boolean {
    return this.#last.get(deviceNo) === plainAddress(address);
  }

  /** Stored only if it has changed; the device does not wait for the write. */
  cameFrom(deviceNo: DeviceNo, address: string): void {
    if (this.has(deviceNo, address)) return;
    const plain = plainAddress(address);
    this.#last.set(deviceNo, plain);
    this.#unwritten.set(deviceNo, plain);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#writing = this.#writeLater(this.#writing);
  }

  /** Writes what waits. Resolves when it is on disk. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
  }

  /** Waits for a group and for the group before it, then writes all that has come until then. */
  async #writeLater(before: Promise<void>): Promise<void> {
    await this.#clock.sleep(groupMs, this.#closing.signal).catch(() => {});
    await before;
    this.#isWaiting = false;
    const all = [...this.#unwritten].map(([deviceNo, address]) => ({ deviceNo, address }));
    this.#unwritten = new Map();
    for (let from = 0; from < all.length; from += groupMax) await this.#write(all.slice(from, from + groupMax));
  }

  async #write(addresses: readonly { deviceNo: DeviceNo; address: string }[]): Promise<void> {
    await this.#store.write
      .noteAddresses({ addresses })
      .catch(error =>
        this.#log.debug({ devices: addresses.length, error: String(error) }, 'device_addresses_not_stored'),
      );
  }
}
