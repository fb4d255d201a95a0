import type { DeviceNo, Seq, Store } from '../store/index.ts';
import type { Lane } from './lane.ts';
import { outgoing } from './outgoing.ts';

/** One segment, or a few small ones. */
const readBytes = 128 * 1024;
/** Read ahead for all devices together. */
const queuedBytesMax = 32 << 20;
/** Of that, what those get that are not hungry yet: what waits for long is dear to the garbage collector, and little is enough to unpack each record about once. */
const aheadBytesMax = 1024 * 1024;
/** However many they are: else a segment would be unpacked once for each of its devices. */
const aheadBytesEach = 2 * 1024;

/** Reads the journal for many lanes at once: those that stand at the same place share one reading. */
export class Feed {
  readonly #store: Store;
  readonly #lanes: () => Iterable<Lane>;
  #scheduled = false;
  #closed = false;

  constructor(store: Store, lanes: () => Iterable<Lane>) {
    this.#store = store;
    this.#lanes = lanes;
  }

  /** Something was committed, or a lane has room. */
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
   * One reading for the hungry lane that is furthest behind. All that stand within it take what is theirs, also those that are not hungry yet, within their share
   * of the room: so a record is unpacked about once however many lanes there are.
   */
  #fill(): void {
    const { journal } = this.#store;
    const { lastSeq } = journal;
    let from = Number.POSITIVE_INFINITY;
    let queuedBytes = 0;
    let count = 0;
    for (const lane of this.#lanes()) {
      count++;
      queuedBytes += lane.queuedBytes;
      if (lane.scannedTo < from && lane.scannedTo < lastSeq && lane.hungry) from = lane.scannedTo;
    }
    if (from === Number.POSITIVE_INFINITY || queuedBytes > queuedBytesMax) return;
    const share = Math.max(aheadBytesEach, aheadBytesMax / count);
    const taking = new Map<DeviceNo, Lane>();
    for (const lane of this.#lanes())
      if (lane.scannedTo >= from && lane.scannedTo < lastSeq && (lane.hungry || lane.takesUpTo(share)))
        taking.set(lane.deviceNo, lane);
    const { records, through } = journal.read(from as Seq, {
      bytesMax: readBytes,
      deviceNos: taking,
      wanted: (deviceNo, seq) => seq > (taking.get(deviceNo)?.scannedTo ?? Number.POSITIVE_INFINITY),
    });
    const full = new Set<Lane>();
    for (const record of records) {
      const lane = taking.get(record.deviceNo)!;
      if (full.has(lane)) continue;
      if (lane.full) full.add(lane);
      else {
        lane.take(outgoing(record));
        lane.scannedTo = record.seq;
      }
    }
    for (const lane of taking.values()) {
      if (lane.scannedTo < through && !full.has(lane)) lane.scannedTo = through;
      lane.pump();
    }
    this.schedule();
  }
}
