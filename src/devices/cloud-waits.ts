import type { Clock } from '../runtime/clock.ts';
import type { DeviceNo } from '../store/index.ts';
import type { UpstreamView } from './upstream-view.ts';

/** A login at the cloud takes a second or two over a slow line. */
const patienceMs = 10_000;
/** Of all devices; each waits once. */
const waitsMax = 256;

/**
 * `up`: the cloud can be reached for this device now. `away`: it cannot. `asked already`: the same
 * request of the device waits already, and what becomes of that one serves both.
 */
type CloudWait = 'up' | 'away' | 'asked already';

/** Requests that wait until their device has its session with the cloud, at most 10 s. */
export class CloudWaits implements Disposable {
  readonly #clock: Clock;
  readonly #upstream: UpstreamView;
  /** With the `mid` of the request. */
  readonly #waiting = new Map<DeviceNo, string>();
  readonly #ending = new AbortController();

  constructor(clock: Clock, upstream: UpstreamView) {
    this.#clock = clock;
    this.#upstream = upstream;
  }

  /** Never rejects. A device whose other request waits, or one too many, is told `away` at once. */
  async whenUp(deviceNo: DeviceNo, mid: string): Promise<CloudWait> {
    const waiting = this.#waiting.get(deviceNo);
    if (waiting !== undefined) return waiting === mid ? 'asked already' : 'away';
    if (this.#waiting.size >= waitsMax) return 'away';
    this.#waiting.set(deviceNo, mid);
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#ending.signal]);
    const end = (): void => over.abort();
    void this.#clock.sleep(patienceMs, signal).then(end, end);
    const isUp = await this.#upstream.whenUp(deviceNo, signal);
    end();
    this.#waiting.delete(deviceNo);
    return isUp ? 'up' : 'away';
  }

  [Symbol.dispose](): void {
    this.#ending.abort();
  }
}
