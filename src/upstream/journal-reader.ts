import type { Channel, DeviceNo, JournalStore, Seq } from '../store/index.ts';
import { type Form, outgoing } from './outgoing.ts';
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
const aheadBytesMax = 256 * 1024;
/** However many they are: else a segment would be unpacked once for each of its devices. */
const aheadBytesEach = 2 * 1024;

/**
 * Reads the journal for many queues at once: those that stand at the same place share one reading.
 */
export class JournalReader {
  readonly #store: JournalStore;
  readonly #queues: () => Iterable<QueueDriver>;
  readonly #leaving: Leaving | null;
  readonly #form: Form;
  #scheduled = false;
  #closed = false;

  constructor(
    { store, leaving, form }: { readonly store: JournalStore; readonly leaving: Leaving | null; readonly form: Form },
    queues: () => Iterable<QueueDriver>,
  ) {
    this.#store = store;
    this.#leaving = leaving;
    this.#form = form;
    this.#queues = queues;
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
    const { from, takers } = taking;
    const { records, through } = journal.read(from, {
      bytesMax: readBytes,
      ...(takers.deviceNos ? { deviceNos: takers.deviceNos } : {}),
      wanted: (deviceNo, seq, channel) => takers.of(deviceNo, channel)?.wants(deviceNo, seq, channel) ?? false,
    });
    const full = new Set<QueueDriver>();
    for (const record of records) {
      const queue = takers.of(record.deviceNo, record.channel)!;
      if (full.has(queue)) continue;
      if (queue.isFull) full.add(queue);
      else queue.take(outgoing(record, this.#leaving, this.#form));
    }
    for (const queue of takers) {
      if (queue.readTo < through && !full.has(queue)) queue.readTo = through;
      queue.go();
    }
    this.schedule();
  }

  /** Who takes part in the next reading, and from where it goes; null when nobody wants more. */
  #takers(lastSeq: Seq): { from: Seq; takers: Takers } | null {
    const waitingBytes = { device: 0, log: 0, both: 0 };
    let count = 0;
    for (const queue of this.#queues()) {
      count++;
      waitingBytes[queue.channel ?? 'both'] += queue.waitingBytes;
    }
    const mayRead = (queue: QueueDriver) =>
      queue.readTo < lastSeq && waitingBytes[queue.channel ?? 'both'] <= waitingBytesMax;
    let from: Seq | null = null;
    for (const queue of this.#queues())
      if ((from === null || queue.readTo < from) && mayRead(queue) && queue.wantsMore) from = queue.readTo;
    if (from === null) return null;
    const share = Math.max(aheadBytesEach, aheadBytesMax / count);
    const takers = new Takers();
    for (const queue of this.#queues())
      if (queue.readTo >= from && mayRead(queue) && (queue.wantsMore || queue.takesUpTo(share))) takers.add(queue);
    return { from, takers };
  }
}

/** The queues that take part in a reading, and which of them a record is for. */
class Takers {
  readonly #byDevice = new Map<DeviceNo, Record<Channel, QueueDriver | null>>();
  #ofAll: QueueDriver | null = null;
  readonly #queues: QueueDriver[] = [];

  add(queue: QueueDriver): void {
    const { deviceNo, channel } = queue;
    this.#queues.push(queue);
    if (deviceNo === null || channel === null) {
      this.#ofAll = queue;
      return;
    }
    const both = this.#byDevice.get(deviceNo) ?? { device: null, log: null };
    both[channel] = queue;
    this.#byDevice.set(deviceNo, both);
  }

  /** Null: all. */
  get deviceNos(): ReadonlyMap<DeviceNo, unknown> | null {
    return this.#ofAll ? null : this.#byDevice;
  }

  /** Hot. */
  of(deviceNo: DeviceNo, channel: Channel): QueueDriver | null {
    return this.#ofAll ?? this.#byDevice.get(deviceNo)?.[channel] ?? null;
  }

  [Symbol.iterator](): Iterator<QueueDriver> {
    return this.#queues.values();
  }
}
