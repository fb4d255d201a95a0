import type { Clock, Random } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { nextTry } from '../platform/retry.ts';
import type { DeviceNo, Seq, Store } from '../store/index.ts';
import type { Confirmations } from './confirmations.ts';
import type { Flights } from './flights.ts';
import type { Pace } from './pace.ts';
import type { Outgoing, Result } from './transport.ts';

/** Read ahead for one device: enough for its window, little enough for thousands of devices. */
const queuedRecordsLow = 64;
const queuedBytesLow = 64 * 1024;

interface Flying {
  readonly record: Outgoing;
  confirmed: boolean;
}

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
  /** So many of its records wait no longer. */
  readonly settled: (lane: Lane, records: number) => void;
  /** It is about to go over the wire. */
  readonly sent: (record: Outgoing) => void;
  /** It can take more from the journal. */
  readonly hungry: () => void;
  /** It found no room on the session and wants to be pumped when there is. */
  readonly waitsForRoom: (lane: Lane) => void;
}

/** The way of one device's records to the cloud: in order, each until it is confirmed or parked. */
export class Lane {
  readonly deviceNo: DeviceNo;
  readonly #options: LaneOptions;
  #queue: Outgoing[] = [];
  #queuedBytes = 0;
  #flying: Flying[] = [];
  /** Parked ones that a person wants sent again; they go first. */
  #again: Outgoing[] = [];
  #againUnderWay = false;
  /** The journal was read for this device up to here. */
  scannedTo: Seq;
  #confirmedTo: Seq;
  #blocked = false;
  #waking: AbortController | null = null;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.deviceNo = options.deviceNo;
    this.scannedTo = options.cursor;
    this.#confirmedTo = options.cursor;
  }

  get idle(): boolean {
    return this.#queue.length === 0 && this.#flying.length === 0 && this.#again.length === 0 && !this.#blocked;
  }

  get hungry(): boolean {
    return this.#queue.length < queuedRecordsLow && this.#queuedBytes < queuedBytesLow;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  take(record: Outgoing): void {
    this.#queue.push(record);
    this.#queuedBytes += record.payload.length;
  }

  sendAgain(record: Outgoing): void {
    if (!this.#again.some(one => one.seq === record.seq)) this.#again.push(record);
  }

  /** The connection is gone: what was not confirmed goes again, in its order. */
  connectionLost(): void {
    this.#options.pace.lost();
    this.#queue = [...this.#flying.map(one => one.record), ...this.#queue];
    for (const { record } of this.#flying) this.#queuedBytes += record.payload.length;
    this.#flying = [];
    this.#againUnderWay = false;
    this.#waking?.abort();
    this.#waking = null;
  }

  /** Forgets what it has read: it is read again when there is a session. */
  unload(): void {
    this.connectionLost();
    this.#queue = [];
    this.#queuedBytes = 0;
    this.scannedTo = this.#confirmedTo;
  }

  /** Sends what may go now. */
  pump(): void {
    const { flights, pace, hungry } = this.#options;
    if (this.#blocked) return;
    this.#pumpAgain();
    for (let record = this.#queue[0]; record && !this.#blocked; record = this.#queue[0]) {
      if (record.passOver) {
        this.#leaveQueue();
        this.#flying.push({ record, confirmed: true });
        this.#advance();
        continue;
      }
      if (!flights.hasRoom) {
        this.#options.waitsForRoom(this);
        break;
      }
      if (record.channel === 'log') {
        const wait = pace.wait();
        if (wait > 0) {
          this.#wakeIn(wait);
          break;
        }
        pace.sent();
      }
      this.#leaveQueue();
      const flying: Flying = { record, confirmed: false };
      this.#flying.push(flying);
      this.#options.sent(record);
      flights.send(record, result => this.#settle(flying, result));
    }
    if (this.hungry) hungry();
  }

  /** A message that the cloud cannot bear: parked, so that the rest goes on. */
  async parkHead(seq: Seq, reason: string): Promise<void> {
    const head = this.#queue.find(record => record.seq === seq);
    if (!head) return;
    this.#queue = this.#queue.filter(record => record !== head);
    this.#queuedBytes -= head.payload.length;
    await this.#park(head, 0, reason);
  }

  #leaveQueue(): void {
    const record = this.#queue.shift();
    if (record) this.#queuedBytes -= record.payload.length;
  }

  #settle(flying: Flying, result: Result): void {
    const { pace } = this.#options;
    if (flying.record.channel === 'log') pace.confirmed();
    if (result.kind === 'confirmed') {
      flying.confirmed = true;
      this.#advance();
      this.pump();
    } else if (result.kind === 'refused') {
      this.#flying = this.#flying.filter(one => one !== flying);
      this.#advance();
      void this.#park(flying.record, result.code, result.reason);
    } else this.#retreat(flying);
  }

  /** Moves the cursor over what is confirmed without a gap. */
  #advance(): void {
    let passed = 0;
    let last: Outgoing | null = null;
    while (passed < this.#flying.length && this.#flying[passed]!.confirmed) last = this.#flying[passed++]!.record;
    if (!last) return;
    const waited = this.#flying.slice(0, passed).filter(one => !one.record.passOver).length;
    this.#flying = this.#flying.slice(passed);
    this.#confirmedTo = last.seq;
    this.#options.confirmations.add(this.deviceNo, last.seq, this.#options.flights.via);
    this.#options.settled(this, waited);
  }

  /** Not now: everything from this record on goes again, after a while. */
  #retreat(flying: Flying): void {
    const from = this.#flying.indexOf(flying);
    const back = this.#flying.slice(from).map(one => one.record);
    this.#flying = this.#flying.slice(0, from);
    this.#queue = [...back, ...this.#queue];
    for (const record of back) this.#queuedBytes += record.payload.length;
    this.#wakeIn(nextTry(this.#options.random));
    this.#blocked = true;
  }

  async #park({ seq, deviceNo }: Outgoing, code: number, reason: string): Promise<void> {
    const { store, clock, confirmations, log } = this.#options;
    this.#blocked = true;
    try {
      await confirmations.flush();
      await store.write.park({ seq, deviceNo, at: clock.now(), code, reason });
      if (seq > this.#confirmedTo) this.#confirmedTo = seq;
      log.warn({ seq, code }, `parked: the cloud refused a record for good: ${reason}`);
      this.#options.settled(this, 1);
    } catch (error) {
      // It stays in the journal and its cursor behind it: it goes again after the next start or session.
      log.warn({ seq, error: String(error) }, 'a refused record could not be parked');
    }
    this.#blocked = false;
    this.pump();
  }

  /** One at a time, beside the order: they have lost their place in it. */
  #pumpAgain(): void {
    const { flights, pace, store, clock, log } = this.#options;
    const record = this.#again[0];
    if (!record || this.#againUnderWay || !flights.hasRoom) return;
    if (record.channel === 'log') {
      if (pace.wait() > 0) return;
      pace.sent();
    }
    this.#againUnderWay = true;
    flights.send(record, result => {
      this.#againUnderWay = false;
      if (record.channel === 'log') pace.confirmed();
      if (result.kind === 'again') {
        this.#wakeIn(nextTry(this.#options.random));
        return;
      }
      this.#again.shift();
      const outcome =
        result.kind === 'confirmed' ? ('confirmed' as const) : { code: result.code, reason: result.reason };
      store.write
        .settleParked({ seq: record.seq, outcome, at: clock.now() })
        .catch(error =>
          log.warn(
            { seq: record.seq, error: String(error) },
            'what became of a parked record could not be written down',
          ),
        );
      this.#options.settled(this, 0);
      this.pump();
    });
  }

  #wakeIn(ms: number): void {
    if (this.#waking || !Number.isFinite(ms)) return;
    const waking = new AbortController();
    this.#waking = waking;
    this.#options.clock.sleep(ms, waking.signal).then(
      () => {
        this.#waking = null;
        this.#blocked = false;
        this.pump();
      },
      () => {},
    );
  }
}
