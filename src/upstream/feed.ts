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
    const share = queuedBytesMax / 2 / count;
    const taking = new Map<DeviceNo, Lane>();
    for (const lane of this.#lanes())
      if (lane.scannedTo >= from && lane.scannedTo < lastSeq && (lane.hungry || lane.takesUpTo(share)))
        taking.set(lane.deviceNo, lane);
    const { records, through } = journal.read(from as Seq, { bytesMax: readBytes, deviceNos: taking });
    const full = new Set<Lane>();
    for (const record of records) {
      const lane = taking.get(record.deviceNo)!;
      if (record.seq <= lane.scannedTo || full.has(lane)) continue;
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
