import type { ProductId } from '../platform/device-id.ts';
import { limits } from '../platform/limits.ts';
import { isOpenWindow } from '../platform/open-window.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { RateWindows } from '../runtime/rate-windows.ts';
import type { DirectoryStore, GatewayStore, Product } from '../store/index.ts';

const hourMs = 3600_000;

/**
 * A product that had new devices refused within the last hour, or accepts them without a limit now.
 */
export interface NewDevicesReport {
  readonly productId: ProductId;
  /** Refused logins of new devices since the limit was reached. */
  readonly refused: number;
  /** Until when staff accept all of them; null: they do not. */
  readonly openUntil: UnixMs | null;
}

/**
 * Limits how many devices a product key alone can introduce in an hour, so that a leaked product
 * key cannot fill the box. Devices in the site file are known already, and devices that the cloud
 * confirms do not count. Staff can lift the limit for an hour.
 */
export class NewDevices {
  readonly #store: GatewayStore & DirectoryStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #perHour: number;
  readonly #admitted: RateWindows<ProductId>;
  /** At most one entry for each product of the site. */
  readonly #refused = new Map<ProductId, { count: number; lastAt: UnixMs }>();

  private constructor(options: {
    store: GatewayStore & DirectoryStore;
    clock: Clock;
    log: Log;
    perHour: number;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#perHour = options.perHour;
    this.#admitted = new RateWindows(options.perHour, hourMs);
  }

  /** Goes on counting where the box was before its start. */
  static async open(options: {
    store: GatewayStore & DirectoryStore;
    clock: Clock;
    log: Log;
    perHour: number;
  }): Promise<NewDevices> {
    const { store, clock } = options;
    const opened = new NewDevices(options);
    const now = clock.now();
    for (const { productId, at } of await store.read.newDevicesSince(now - hourMs))
      opened.#admitted.take(productId, clock.monotonic() - Math.max(0, now - at));
    return opened;
  }

  /** Whether one more new device may come in; counts it. */
  mayCome({ productId, newDevicesUntil }: Product): boolean {
    const now = this.#clock.now();
    if (isOpenWindow(newDevicesUntil, limits.newDevicesWindowMs, now)) return true;
    if (this.#admitted.take(productId, this.#clock.monotonic())) return true;
    const before = this.#refused.get(productId);
    if (!before || now - before.lastAt > hourMs)
      this.#log.warn({ product: productId, new_devices_per_hour: this.#perHour }, 'new_devices_limit_reached');
    this.#refused.set(productId, {
      count: (before && now - before.lastAt <= hourMs ? before.count : 0) + 1,
      lastAt: now,
    });
    return false;
  }

  /**
   * Accepts any number of new devices of a product for an hour. Resolves with the end of that hour.
   */
  async letIn(productId: ProductId): Promise<UnixMs> {
    const until = this.#clock.now() + limits.newDevicesWindowMs;
    await this.#store.write.letNewDevicesIn({ productId, until });
    this.#refused.delete(productId);
    return until;
  }

  report(): NewDevicesReport[] {
    const now = this.#clock.now();
    return [...this.#store.directory.products()]
      .map(({ productId, newDevicesUntil }) => {
        const refused = this.#refused.get(productId);
        return {
          productId,
          refused: refused && now - refused.lastAt <= hourMs ? refused.count : 0,
          openUntil: isOpenWindow(newDevicesUntil, limits.newDevicesWindowMs, now) ? newDevicesUntil : null,
        };
      })
      .filter(({ refused, openUntil }) => refused > 0 || openUntil !== null);
  }
}
