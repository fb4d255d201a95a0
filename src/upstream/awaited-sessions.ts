import type { DeviceNo } from '../store/index.ts';

interface Waiter {
  readonly deviceNo: DeviceNo;
  readonly settle: (isUp: boolean) => void;
}

/**
 * Callers that wait until a device's session with the cloud is up. Whoever waits brings a signal
 * that ends the wait; the number of waits is the caller's to bound.
 */
export class AwaitedSessions {
  /** Whether a session is up; null if it is not up yet and may be soon. */
  readonly #isUp: (deviceNo: DeviceNo) => boolean | null;
  readonly #waiters = new Set<Waiter>();

  constructor(isUp: (deviceNo: DeviceNo) => boolean | null) {
    this.#isUp = isUp;
  }

  whenUp(deviceNo: DeviceNo, signal: AbortSignal): Promise<boolean> {
    const isUp = signal.aborted ? false : this.#isUp(deviceNo);
    if (isUp !== null) return Promise.resolve(isUp);
    return new Promise(resolve => {
      const abandon = (): void => waiter.settle(false);
      const waiter: Waiter = {
        deviceNo,
        settle: up => {
          signal.removeEventListener('abort', abandon);
          this.#waiters.delete(waiter);
          resolve(up);
        },
      };
      signal.addEventListener('abort', abandon);
      this.#waiters.add(waiter);
    });
  }

  /** A session has changed. */
  look(): void {
    for (const { deviceNo, settle } of this.#waiters) {
      const isUp = this.#isUp(deviceNo);
      if (isUp !== null) settle(isUp);
    }
  }

  /** No session will come up any more. */
  close(): void {
    for (const { settle } of this.#waiters) settle(false);
  }
}
