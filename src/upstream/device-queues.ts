import type { Channel, Seq } from '../store/index.ts';
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

export function* eachQueue(devices: Iterable<DeviceQueues>): Iterable<QueueDriver> {
  for (const { device, log } of devices) {
    yield device;
    yield log;
  }
}
