import type { Channel, DeviceNo, JournalRead, JournalReading, JournalStore, Seq } from '../store/index.ts';
import { type Form, type LeavingRules, outgoing } from './outgoing.ts';
import type { QueueDriver } from './queue-driver.ts';

/** One segment, or a few small ones; more where looking at all the queues costs as much. */
const readBytes = { least: 128 * 1024, most: 1024 * 1024, each: 256 } as const;
/**
 * So much is read onwards before the queue that is furthest behind has its turn again: a second or
 * so. Sessions that came up meanwhile go on together from there. With less they would stand at so
 * many places that a box which does nothing but read could not serve them all.
 */
const passBytes = 256 << 20;
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

/** All queues, and which of them a record is for. */
export interface QueuesToRead {
  readonly all: readonly QueueDriver[];
  /** Hot. */
  of(deviceNo: DeviceNo, channel: Channel): QueueDriver | null;
}

/**
 * Reads the journal for many queues at once: those that stand at the same place share one reading.
 * One reading at a time.
 */
export class JournalReader {
  readonly #store: JournalStore;
  readonly #queues: QueuesToRead;
  readonly #rules: LeavingRules;
  readonly #form: Form;
  #scheduled = false;
  #isReading = false;
  #closed = false;
  /** How many there were. */
  #readings = 0;
  /** Where the last one ended, and how much was read onwards to there. */
  #passedTo = 0;
  #passedBytes = 0;

  constructor(
    { store, form, ...rules }: { readonly store: JournalStore; readonly form: Form } & LeavingRules,
    queues: QueuesToRead,
  ) {
    this.#store = store;
    this.#rules = rules;
    this.#form = form;
    this.#queues = queues;
  }

  /** Something was committed, or a queue can take more. Behind each reading is another look. */
  schedule(): void {
    if (this.#scheduled || this.#isReading || this.#closed) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#closed) this.#fill();
    });
  }

  /** Discards the result of a read in progress. */
  close(): void {
    this.#closed = true;
  }

  #fill(): void {
    const { wanting, takers, bytesMax } = this.#queuesToRead(this.#store.journal.lastSeq);
    const from = this.#placeToRead(wanting);
    if (from !== null) void this.#read(from, takers, bytesMax);
  }

  /**
   * One reading for a queue that wants more. All that stand within it take what is theirs, also
   * those that have enough for now, within their share of the room: so a record is unpacked about
   * once however many queues there are. Meanwhile queues come and go, send, and forget.
   */
  async #read(from: Seq, takers: readonly QueueDriver[], bytesMax: number): Promise<void> {
    const reading = ++this.#readings;
    // Earlier records are still to come for queues that have not read up to here.
    for (const queue of takers) if (queue.readTo >= from) queue.reading = reading;
    const places = takers.map(({ readTo }) => readTo);
    const takes = (queue: QueueDriver | null): queue is QueueDriver => queue !== null && queue.reading === reading;
    const of = (deviceNo: DeviceNo, channel: Channel) => this.#queues.of(deviceNo, channel);
    const found = await this.#found(from, {
      bytesMax,
      deviceNos: { has: (deviceNo, channel) => takes(of(deviceNo, channel)) },
      wanted(deviceNo, seq, channel) {
        const queue = of(deviceNo, channel);
        return takes(queue) && queue.wants(deviceNo, seq, channel);
      },
    });
    if (found === null) return;
    const { records, through } = found;
    this.#passedTo = through;
    this.#passedBytes += bytesMax;
    // One that has forgotten what it held must not pass over it, and one that has no session holds
    // nothing: both read again.
    for (let index = 0; index < takers.length; index++) {
      const queue = takers[index]!;
      if (queue.readTo !== places[index] || !queue.mayRead) queue.reading = 0;
    }
    const served = new Set<QueueDriver>();
    for (const record of records) {
      const queue = of(record.deviceNo, record.channel);
      if (!takes(queue) || queue.isFull) continue;
      queue.take(outgoing(record, this.#rules, this.#form));
      served.add(queue);
    }
    for (const queue of takers) if (takes(queue) && queue.readTo < through && !queue.isFull) queue.readTo = through;
    for (const queue of served) queue.go();
    this.schedule();
  }

  /** Result of a read; null if the reader was closed meanwhile, so that nobody asks for it. */
  async #found(from: Seq, options: JournalReading): Promise<JournalRead | null> {
    this.#isReading = true;
    try {
      const found = await this.#store.journal.read(from, options);
      return this.#closed ? null : found;
    } catch (error) {
      if (this.#closed) return null;
      throw error;
    } finally {
      this.#isReading = false;
    }
  }

  /** Those that want more, and with them all that would take it. */
  #queuesToRead(lastSeq: Seq): {
    wanting: readonly QueueDriver[];
    takers: readonly QueueDriver[];
    bytesMax: number;
  } {
    const { all } = this.#queues;
    const waitingBytes = { device: 0, log: 0, both: 0 };
    const share = Math.max(aheadBytesEach, aheadBytesMax / all.length);
    let wanting: QueueDriver[] = [];
    let takers: QueueDriver[] = [];
    for (const queue of all) {
      if (queue.waitingBytes > 0) waitingBytes[queue.channel ?? 'both'] += queue.waitingBytes;
      if (queue.readTo >= lastSeq) continue;
      if (queue.wantsMore) wanting.push(queue);
      else if (!queue.takesAlong(share)) continue;
      takers.push(queue);
    }
    if (Object.values(waitingBytes).some(bytes => bytes > waitingBytesMax)) {
      const hasRoom = (queue: QueueDriver) => waitingBytes[queue.channel ?? 'both'] <= waitingBytesMax;
      wanting = wanting.filter(hasRoom);
      takers = takers.filter(hasRoom);
    }
    const bytesMax = Math.min(readBytes.most, Math.max(readBytes.least, all.length * readBytes.each));
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
