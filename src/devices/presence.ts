import type { DeviceNo, SharedPresence } from '../store/index.ts';
import type { Session } from './session.ts';

/**
 * Which devices are online: those with a session at either gateway, in a region of any process
 * (`elsewhere`).
 */
export class Presence {
  readonly #elsewhere: SharedPresence;
  readonly #sessions = new Map<DeviceNo, number>();
  /** Of those that write their id in another case than the store: as many as there are devices. */
  readonly #written = new Map<DeviceNo, string>();
  readonly #listeners: ((deviceNo: DeviceNo, online: boolean) => void)[] = [];

  constructor(elsewhere: SharedPresence) {
    this.#elsewhere = elsewhere;
  }

  /** Called when a device has come to this process, or has left it. */
  onChange(listener: (deviceNo: DeviceNo, online: boolean) => void): void {
    this.#listeners.push(listener);
  }

  /** The same at whichever process. */
  onChangeAnywhere(listener: (deviceNo: DeviceNo, online: boolean) => void): void {
    this.onChange(listener);
    this.#elsewhere.onChange(listener);
  }

  /** Whether it has a session of this process. */
  isHere(deviceNo: DeviceNo): boolean {
    return this.#sessions.has(deviceNo);
  }

  isOnline(deviceNo: DeviceNo): boolean {
    return this.#sessions.has(deviceNo) || this.#elsewhere.isElsewhere(deviceNo);
  }

  /** Those of this process. */
  get devices(): Iterable<DeviceNo> {
    return this.#sessions.keys();
  }

  get online(): number {
    return this.#sessions.size;
  }

  /** The id of a device in the case in which it logged in last; null: in upper case. */
  idAsWritten(deviceNo: DeviceNo): string | null {
    return this.#written.get(deviceNo) ?? null;
  }

  came({ deviceNo, clientId, device }: Pick<Session, 'deviceNo' | 'clientId' | 'device'>): void {
    if (clientId === device.deviceId) this.#written.delete(deviceNo);
    else this.#written.set(deviceNo, clientId);
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
    this.#elsewhere.changed(deviceNo, online);
    for (const listener of this.#listeners) listener(deviceNo, online);
  }
}
