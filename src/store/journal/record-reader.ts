import type {
  Channel,
  DeviceNo,
  DeviceNos,
  JournalRead,
  JournalReading,
  JournalRecord,
  Seq,
  Tally,
} from '../port/journal.ts';
import { unpack } from './segment.ts';
import { lastOf, type SegmentHead } from './segment-reader.ts';
import { eachDevice, someDevice } from './segment-row.ts';

/** Where segments come from: at once on SQLite, after a while from a server. */
export interface Segments {
  /** See SegmentReader.heads. */
  heads(after: number, atMost: number, lastSeq: number): SegmentHead[] | Promise<SegmentHead[]>;
  /** Null when the segment is gone or damaged. */
  open(firstSeq: number): Buffer | null | Promise<Buffer | null>;
  /** These were rewritten. */
  forget(firstSeqs: readonly number[]): void;
}

/**
 * Heads read in one query, and kept for the readings that follow; doubled after a query that found
 * nothing wanted.
 */
const headsAtFirst = 16;
const headsAtMost = 256;
/** In one reading, which holds the event loop: a few milliseconds. */
const headsLookedAtMax = 2048;

/**
 * Reads records in order. A segment without a record that is asked for is not opened: its head
 * tells.
 */
export class RecordReader {
  readonly #segments: Pick<Segments, 'heads' | 'open'>;
  /** Heads behind `#knownAfter`, as far as they are known: most readings go on from the last. */
  #known: readonly SegmentHead[] = [];
  #knownAfter = 0;

  constructor(segments: Pick<Segments, 'heads' | 'open'>) {
    this.#segments = segments;
  }

  /** See Journal.read. `lastSeq`: the last committed record. */
  async read(after: Seq, lastSeq: Seq, options: JournalReading): Promise<JournalRead> {
    const records: JournalRecord[] = [];
    let through = after as number;
    let bytes = 0;
    const { deviceNos, wanted } = options;
    const asked = (deviceNo: DeviceNo, seq: number, channel: Channel) =>
      seq > after && (wanted ? wanted(deviceNo, seq, channel) : !deviceNos || deviceNos.has(deviceNo, channel));
    let looked = 0;
    for (let step = headsAtFirst; through < lastSeq; step = Math.min(step * 2, headsAtMost)) {
      if (looked >= headsLookedAtMax) return { records, through: through as Seq };
      const heads = await this.#headsToRead(through, step, lastSeq);
      looked += heads.length;
      if (heads.length === 0) return { records, through: lastSeq };
      for (const head of heads) {
        through = lastOf(head);
        if (!holdsAny(head, deviceNos)) continue;
        const packed = await this.#segments.open(head.first_seq);
        if (!packed) continue;
        unpack(packed, head.first_seq, record => records.push(record), asked);
        bytes += packed.length;
        if (bytes >= options.bytesMax) return { records, through: through as Seq };
      }
    }
    return { records, through: Math.max(through, lastSeq) as Seq };
  }

  /** Those that an earlier reading has found, or else the next ones on disk. */
  async #headsToRead(after: number, atMost: number, lastSeq: number): Promise<readonly SegmentHead[]> {
    if (after >= this.#knownAfter) {
      const next = this.#known.findIndex(head => lastOf(head) > after);
      if (next >= 0) return this.#known.slice(next);
    }
    const heads = await this.#segments.heads(after, atMost, lastSeq);
    if (atMost === headsAtFirst) {
      this.#known = heads;
      this.#knownAfter = after;
    }
    return heads;
  }

  /** See Journal.tally. */
  async tally(after: Seq, lastSeq: Seq, segmentsMax = Number.POSITIVE_INFINITY): Promise<Tally> {
    const byDevice = new Map<DeviceNo, number>();
    let through = after as number;
    for (let looked = 0; through < lastSeq; ) {
      if (looked >= segmentsMax) return { through: through as Seq, byDevice };
      const heads = await this.#segments.heads(through, headsAtMost, lastSeq);
      if (heads.length === 0) break;
      looked += heads.length;
      for (const head of heads) {
        through = lastOf(head);
        eachDevice(head.devices, (device, count) => {
          if (count > 0) byDevice.set(device, (byDevice.get(device) ?? 0) + count);
        });
      }
    }
    return { through: Math.max(through, lastSeq) as Seq, byDevice };
  }
}

function holdsAny(head: SegmentHead, deviceNos: DeviceNos | undefined): boolean {
  return !deviceNos || someDevice(head.devices, (device, channel) => deviceNos.has(device, channel));
}
