import type { WaitTimes } from '../../runtime/wait-times.ts';
import type {
  CommitWaiter,
  IncomingRecord,
  Journal,
  JournalRead,
  JournalReading,
  Seq,
  Tally,
} from '../port/journal.ts';
import type { WriterProxy } from '../writer/proxy.ts';
import type { Appender } from './appender.ts';
import type { SegmentReader } from './segment-reader.ts';

/** The journal of an open store: appends go to the writer thread, reads run on this one. */
export class OpenJournal implements Journal {
  readonly #writer: WriterProxy;
  readonly #appender: Appender;
  readonly #segments: SegmentReader;
  readonly #listeners = new Set<(lastSeq: Seq) => void>();

  constructor(writer: WriterProxy, appender: Appender, segments: SegmentReader) {
    this.#writer = writer;
    this.#appender = appender;
    this.#segments = segments;
  }

  append(record: IncomingRecord, waiter: CommitWaiter): void {
    this.#appender.append(record, waiter);
  }

  get waits(): WaitTimes {
    return this.#appender.waits;
  }

  get congested(): boolean {
    return this.#appender.congested;
  }

  onDrain(listener: () => void): void {
    this.#appender.onDrain(listener);
  }

  get lastSeq(): Seq {
    return this.#writer.lastSeq as Seq;
  }

  onCommitted(listener: (lastSeq: Seq) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** To be called after each commit. */
  committed(lastSeq: Seq): void {
    for (const listener of this.#listeners) listener(lastSeq);
  }

  tally(after: Seq, segmentsMax?: number): Tally {
    return this.#segments.tally(after, this.lastSeq, segmentsMax);
  }

  async read(after: Seq, options: JournalReading): Promise<JournalRead> {
    return this.#segments.read(after, this.lastSeq, options);
  }
}
