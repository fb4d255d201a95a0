import type { Channel, DeviceNo, Seq } from '../store/index.ts';
import type { QueuesToRead } from './journal-reader.ts';
import type { QueueDriver } from './queue-driver.ts';

/**
 * A device has two queues: messages never wait behind logs that the cloud's limits hold back
 * (CONTRACT 5).
 */
export class DeviceQueues implements Readonly<Record<Channel, QueueDriver>> {
  readonly device: QueueDriver;
  readonly log: QueueDriver;

  constructor(device: QueueDriver, log: QueueDriver) {
    this.device = device;
    this.log = log;
  }

  get isIdle(): boolean {
    return this.device.isIdle && this.log.isIdle;
  }

  /** Nothing of the device at or below it waits. */
  get passedTo(): Seq {
    return Math.min(this.device.passedTo, this.log.passedTo) as Seq;
  }
}

/** Two queues for each device, or one of all devices. */
export class ForwarderQueues implements QueuesToRead {
  readonly #byDevice = new Map<DeviceNo, DeviceQueues>();
  #ofAll: QueueDriver | null = null;
  /** Queues in order; null if they have to be listed again. */
  #listed: readonly QueueDriver[] | null = null;

  get isOfAll(): boolean {
    return this.#ofAll !== null;
  }

  setOfAll(queue: QueueDriver): void {
    this.#ofAll = queue;
    this.#listed = null;
  }

  ofDevice(deviceNo: DeviceNo): DeviceQueues | undefined {
    return this.#byDevice.get(deviceNo);
  }

  set(deviceNo: DeviceNo, queues: DeviceQueues): void {
    this.#byDevice.set(deviceNo, queues);
    this.#listed = null;
  }

  /** Closes those of a device. */
  delete(deviceNo: DeviceNo): void {
    const queues = this.#byDevice.get(deviceNo);
    queues?.device.close();
    queues?.log.close();
    this.#byDevice.delete(deviceNo);
    this.#listed = null;
  }

  get all(): readonly QueueDriver[] {
    this.#listed ??= [
      ...(this.#ofAll === null ? [] : [this.#ofAll]),
      ...[...this.#byDevice.values()].flatMap(({ device, log }) => [device, log]),
    ];
    return this.#listed;
  }

  /** Hot. */
  of(deviceNo: DeviceNo, channel: Channel): QueueDriver | null {
    return this.#ofAll ?? this.#byDevice.get(deviceNo)?.[channel] ?? null;
  }
}
