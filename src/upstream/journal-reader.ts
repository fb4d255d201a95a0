import type { Channel, DeviceNo, Seq, Store } from '../store/index.ts';
import { type DeviceQueues, eachQueue } from './device-queues.ts';
import { outgoing } from './outgoing.ts';
import type { QueueDriver } from './queue-driver.ts';
import type { Leaving } from './staying-features.ts';

/** One segment, or a few small ones. */
const readBytes = 128 * 1024;
/**
 * Read ahead for all devices together, of messages and of logs each: logs that the cloud's limits
 * hold back take no room from messages.
 */
const waitingBytesMax = 32 << 20;
/**
 * Of that, for queues that have enough for now: little, for objects that outlive a young collection
 * cost a copy and a mark.
 */
const aheadBytesMax = 1024 * 1024;
/** However many they are: else a segment would be unpacked once for each of its devices. */
const aheadBytesEach = 2 * 1024;

/**
 * Reads the journal for many queues at once: those that stand at the same place share one reading.
 */
export class JournalReader {
  readonly #store: Store;
  readonly #devices: () => Iterable<DeviceQueues>;
  readonly #leaving: Leaving | null;
  #scheduled = false;
  #closed = false;

  constructor(store: Store, leaving: Leaving | null, devices: () => Iterable<DeviceQueues>) {
    this.#leaving = leaving;
    this.#store = store;
    this.#devices = devices;
  }

  /** Something was committed, or a queue can take more. */
  schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#closed) this.#fill();
    });
  }

  close(): void {
    this.#closed = true;
  }

  /**
   * One reading for the queue that is furthest behind of those that want more. All that stand
   * within it take what is theirs, also those that have enough for now, within their share of the
   * room: so a record is unpacked about once however many queues there are.
   */
  #fill(): void {
    const { journal } = this.#store;
    const taking = this.#takers(journal.lastSeq);
    if (!taking) return;
    const { records, through } = journal.read(taking.from, {
      bytesMax: readBytes,
      deviceNos: taking.queues,
      wanted: (deviceNo, seq, channel) =>
        seq > (taking.queues.get(deviceNo)?.[channel]?.readTo ?? Number.POSITIVE_INFINITY),
    });
    const full = new Set<QueueDriver>();
    for (const record of records) {
      const queue = taking.queues.get(record.deviceNo)![record.channel]!;
      if (full.has(queue)) continue;
      if (queue.isFull) full.add(queue);
      else queue.take(outgoing(record, this.#leaving));
    }
    for (const { device, log } of taking.queues.values())
      for (const queue of [device, log]) {
        if (!queue) continue;
        if (queue.readTo < through && !full.has(queue)) queue.readTo = through;
        queue.go();
      }
    this.schedule();
  }

  /** Who takes part in the next reading, and from where it goes; null when nobody wants more. */
  #takers(lastSeq: Seq): { from: Seq; queues: Takers } | null {
    const waitingBytes: Record<Channel, number> = { device: 0, log: 0 };
    let count = 0;
    for (const queue of eachQueue(this.#devices())) {
      count++;
      waitingBytes[queue.channel] += queue.waitingBytes;
    }
    const mayRead = (queue: QueueDriver) => queue.readTo < lastSeq && waitingBytes[queue.channel] <= waitingBytesMax;
    let from: Seq | null = null;
    for (const queue of eachQueue(this.#devices()))
      if ((from === null || queue.readTo < from) && mayRead(queue) && queue.wantsMore) from = queue.readTo;
    if (from === null) return null;
    const share = Math.max(aheadBytesEach, aheadBytesMax / count);
    const queues: Takers = new Map();
    for (const queue of eachQueue(this.#devices())) {
      if (queue.readTo < from || !mayRead(queue) || !(queue.wantsMore || queue.takesUpTo(share))) continue;
      const both = queues.get(queue.deviceNo) ?? { device: null, log: null };
      both[queue.channel] = queue;
      queues.set(queue.deviceNo, both);
    }
    return { from, queues };
  }
}

type Takers = Map<DeviceNo, Record<Channel, QueueDriver | null>>;
