import type { Clock } from '../runtime/clock.ts';
import type { DeviceNo } from '../store/index.ts';

/**
 * How long after the store accepts records again a device may stay away without counting as silent.
 * Devices try again every few seconds, some every few minutes.
 */
const afterwardsMs = 15 * 60_000;

/**
 * Devices that are away because the box accepts nothing: a full disk ends their connections and
 * refuses their logins. They do not count as silent, so nobody has to go and look at them.
 */
export class HeldBack {
  readonly #clock: Clock;
  readonly #devices = new Set<DeviceNo>();
  #trouble = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The store has stopped accepting records while these devices were online, or accepts them again.
   */
  storeChanged(takes: boolean, online: Iterable<DeviceNo>): void {
    if (!takes && !this.#trouble) {
      if (!this.#isRecent) this.#devices.clear();
      for (const deviceNo of online) this.#devices.add(deviceNo);
    }
    if (takes && this.#trouble) this.#endedAt = this.#clock.monotonic();
    this.#trouble = !takes;
  }

  /** The device's login was refused only because of the disk. */
  refused(deviceNo: DeviceNo): void {
    if (this.#trouble) this.#devices.add(deviceNo);
  }

  /**
   * The device logged in while the store accepted records: if it goes away later, there is another
   * reason.
   */
  came(deviceNo: DeviceNo): void {
    if (!this.#trouble) this.#devices.delete(deviceNo);
  }

  has(deviceNo: DeviceNo): boolean {
    return this.#devices.size > 0 && (this.#trouble || this.#isRecent) && this.#devices.has(deviceNo);
  }

  get #isRecent(): boolean {
    return this.#clock.monotonic() - this.#endedAt < afterwardsMs;
  }
}
