import type { Clock } from '../../runtime/clock.ts';
import { WaitTimes } from '../../runtime/wait-times.ts';
import { type CommitWaiter, type IncomingRecord, StoreError } from '../port/journal.ts';
import type { PackedChunk } from '../writer/messages.ts';
import type { AppendListener, WriterProxy } from '../writer/proxy.ts';
import { behindTooFar, type Lag } from './lag.ts';
import { SegmentPacker } from './segment.ts';

/** One millisecond of waiting for so many expected records, which take about as long to be read. */
const recordsForMs = 64;
const msMax = 3;
/**
 * With more in flight a group is large enough without waiting, and waiting would only put more in
 * flight: where devices do not wait for their answers, the delay would feed itself.
 */
const heldRecordsMax = 256;

/**
 * How long the next group of the journal waits for more records. A commit takes the processor as
 * long as two or three hundred records do: under load fewer, larger groups cost less (docs/
 * decisions/store.md). Expected is what was in flight when the last group was answered: those
 * devices send their next record. When so many have come, nobody else is waited for. Fewer than 64
 * in flight are not held at all, nor are more than 256.
 */
class GroupHold {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #over: () => void;
  #expected = 0;
  #isOn = false;
  /** Which hold it is: a sleep that ends later than its own changes nothing. */
  #number = 0;

  /** `over`: called when the time of a hold is over, unless it was ended before. */
  constructor(clock: Pick<Clock, 'sleep'>, over: () => void) {
    this.#clock = clock;
    this.#over = over;
  }

  /** Whether a group that has so many records by now should wait. */
  holds(records: number): boolean {
    return this.#isOn && records < this.#expected;
  }

  /** A group was answered; so many records wait for the next one already. */
  begin(answered: number, waiting: number): void {
    this.#expected = answered + waiting;
    const ms = this.#expected > heldRecordsMax ? 0 : Math.min(msMax, Math.floor(this.#expected / recordsForMs));
    const number = ++this.#number;
    this.#isOn = ms > 0;
    if (!this.#isOn) return;
    void this.#clock.sleep(ms).then(() => {
      if (number !== this.#number) return;
      this.#isOn = false;
      this.#over();
    });
  }

  end(): void {
    this.#isOn = false;
    this.#number++;
  }
}

/**
 * A chunk becomes one segment: one row, one seal. The tables are filled by whole segments, and no
 * commit happens while one is taken: a larger segment would hold up acknowledgements.
 */
const chunkBytesMax = 128 << 10;
/** From here on gateways stop reading; at the second bound a record is refused with `too_busy`. */
const congestedBytes = 4 << 20;
const waitingBytesMax = 16 << 20;
const sparesMax = 32;

/**
 * The main thread's end of the journal. Packs what arrives into chunks while the last group is
 * being committed, then sends them all as the next group; under load it waits a moment for more of
 * them (GroupHold). One group at a time is with the writer thread: that is the group commit. No
 * object is made for a record beyond its waiter.
 */
export class Appender implements AppendListener {
  readonly #writer: WriterProxy;
  readonly #lag: Lag;
  readonly #clock: Clock;
  #chunk: SegmentPacker;
  #full: PackedChunk[] = [];
  /** Of the records in the next group, in their order. */
  #waiters: CommitWaiter[] = [];
  /** Of the records in the group that is being committed. */
  #groupWaiters: CommitWaiter[] = [];
  /** When the first record of the next group came, and of the one that is being committed. */
  #firstAt = 0;
  #groupFirstAt = 0;
  readonly waits = new WaitTimes();
  #fullBytes = 0;
  #isSending = false;
  #groupBytes = 0;
  #scheduled = false;
  #spares: SharedArrayBuffer[] = [];
  #drainListeners: (() => void)[] = [];
  #wasCongested = false;

  readonly #hold: GroupHold;
  readonly #sendScheduled = (): void => {
    this.#scheduled = false;
    this.#send();
  };

  constructor(writer: WriterProxy, lag: Lag, clock: Clock) {
    this.#writer = writer;
    this.#lag = lag;
    this.#clock = clock;
    this.#hold = new GroupHold(clock, () => this.#schedule());
    this.#chunk = new SegmentPacker();
    writer.onClosing = () => this.#send();
  }

  get waitingBytes(): number {
    return this.#fullBytes + this.#chunk.bytes + this.#groupBytes;
  }

  get congested(): boolean {
    return this.waitingBytes > congestedBytes || this.isHeldBack;
  }

  /** Because the tables lag. A store that takes no writes has a reason and a refusal of its own. */
  get isHeldBack(): boolean {
    return this.#lag.isOver && this.#writer.state.health === 'ok';
  }

  /** The lag or the queue has changed: calls those who wait for room, if there is some. */
  look(): void {
    if (this.congested) this.#wasCongested = true;
    else if (this.#wasCongested) {
      this.#wasCongested = false;
      for (const listener of this.#drainListeners) listener();
    }
  }

  onDrain(listener: () => void): void {
    this.#drainListeners.push(listener);
  }

  append(record: IncomingRecord, waiter: CommitWaiter): void {
    const refusal = this.#refusal();
    if (refusal) {
      waiter.onCommitted(refusal);
      return;
    }
    this.#chunk.add(record);
    // One look at the clock for a whole group: nothing is measured for each record.
    if (this.#waiters.length === 0) this.#firstAt = this.#clock.monotonic();
    this.#waiters.push(waiter);
    if (this.#chunk.bytes >= chunkBytesMax) this.#cut();
    if (this.congested) this.#wasCongested = true;
    this.#schedule();
  }

  /**
   * Tells the waiter when all that was appended so far is committed, or the error of its commit.
   */
  whenSettled(waiter: CommitWaiter): void {
    if (this.#waiters.length > 0) this.#waiters.push(waiter);
    else if (this.#isSending) this.#groupWaiters.push(waiter);
    else waiter.onCommitted(null);
  }

  /**
   * Records of one turn of the event loop go into one group. A full chunk waits for nothing more:
   * its commit is worth its price.
   */
  #schedule(): void {
    if (this.#isSending || this.#scheduled || this.#waiters.length === 0) return;
    if (this.#full.length === 0 && this.#hold.holds(this.#waiters.length)) return;
    this.#scheduled = true;
    setImmediate(this.#sendScheduled);
  }

  #refusal(): StoreError | null {
    if (this.#writer.closed) return new StoreError('closed', 'the box is stopping: send it again');
    if (this.waitingBytes > waitingBytesMax)
      return new StoreError('too_busy', 'the disk is slower than the devices are sending: send it again');
    if (this.isHeldBack && this.#lag.refuses(this.#clock.monotonic())) return new StoreError('too_busy', behindTooFar);
    return null;
  }

  #cut(): void {
    const chunk = this.#chunk.take();
    this.#full.push(chunk);
    this.#fullBytes += chunk.length;
    this.#chunk = new SegmentPacker(this.#spares.pop());
  }

  #send(): void {
    if (this.#isSending || this.#waiters.length === 0) return;
    this.#hold.end();
    if (this.#chunk.count > 0) this.#cut();
    const chunks = this.#full;
    this.#groupBytes = this.#fullBytes;
    this.#groupWaiters = this.#waiters;
    this.#groupFirstAt = this.#firstAt;
    this.#full = [];
    this.#fullBytes = 0;
    this.#waiters = [];
    this.#isSending = true;
    this.#writer.append(chunks, this);
  }

  /**
   * The group is committed, or nothing of it is stored; its memory comes back. What was appended
   * behind a group that failed fails with it: a device sends again what was not stored, and that
   * must not come behind what it sent later.
   */
  onAppended(error: StoreError | null, memories: readonly SharedArrayBuffer[]): void {
    const waiters = error === null ? this.#groupWaiters : [...this.#groupWaiters, ...this.#dropWaiting()];
    this.#groupWaiters = [];
    this.#isSending = false;
    this.#groupBytes = 0;
    for (const memory of memories) if (this.#spares.length < sparesMax) this.#spares.push(memory);
    for (const waiter of waiters) waiter.onCommitted(error);
    if (error === null) {
      this.waits.add(this.#clock.monotonic() - this.#groupFirstAt, waiters.length);
      this.#hold.begin(waiters.length, this.#waiters.length);
    }
    this.#schedule();
    this.look();
  }

  /** Returns the waiters of what was dropped. */
  #dropWaiting(): readonly CommitWaiter[] {
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#full = [];
    this.#fullBytes = 0;
    this.#chunk = new SegmentPacker(this.#spares.pop());
    return waiters;
  }
}
