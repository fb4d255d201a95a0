import type { Log } from '../runtime/log.ts';
import type { DeviceNo, GatewayStore } from '../store/index.ts';
import { plainAddress } from './login-pace.ts';

/** The address of each device's last successful login, kept in the store. */
export class KnownPlaces {
  readonly #store: GatewayStore;
  readonly #log: Log;
  readonly #last: Map<DeviceNo, string>;

  private constructor(store: GatewayStore, log: Log, last: Map<DeviceNo, string>) {
    this.#store = store;
    this.#log = log;
    this.#last = last;
  }

  static async open({ store, log }: { store: GatewayStore; log: Log }): Promise<KnownPlaces> {
    return new KnownPlaces(store, log, await store.read.lastAddresses());
  }

  has(deviceNo: DeviceNo, address: string): boolean {
    return this.#last.get(deviceNo) === plainAddress(address);
  }

  /** Stored only if it has changed; the device does not wait for the write. */
  cameFrom(deviceNo: DeviceNo, address: string): void {
    if (this.has(deviceNo, address)) return;
    const plain = plainAddress(address);
    this.#last.set(deviceNo, plain);
    this.#store.write
      .noteAddress({ deviceNo, address: plain })
      .catch(error => this.#log.debug({ deviceNo, error: String(error) }, 'an address could not be written down'));
  }
}
