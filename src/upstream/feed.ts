import { stampTime } from '../platform/stamp-time.ts';
import type { DeviceNo, JournalRecord, Seq, Store } from '../store/index.ts';
import type { Lane } from './lane.ts';
import type { Outgoing } from './transport.ts';

const readBytes = 256 * 1024;
/** Read ahead for all devices together. */
const queuedBytesMax = 32 << 20;

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

  /** One reading for the hungry lane that is furthest behind, and for all that stand within it. */
  #fill(): void {
    const { journal } = this.#store;
    const hungry = new Map<DeviceNo, Lane>();
    let from = Number.POSITIVE_INFINITY;
    let queuedBytes = 0;
    for (const lane of this.#lanes()) {
      queuedBytes += lane.queuedBytes;
      if (!lane.hungry || lane.scannedTo >= journal.lastSeq) continue;
      hungry.set(lane.deviceNo, lane);
      from = Math.min(from, lane.scannedTo);
    }
    if (hungry.size === 0 || queuedBytes > queuedBytesMax) return;
    const { records, through } = journal.read(from as Seq, { bytesMax: readBytes, deviceNos: new Set(hungry.keys()) });
    const full = new Set<Lane>();
    for (const record of records) {
      const lane = hungry.get(record.deviceNo)!;
      if (record.seq <= lane.scannedTo || full.has(lane)) continue;
      if (lane.full) full.add(lane);
      else {
        lane.take(outgoing(record));
        lane.scannedTo = record.seq;
      }
    }
    for (const lane of hungry.values()) {
      if (lane.scannedTo < through && !full.has(lane)) lane.scannedTo = through;
      lane.pump();
    }
    this.schedule();
  }
}

/**
 * As it goes over the wire: byte for byte, but for a `time` of 0, which becomes the second of receipt (CONTRACT 5). The bytes are copied out of the
 * segment, which would stay in memory with them.
 */
export function outgoing(record: JournalRecord, time: 'stamped' | 'verbatim' = 'stamped'): Outgoing {
  const { seq, deviceNo, channel, logPath, payload, marks, receivedAt } = record;
  return {
    seq,
    deviceNo,
    channel,
    topic: channel === 'device' ? 'device' : `log/${logPath}`,
    payload: Buffer.from(
      channel === 'device' && time === 'stamped' ? stampTime(payload, Math.floor(receivedAt / 1000)) : payload,
    ),
    receivedAt,
    passOver: marks.quarantined === true || marks.local === true,
  };
}
