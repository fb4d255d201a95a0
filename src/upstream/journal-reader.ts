import type { Channel, DeviceNo, DeviceNos, JournalStore, Seq } from '../store/index.ts';
import { type Form, outgoing } from './outgoing.ts';
import type { QueueDriver } from './queue-driver.ts';
import type { Leaving } from './staying-features.ts';

/** One segment, or a few small ones; more where looking at all the queues costs as much. */
const readBytes = { least: 128 * 1024, most: 512 * 1024, each: 128 } as const;
/** So much is read onwards before the queue that is furthest behind has its turn again. */
const passBytes = 32 << 20;
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
  /** Where the last reading ended, and how much was read onwards to there. */
  #passedTo = 0;
  #passedBytes = 0;

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
   * One reading for a queue that wants more. All that stand within it take what is theirs, also
   * those that have enough for now, within their share of the room: so a record is unpacked about
   * once however many queues there are.
   */
  #fill(): void {
    const { journal } = this.#store;
    const { wanting, takers, bytesMax } = this.#queuesToRead(journal.lastSeq);
    const from = this.#placeToRead(wanting);
    if (from === null) return;
    takers.keepFrom(from);
    const { records, through } = journal.read(from, {
      bytesMax,
      deviceNos: takers,
      wanted: (deviceNo, seq, channel) => takers.of(deviceNo, channel)?.wants(deviceNo, seq, channel) ?? false,
    });
    this.#passedTo = through;
    this.#passedBytes += bytesMax;
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

  /** Those that want more, and with them all that would take it. */
  #queuesToRead(lastSeq: Seq): { wanting: readonly QueueDriver[]; takers: Takers; bytesMax: number } {
    const waitingBytes = { device: 0, log: 0, both: 0 };
    let count = 0;
    for (const queue of this.#queues()) {
      count++;
      waitingBytes[queue.channel ?? 'both'] += queue.waitingBytes;
    }
    const share = Math.max(aheadBytesEach, aheadBytesMax / count);
    const wanting: QueueDriver[] = [];
    const takers = new Takers();
    for (const queue of this.#queues()) {
      if (queue.readTo >= lastSeq || waitingBytes[queue.channel ?? 'both'] > waitingBytesMax) continue;
      if (queue.wantsMore) wanting.push(queue);
      else if (!queue.takesAlong(share)) continue;
      takers.add(queue);
    }
    const bytesMax = Math.min(readBytes.most, Math.max(readBytes.least, count * readBytes.each));
    return { wanting, takers, bytesMax };
  }

  /**
   * Onwards from the last reading, where somebody is there. Going back at once to whoever is
   * furthest behind would serve the newest of some thousand sessions that come up one after the
   * other, again and again, and the others never.
   */
  #placeToRead(wanting: readonly QueueDriver[]): Seq | null {
    const onwards = this.#passedBytes < passBytes ? first(wanting, this.#passedTo) : null;
    if (onwards !== null) return onwards;
    this.#passedBytes = 0;
    return first(wanting, 0);
  }
}

/** The first place, from `least` on, to which one of them has read. */
function first(queues: readonly QueueDriver[], least: number): Seq | null {
  let found: Seq | null = null;
  for (const { readTo } of queues) if (readTo >= least && (found === null || readTo < found)) found = readTo;
  return found;
}

/** The queues that take part in a reading, and which of them a record is for. */
class Takers implements DeviceNos {
  readonly #byDevice = new Map<DeviceNo, Record<Channel, QueueDriver | null>>();
  #ofAll: QueueDriver | null = null;
  #queues: QueueDriver[] = [];

  add(queue: QueueDriver): void {
    this.#queues.push(queue);
  }

  /** Leaves out those that have not read up to here: what is before it is theirs too. */
  keepFrom(from: Seq): void {
    this.#queues = this.#queues.filter(({ readTo }) => readTo >= from);
    for (const queue of this.#queues) this.#index(queue);
  }

  #index(queue: QueueDriver): void {
    const { deviceNo, channel } = queue;
    if (deviceNo === null || channel === null) {
      this.#ofAll = queue;
      return;
    }
    const both = this.#byDevice.get(deviceNo) ?? { device: null, log: null };
    both[channel] = queue;
    this.#byDevice.set(deviceNo, both);
  }

  /** Whether a segment is to be opened for what it holds of a device. */
  has(deviceNo: DeviceNo, channel: Channel | null): boolean {
    if (channel !== null) return this.of(deviceNo, channel) !== null;
    return this.#ofAll !== null || this.#byDevice.has(deviceNo);
  }

  /** Hot. */
  of(deviceNo: DeviceNo, channel: Channel): QueueDriver | null {
    return this.#ofAll ?? this.#byDevice.get(deviceNo)?.[channel] ?? null;
  }

  [Symbol.iterator](): Iterator<QueueDriver> {
    return this.#queues.values();
  }
}
