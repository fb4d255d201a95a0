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
import type { RecordReader } from './record-reader.ts';

/** The journal of an open store: appends go to the writer thread, records are read on this one. */
export class OpenJournal implements Journal {
  readonly #writer: WriterProxy;
  readonly #appender: Appender;
  readonly #records: RecordReader;
  readonly #listeners = new Set<(lastSeq: Seq) => void>();

  constructor(writer: WriterProxy, appender: Appender, records: RecordReader) {
    this.#writer = writer;
    this.#appender = appender;
    this.#records = records;
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

  tally(after: Seq, segmentsMax?: number): Promise<Tally> {
    return this.#records.tally(after, this.lastSeq, segmentsMax);
  }

  read(after: Seq, options: JournalReading): Promise<JournalRead> {
    return this.#records.read(after, this.lastSeq, options);
  }
}
