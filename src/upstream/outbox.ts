import type { Clock } from '../runtime/clock.ts';
import type { DeviceNo, DirectoryStore, ForwardingStore, JournalStore, Seq } from '../store/index.ts';
import type { OutboxSummary } from './port.ts';
import { Rate } from './rate.ts';

/**
 * Counts what waits for the cloud: what came into the journal, less what was confirmed or parked.
 */
export class Outbox {
  readonly #store: ForwardingStore & JournalStore & DirectoryStore;
  readonly #rate: Rate;
  readonly #waiting = new Map<DeviceNo, number>();
  #countedTo: Seq;
  #last: Promise<unknown> = Promise.resolve();
  /** Has not begun yet. */
  #next: Promise<Iterable<DeviceNo>> | null = null;

  constructor(store: ForwardingStore & JournalStore & DirectoryStore, clock: Clock) {
    this.#store = store;
    this.#rate = new Rate(clock);
    this.#countedTo = store.journal.lastSeq;
  }

  /** Counts the records from before the start. */
  async open(): Promise<void> {
    const { byDevice } = await this.#store.read.waiting(this.#countedTo);
    for (const [deviceNo, count] of byDevice) this.#waiting.set(deviceNo, count);
  }

  /** Counts what was committed before the call; resolves to the devices that it is of. */
  count(): Promise<Iterable<DeviceNo>> {
    this.#next ??= this.#last.then(() => {
      this.#next = null;
      return this.#countOn();
    });
    this.#last = this.#next.catch(() => {});
    return this.#next;
  }

  async #countOn(): Promise<Iterable<DeviceNo>> {
    const { through, byDevice } = await this.#store.journal.tally(this.#countedTo);
    this.#countedTo = through;
    for (const [deviceNo, count] of byDevice) this.#waiting.set(deviceNo, (this.#waiting.get(deviceNo) ?? 0) + count);
    return byDevice.keys();
  }

  /** Up to where it has counted. */
  get countedTo(): Seq {
    return this.#countedTo;
  }

  /** `count` of a device's records wait no longer. They must have been counted. */
  passed(deviceNo: DeviceNo, count: number): void {
    this.#rate.add(count);
    const left = (this.#waiting.get(deviceNo) ?? 0) - count;
    if (left > 0) this.#waiting.set(deviceNo, left);
    else this.#waiting.delete(deviceNo);
  }

  get byDevice(): ReadonlyMap<DeviceNo, number> {
    return this.#waiting;
  }

  /** No record at or below it waits, of any device. */
  nothingWaitsUpTo(): Seq {
    let lowest = this.#countedTo;
    for (const deviceNo of this.#waiting.keys()) {
      const cursor = this.#store.directory.deviceByNo(deviceNo)?.forwardedSeq;
      if (cursor !== undefined && cursor < lowest) lowest = cursor;
    }
    return lowest;
  }

  async summary(): Promise<OutboxSummary> {
    let waiting = 0;
    for (const count of this.#waiting.values()) waiting += count;
    const perSecond = this.#rate.perSecond();
    const oldestAt = waiting === 0 ? null : await this.#store.read.oldestWaiting(this.nothingWaitsUpTo());
    const parked = await this.#store.read.parkedCount();
    const catchUpSeconds = waiting === 0 ? 0 : perSecond > 0 ? Math.ceil(waiting / perSecond) : null;
    return { waiting, oldestAt, parked, perSecond, catchUpSeconds };
  }
}
