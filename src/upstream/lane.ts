import type { Clock, Random } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { nextTry } from '../platform/retry.ts';
import type { DeviceNo, Seq, Store } from '../store/index.ts';
import type { Confirmations } from './confirmations.ts';
import type { Flights } from './flights.ts';
import type { Pace } from './pace.ts';
import { Passage, type Sender } from './passage.ts';
import type { Outgoing, Result } from './transport.ts';

/** Read ahead for one device, little enough for thousands of them: its share of what may be under way, within these. */
const queuedRecordsLow = { least: 8, most: 64 } as const;
const queuedBytesLow = 64 * 1024;
/** One reading of the journal may hold nothing else: the rest of it is taken later. */
const queuedBytesMax = 256 * 1024;

export interface LaneOptions {
  readonly deviceNo: DeviceNo;
  readonly cursor: Seq;
  readonly pace: Pace;
  readonly flights: Flights;
  readonly confirmations: Confirmations;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** So many of its records wait no longer, none of them after `upTo`. */
  readonly settled: (lane: Lane, records: number, upTo: Seq) => void;
  /** How many lanes share its session, itself among them. */
  readonly lanesBeside: () => number;
  /** It is about to go over the wire. */
  readonly sent: (record: Outgoing) => void;
  /** It can take more from the journal. */
  readonly hungry: () => void;
  /** It found no room on the session and wants to be pumped when there is. */
  readonly waitsForRoom: (lane: Lane) => void;
}

/** The way of one device's records to the cloud: in order, each until it is confirmed or parked. */
export class Lane implements Sender {
  readonly deviceNo: DeviceNo;
  readonly #options: LaneOptions;
  /** In order: passed ones up to `#first`, those under way up to `#next`, then what waits to be sent. Indices move instead of records: each step costs the same, however long it is. */
  #places: Passage[] = [];
  #first = 0;
  #next = 0;
  #queuedBytes = 0;
  /** Parked ones that a person wants sent again; they go first. */
  #again: Outgoing[] = [];
  #againUnderWay = false;
  /** The journal was read for this device up to here. */
  scannedTo: Seq;
  #confirmedTo: Seq;
  /** Nothing is sent until the parking is written down. */
  #parking = false;
  /** By the clock that never jumps: the cloud asked for time. */
  #heldUntil = 0;
  #waking: { readonly at: number; readonly abort: AbortController } | null = null;
  readonly #closing = new AbortController();
  #closed = false;
  #advances = false;
  readonly #advanceNow = (): void => {
    this.#advances = false;
    this.#advance();
  };

  constructor(options: LaneOptions) {
    this.#options = options;
    this.deviceNo = options.deviceNo;
    this.scannedTo = options.cursor;
    this.#confirmedTo = options.cursor;
  }

  get idle(): boolean {
    return this.#first === this.#places.length && this.#again.length === 0 && !this.#parking;
  }

  /** Without a session nothing is read: what waits there would take the memory of those that move. */
  get hungry(): boolean {
    return (
      this.#options.flights.isUp &&
      !this.#parking &&
      this.#places.length - this.#next < this.#recordsLow() &&
      this.#queuedBytes < queuedBytesLow
    );
  }

  #recordsLow(): number {
    return Math.min(
      queuedRecordsLow.most,
      Math.max(queuedRecordsLow.least, this.#options.flights.window / this.#options.lanesBeside()),
    );
  }

  /** Whether it may take what a reading for others brings, up to so many bytes. */
  takesUpTo(bytes: number): boolean {
    return this.#options.flights.isUp && !this.#parking && this.#queuedBytes < bytes;
  }

  get full(): boolean {
    return this.#queuedBytes >= queuedBytesMax;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  take(record: Outgoing): void {
    this.#places.push(new Passage(record, this));
    this.#queuedBytes += record.payload.length;
  }

  sendAgain(record: Outgoing): void {
    if (!this.#again.some(one => one.seq === record.seq)) this.#again.push(record);
  }

  /** The connection is gone: what was not confirmed goes again, in its order. */
  connectionLost(): void {
    this.#options.pace.lost();
    this.#advance();
    this.#takeBack(this.#first);
    this.#againUnderWay = false;
    this.#heldUntil = 0;
    this.#waking?.abort.abort();
    this.#waking = null;
  }

  /** Forgets what it has read: it is read again when there is a session. */
  unload(): void {
    if (this.#parking) return;
    this.connectionLost();
    this.#places = [];
    this.#first = 0;
    this.#next = 0;
    this.#queuedBytes = 0;
    this.scannedTo = this.#confirmedTo;
  }

  close(): void {
    this.#closed = true;
    this.#closing.abort();
    this.#waking?.abort.abort();
  }

  /** Sends what may go now. */
  pump(): void {
    const { flights, pace, clock, hungry } = this.#options;
    if (this.#parking || this.#closed) return;
    const held = this.#heldUntil === 0 ? 0 : this.#heldUntil - clock.monotonic();
    if (held > 0) {
      this.#wakeIn(held);
      return;
    }
    if (this.#again.length > 0) this.#pumpAgain();
    for (let passage = this.#places[this.#next]; passage; passage = this.#places[this.#next]) {
      if (passage.passOver) {
        this.#leaveQueue(passage);
        passage.confirmed = true;
        this.#advanceSoon();
        continue;
      }
      const wait = passage.channel === 'log' ? pace.wait() : 0;
      if (wait > 0) {
        this.#wakeIn(wait);
        break;
      }
      if (!flights.hasRoomFor(passage)) {
        this.#options.waitsForRoom(this);
        break;
      }
      if (passage.channel === 'log') pace.sent();
      this.#leaveQueue(passage);
      this.#options.sent(passage);
      flights.send(passage);
    }
    if (this.hungry) hungry();
  }

  /** A message that the cloud cannot bear: parked, so that the rest goes on. */
  async parkHead(seq: Seq, reason: string): Promise<void> {
    if (this.#again[0]?.seq === seq) {
      this.#settleAgain({ kind: 'refused', code: 0, reason });
      return;
    }
    const index = this.#places.findIndex((passage, at) => at >= this.#next && passage.seq === seq);
    if (index < 0) return;
    const [head] = this.#places.splice(index, 1);
    this.#queuedBytes -= head!.payload.length;
    await this.#park(head!, 0, reason);
  }

  #leaveQueue({ payload }: Passage): void {
    this.#next++;
    this.#queuedBytes -= payload.length;
  }

  settled(passage: Passage, result: Result): void {
    if (passage.channel === 'log') this.#options.pace.confirmed();
    if (passage.replaced) return;
    if (result.kind === 'confirmed') {
      passage.confirmed = true;
      // Others may have waited longer for the room that this leaves.
      if (this.#next < this.#places.length || this.#again.length > 0) this.#options.waitsForRoom(this);
      this.#advanceSoon();
    } else if (result.kind === 'refused') {
      this.#places.splice(this.#places.indexOf(passage, this.#first), 1);
      this.#next--;
      this.#advance();
      void this.#park(passage, result.code, result.reason);
    } else {
      // Not now: everything from this record on goes again, after a while.
      this.#takeBack(this.#places.indexOf(passage, this.#first));
      this.#hold();
    }
  }

  /** Once for all the answers that came together. */
  #advanceSoon(): void {
    if (this.#advances) return;
    this.#advances = true;
    queueMicrotask(this.#advanceNow);
  }

  /** Moves the cursor over what is confirmed without a gap. */
  #advance(): void {
    let waited = 0;
    let last: Passage | null = null;
    for (let passage = this.#places[this.#first]; passage?.confirmed; passage = this.#places[++this.#first]) {
      last = passage;
      if (!last.passOver) waited++;
    }
    if (!last) return;
    this.#cutPassed();
    this.#confirmedTo = last.seq;
    this.#options.confirmations.add(this.deviceNo, last.seq, this.#options.flights.via);
    this.#options.settled(this, waited, last.seq);
    if (this.hungry) this.#options.hungry();
  }

  /** What has passed is let go when it is as much as the rest, so that each record moves once on average. */
  #cutPassed(): void {
    if (this.#first * 2 < this.#places.length) return;
    this.#places.splice(0, this.#first);
    this.#next -= this.#first;
    this.#first = 0;
  }

  /** Everything under way from this place on goes again, in its order, whatever has been said of it. */
  #takeBack(from: number): void {
    for (let index = from; index < this.#next; index++) {
      const passage = this.#places[index]!;
      passage.replaced = true;
      this.#places[index] = new Passage(passage, this);
      this.#queuedBytes += passage.payload.length;
    }
    this.#next = from;
  }

  #hold(): void {
    const { clock, random } = this.#options;
    const wait = nextTry(random);
    this.#heldUntil = clock.monotonic() + wait;
    this.#wakeIn(wait);
  }

  /** Nothing behind it is sent before it stands in the list: a later confirmation would carry the cursor over it. */
  async #park({ seq, deviceNo }: Outgoing, code: number, reason: string): Promise<void> {
    const { store, clock, random, confirmations, log } = this.#options;
    const { signal } = this.#closing;
    this.#parking = true;
    while (!signal.aborted) {
      try {
        await confirmations.flush();
        await store.write.park({ seq, deviceNo, at: clock.now(), code, reason });
        this.#parking = false;
        break;
      } catch (error) {
        log.warn({ seq, error: String(error) }, 'a refused record could not be parked; it is tried again');
        await clock.sleep(nextTry(random), signal).catch(() => {});
      }
    }
    if (this.#parking) return;
    if (seq > this.#confirmedTo) this.#confirmedTo = seq;
    log.warn({ seq, code }, `parked: the cloud refused a record for good: ${reason}`);
    this.#options.settled(this, 1, seq);
    this.pump();
  }

  /** One at a time, beside the order: they have lost their place in it. */
  #pumpAgain(): void {
    const { flights, pace } = this.#options;
    const record = this.#again[0];
    if (!record || this.#againUnderWay) return;
    const wait = record.channel === 'log' ? pace.wait() : 0;
    if (wait > 0) {
      this.#wakeIn(wait);
      return;
    }
    if (!flights.hasRoomFor(record)) {
      this.#options.waitsForRoom(this);
      return;
    }
    if (record.channel === 'log') pace.sent();
    this.#againUnderWay = true;
    flights.send(new Passage(record, this.#againSender));
  }

  readonly #againSender: Sender = {
    settled: ({ channel }, result) => {
      this.#againUnderWay = false;
      if (channel === 'log') this.#options.pace.confirmed();
      if (result.kind === 'again') this.#hold();
      else this.#settleAgain(result);
    },
  };

  #settleAgain(result: Exclude<Result, { kind: 'again' }>): void {
    const { store, clock, log } = this.#options;
    const record = this.#again.shift();
    if (!record) return;
    const outcome = result.kind === 'confirmed' ? ('confirmed' as const) : { code: result.code, reason: result.reason };
    store.write
      .settleParked({ seq: record.seq, outcome, at: clock.now() })
      .catch(error =>
        log.warn({ seq: record.seq, error: String(error) }, 'what became of a parked record could not be written down'),
      );
    this.#options.settled(this, 0, record.seq);
    this.pump();
  }

  /** At the latest then; an earlier waking stays. */
  #wakeIn(ms: number): void {
    const { clock } = this.#options;
    const at = clock.monotonic() + ms;
    if (!Number.isFinite(ms) || (this.#waking && this.#waking.at <= at)) return;
    this.#waking?.abort.abort();
    const waking = { at, abort: new AbortController() };
    this.#waking = waking;
    clock.sleep(ms, waking.abort.signal).then(
      () => {
        this.#waking = null;
        this.pump();
      },
      () => {},
    );
  }
}
