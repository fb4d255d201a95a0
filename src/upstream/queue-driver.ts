import type { Clock, Random } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { nextTry } from '../runtime/retry.ts';
import type { Channel, DeviceNo, ForwardingStore, Seq } from '../store/index.ts';
import { type GivenReason, withWhy } from '../words/sentences.ts';
import type { Confirmations } from './confirmations.ts';
import type { Refusal } from './in-flight-record.ts';
import { InFlightRecord, type Sender } from './in-flight-record.ts';
import type { InFlightWindow } from './in-flight-window.ts';
import type { Pace } from './pace.ts';
import { emptyQueue, isIdle, passedTo, type Queue, step, take } from './queue.ts';
import type { QueueEffects, QueueEvent, SentAgain } from './queue-events.ts';
import { hasLittleAhead, mayTakeAlong, waitingForRoom } from './read-ahead.ts';
import type { Outgoing, Result } from './transport.ts';
import { Waking } from './waking.ts';

const waitingBytesLow = 64 * 1024;
/** One reading of the journal may hold nothing else: the rest of it is taken later. */
const waitingBytesMax = 256 * 1024;

const go: QueueEvent = { kind: 'go' };
const confirmed: QueueEvent = { kind: 'confirmed' };

export interface QueueDriverOptions {
  /** Whose records it holds; null: those of all devices. */
  readonly deviceNo: DeviceNo | null;
  /** Which of them; null: messages and logs. */
  readonly channel: Channel | null;
  readonly cursor: Seq;
  /** The cloud's limits on a device's logs; null where nothing is paced. */
  readonly pace: Pace | null;
  readonly window: InFlightWindow;
  readonly confirmations: Confirmations;
  readonly store: Pick<ForwardingStore, 'write'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** `count` records of a device wait no longer, none of them after `upTo`. */
  readonly onPassed: (deviceNo: DeviceNo, count: number, upTo: Seq) => void;
  /** Of a queue of one channel: nothing of its device waits at or below it, of either channel. */
  readonly floor: () => Seq;
  /** How many sessions there are. */
  readonly sessions: () => number;
  /** A record is about to go over the wire. */
  readonly onSend: (record: Outgoing) => void;
  /** Called when the queue can take more from the journal. */
  readonly readOn: () => void;
  /** Called when the session has no room; `go()` follows when it has. */
  readonly waitForRoom: (queue: QueueDriver) => void;
}

/** Carries out what a queue wants: sends, waits, parks, writes confirmations down. */
export class QueueDriver implements QueueEffects, Sender {
  readonly #options: QueueDriverOptions;
  readonly #queue: Queue;
  /** The last reading of the journal that it takes part in, by its number; 0: in none. */
  reading = 0;
  readonly #waking: Waking;
  readonly #closing = new AbortController();
  /** Of its records, those that count in the window's `ahead`. */
  #ahead = 0;
  #advances = false;
  readonly #advance = (): void => {
    this.#advances = false;
    this.#step(confirmed);
  };

  constructor(options: QueueDriverOptions) {
    this.#options = options;
    this.#waking = new Waking(options.clock, () => this.go());
    this.#queue = emptyQueue({ paced: options.pace !== null, cursor: options.cursor, sender: this });
  }

  get deviceNo(): DeviceNo | null {
    return this.#options.deviceNo;
  }

  get channel(): Channel | null {
    return this.#options.channel;
  }

  get isIdle(): boolean {
    return isIdle(this.#queue);
  }

  /** Nothing in it at or below this seq waits. */
  get passedTo(): Seq {
    return passedTo(this.#queue);
  }

  get waitingBytes(): number {
    return this.#queue.waitingBytes;
  }

  get isFull(): boolean {
    return this.#queue.waitingBytes >= waitingBytesMax;
  }

  /** The journal was read up to here. */
  get readTo(): Seq {
    return this.#queue.readTo;
  }

  set readTo(seq: Seq) {
    this.#queue.readTo = seq;
  }

  get wantsMore(): boolean {
    return this.#queue.waitingBytes < waitingBytesLow && hasLittleAhead(this.#queue, this.#options) && this.mayRead;
  }

  /**
   * Hot. Whether a record of its devices is for it: one that it has not read, and that the cloud
   * has not confirmed. A queue of one channel begins at its cursor, so that what follows is not.
   */
  wants(deviceNo: DeviceNo, seq: number, channel: Channel): boolean {
    if (seq <= this.#queue.readTo) return false;
    return this.#options.deviceNo !== null || seq > this.#options.confirmations.upTo(deviceNo, channel);
  }

  /** Whether this queue accepts records from a read that another queue started, up to `bytes`. */
  takesAlong(bytes: number): boolean {
    const { waitingBytes } = this.#queue;
    return (
      waitingBytes < waitingBytesLow &&
      (waitingBytes < bytes || mayTakeAlong(this.#queue, this.#options)) &&
      this.mayRead
    );
  }

  /**
   * Without a session, or when the cloud takes nothing more today, what waits would only take
   * memory.
   */
  get mayRead(): boolean {
    return this.#options.window.isUp && this.#queue.refused === 0 && !this.dayIsSpent;
  }

  /** Hot. `go()` follows. */
  take(record: Outgoing): void {
    take(this.#queue, record);
    this.#queue.readTo = record.seq;
  }

  /** Sends what may go now. */
  go(): void {
    this.#step(go);
  }

  /** A parked record that staff want sent again. */
  addAgain(record: Outgoing): void {
    this.#step({ kind: 'sendAgain', record });
  }

  connectionLost(): void {
    this.#options.pace?.lost();
    this.#waking.stop();
    this.#step({ kind: 'connectionLost' });
  }

  /** Forgets what it has read: it is read again when there is a session. */
  unload(): void {
    this.#waking.stop();
    this.#step({ kind: 'unload' });
  }

  close(): void {
    this.#closing.abort();
    this.#waking.stop();
    this.#countAhead(0);
  }

  #step(event: QueueEvent): void {
    step(this.#queue, event, this);
    if (this.#options.pace === null && !this.#closing.signal.aborted)
      this.#countAhead(waitingForRoom(this.#queue, this));
  }

  #countAhead(records: number): void {
    this.#options.window.ahead += records - this.#ahead;
    this.#ahead = records;
  }

  onAnswer(record: InFlightRecord, result: Result): void {
    const queue = this.#queue;
    this.#options.pace?.confirmed();
    if (record.replaced) return;
    if (result.kind === 'confirmed') {
      record.state = 'confirmed';
      // Others may have waited longer for the room that this leaves.
      if (queue.next < queue.records.length || queue.again.length > 0) this.waitForRoom();
      this.#advanceSoon();
    } else if (result.kind === 'refused') this.#step({ kind: 'refused', record, refusal: result });
    else this.#step({ kind: 'postponed', record, waitMs: nextTry(this.#options.random) });
  }

  /** Parks the record, so that the others continue. */
  onUnbearable({ seq }: InFlightRecord, reason: GivenReason): void {
    this.#step({ kind: 'unbearable', seq, reason });
  }

  /** Once for all the answers that came together. */
  #advanceSoon(): void {
    if (this.#advances) return;
    this.#advances = true;
    queueMicrotask(this.#advance);
  }

  // Effects that the queue asks for.

  now(): number {
    return this.#options.clock.monotonic();
  }

  paceMs(): number {
    return this.#options.pace?.wait() ?? 0;
  }

  get dayIsSpent(): boolean {
    return this.#options.pace?.spentToday ?? false;
  }

  hasRoomFor(record: Outgoing): boolean {
    return !this.#closing.signal.aborted && this.#options.window.hasRoomFor(record);
  }

  send(record: InFlightRecord): void {
    const { window, pace, onSend } = this.#options;
    pace?.sent();
    onSend(record);
    window.send(record);
  }

  sendAgain(record: Outgoing): void {
    const { window, pace } = this.#options;
    pace?.sent();
    this.#queue.againInFlight = true;
    window.send(new InFlightRecord(record, this.#againSender));
  }

  readonly #againSender: Sender = {
    onAnswer: (_record, result) => {
      this.#options.pace?.confirmed();
      if (result.kind === 'again') this.#step({ kind: 'againPostponed', waitMs: nextTry(this.#options.random) });
      else this.#step({ kind: 'sentAgain', outcome: result.kind === 'confirmed' ? 'confirmed' : result });
    },
    onUnbearable: (record, reason) => this.onUnbearable(record, reason),
  };

  passed({ deviceNo, seq }: Outgoing, count: number, confirmedTo: Seq | null): void {
    const { channel, confirmations, window, floor, onPassed } = this.#options;
    if (confirmedTo !== null)
      confirmations.add({ deviceNo, channel }, confirmedTo, { via: window.via, floorSeq: floor() });
    onPassed(deviceNo, count, seq);
  }

  park(record: Outgoing, refusal: Refusal): void {
    void this.#park(record, refusal);
  }

  async #park({ seq, deviceNo, channel }: Outgoing, { code, reason, said }: Refusal): Promise<void> {
    const { store, clock, random, confirmations, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await confirmations.flush();
        await store.write.park({ seq, deviceNo, channel, at: clock.now(), code, reason, said });
        log.warn({ seq, error_code: code }, 'record_parked', withWhy({ why: reason, ...said }));
        this.#step({ kind: 'parked', seq });
        return;
      } catch (error) {
        log.warn({ seq, error: String(error) }, 'record_not_parked');
        await clock.sleep(nextTry(random), signal).catch(() => {});
      }
    }
  }

  settleParked({ deviceNo, seq }: Outgoing, outcome: SentAgain): void {
    const { store, clock, log, onPassed } = this.#options;
    store.write
      .settleParked({ seq, outcome, at: clock.now() })
      .catch(error => log.warn({ seq, error: String(error) }, 'parked_outcome_not_stored'));
    onPassed(deviceNo, 0, seq);
  }

  waitForRoom(): void {
    this.#options.waitForRoom(this);
  }

  readOn(): void {
    if (this.wantsMore) this.#options.readOn();
  }

  wakeIn(ms: number): void {
    this.#options.window.suspectIsHeld();
    if (!this.#closing.signal.aborted) this.#waking.wakeIn(ms);
  }
}
