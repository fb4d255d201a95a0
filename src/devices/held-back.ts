import type { Clock } from '../runtime/clock.ts';
import type { DeviceNo } from '../store/index.ts';

/**
 * So long after the store takes records again a device may be away without being called silent:
 * devices try again every few seconds, some every few minutes.
 */
const afterwardsMs = 15 * 60_000;

/**
 * Devices that are away because the box takes nothing from them: a full disk ends their connections
 * and refuses their logins. They are not silent, so nobody has to go and look at them.
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
   * The store takes nothing from now on, while these devices are here; or it takes records again.
   */
  storeChanged(takes: boolean, online: Iterable<DeviceNo>): void {
    if (!takes && !this.#trouble) {
      if (!this.#isRecent) this.#devices.clear();
      for (const deviceNo of online) this.#devices.add(deviceNo);
    }
    if (takes && this.#trouble) this.#endedAt = this.#clock.monotonic();
    this.#trouble = !takes;
  }

  /** A login was refused for the disk alone; nobody knows whether it was the device's own. */
  refused(deviceNo: DeviceNo): void {
    if (this.#trouble) this.#devices.add(deviceNo);
  }

  /** It came while the store took records: whatever is with it later has another reason. */
  came(deviceNo: DeviceNo): void {
    if (!this.#trouble) this.#devices.delete(deviceNo);
  }

  /** Nobody is: the usual case. */
  get isEmpty(): boolean {
    return this.#devices.size === 0;
  }

  has(deviceNo: DeviceNo): boolean {
    return this.#devices.size > 0 && (this.#trouble || this.#isRecent) && this.#devices.has(deviceNo);
  }

  get #isRecent(): boolean {
    return this.#clock.monotonic() - this.#endedAt < afterwardsMs;
  }
}
