import type { DeviceNo } from '../store/index.ts';

/** Which devices are here: a device is online while it has a session at either gateway. */
export class Presence {
  readonly #sessions = new Map<DeviceNo, number>();
  readonly #listeners: ((deviceNo: DeviceNo, online: boolean) => void)[] = [];

  onChange(listener: (deviceNo: DeviceNo, online: boolean) => void): void {
    this.#listeners.push(listener);
  }

  isOnline(deviceNo: DeviceNo): boolean {
    return this.#sessions.has(deviceNo);
  }

  get devices(): Iterable<DeviceNo> {
    return this.#sessions.keys();
  }

  get online(): number {
    return this.#sessions.size;
  }

  came(deviceNo: DeviceNo): void {
    const count = this.#sessions.get(deviceNo) ?? 0;
    this.#sessions.set(deviceNo, count + 1);
    if (count === 0) this.#tell(deviceNo, true);
  }

  left(deviceNo: DeviceNo): void {
    const count = this.#sessions.get(deviceNo) ?? 0;
    if (count > 1) this.#sessions.set(deviceNo, count - 1);
    else if (this.#sessions.delete(deviceNo)) this.#tell(deviceNo, false);
  }

  #tell(deviceNo: DeviceNo, online: boolean): void {
    for (const listener of this.#listeners) listener(deviceNo, online);
  }
}
