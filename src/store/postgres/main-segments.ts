import { OpenedSegments } from '../journal/opened-segments.ts';
import type { Segments } from '../journal/record-reader.ts';
import { headsAfter, headsQuery, type SegmentHead } from '../journal/segment-reader.ts';
import { openSegment, UnreadableSegment } from '../journal/segment-row.ts';
import type { UnreadablePlaces } from '../journal/unreadable-places.ts';
import type { Seal } from '../schema/sealing.ts';
import type { MainReads } from './main-reads.ts';
import { toPostgres } from './sql.ts';

interface SealedSegment {
  readonly count: number;
  readonly sealed_records: Uint8Array;
}

/** Segments as the main thread of a process reads them. Damaged ones are noted in `unreadable`. */
export class MainSegments implements Segments {
  readonly #reads: MainReads;
  readonly #seal: Seal;
  readonly #unreadable: UnreadablePlaces;
  readonly #opened = new OpenedSegments();
  #forgettings = 0;

  constructor(reads: MainReads, seal: Seal, unreadable: UnreadablePlaces) {
    this.#reads = reads;
    this.#seal = seal;
    this.#unreadable = unreadable;
  }

  async heads(after: number, atMost: number, lastSeq: number): Promise<SegmentHead[]> {
    const asked = { name: 'heads', text: toPostgres(headsQuery), values: [after + 1, atMost] };
    return headsAfter(await this.#reads.rows<SegmentHead>(asked), after, lastSeq);
  }

  async open(firstSeq: number): Promise<Buffer | null> {
    const known = this.#opened.get(firstSeq);
    if (known) return known;
    if (this.#unreadable.hasSegment(firstSeq)) return null;
    const forgettings = this.#forgettings;
    const text = 'SELECT count, sealed_records FROM segment WHERE first_seq = $1';
    const [row] = await this.#reads.rows<SealedSegment>({ name: 'segment', text, values: [firstSeq] });
    if (!row) return null;
    try {
      const packed = openSegment(this.#seal, row.sealed_records, firstSeq);
      // One that was rewritten meanwhile may have come in its old form.
      if (forgettings === this.#forgettings) this.#opened.keep(firstSeq, packed);
      return packed;
    } catch (error) {
      if (!(error instanceof UnreadableSegment)) throw error;
      this.#unreadable.addSegment({ first: firstSeq, last: firstSeq + row.count - 1 });
      return null;
    }
  }

  forget(firstSeqs: readonly number[]): void {
    this.#forgettings++;
    this.#opened.forget(firstSeqs);
  }
}
