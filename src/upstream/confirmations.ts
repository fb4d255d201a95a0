import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Channel, DeviceNo, DirectoryStore, ForwardingStore, Seq, Via } from '../store/index.ts';

/**
 * Each writing is a commit that waits for the disk: a few may follow each other, then they come at
 * this distance, and what is lost in between is only sent again.
 */
const writeEveryMs = 50;
const writesAtOnce = 8;
/** After a write that failed; the disk may be full. */
const retryMs = 5_000;

/** Confirmed records: a device's messages, its logs, or (`channel` null) both. */
interface Confirmed {
  readonly deviceNo: DeviceNo;
  readonly channel: Channel | null;
}

/** How far the cloud has confirmed it. */
interface Cursor extends Confirmed {
  upToSeq: Seq;
  floorSeq: Seq;
  at: number;
  via: Via;
  /** Not handed to the store yet. */
  collected: boolean;
}

/**
 * Writes down what the cloud has confirmed: the ledger's rows, one for each device in a writing.
 * What comes while one is under way, or until the next is due, goes with the next: after a kill
 * that much is sent again.
 */
export class Confirmations {
  readonly #store: Pick<ForwardingStore, 'write'> & DirectoryStore;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Of this run, written or not yet. */
  readonly #last: Readonly<Record<Channel | 'both', Map<DeviceNo, Cursor>>> = {
    device: new Map(),
    log: new Map(),
    both: new Map(),
  };
  #collected: Cursor[] = [];
  #writing: Promise<void> | null = null;
  /** Monotonic: when the next write would be due if they came evenly. */
  #dueAt = 0;
  #hurried = 0;
  #waiting: AbortController | null = null;
  readonly #ending = new AbortController();

  constructor(options: { store: Pick<ForwardingStore, 'write'> & DirectoryStore; clock: Clock; log: Log }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** `floorSeq`: nothing of the device at or below it waits, of either channel. */
  add(
    { deviceNo, channel }: Confirmed,
    upToSeq: Seq,
    { via, floorSeq }: { readonly via: Via; readonly floorSeq: Seq },
  ): void {
    const last = this.#last[channel ?? 'both'];
    let cursor = last.get(deviceNo);
    if (!cursor) {
      cursor = { deviceNo, channel, upToSeq, floorSeq, at: 0, via, collected: false };
      last.set(deviceNo, cursor);
    }
    cursor.upToSeq = upToSeq;
    cursor.floorSeq = floorSeq;
    cursor.at = this.#clock.now();
    cursor.via = via;
    if (!cursor.collected) {
      cursor.collected = true;
      this.#collected.push(cursor);
    }
    this.#writing ??= this.#write();
  }

  /** How far a device is confirmed: what is still to be written counts. */
  upTo(deviceNo: DeviceNo, channel: Channel): Seq {
    const stored = this.#store.directory.deviceByNo(deviceNo)?.forwarded[channel] ?? 0;
    const { [channel]: own, both } = this.#last;
    return Math.max(stored, own.get(deviceNo)?.upToSeq ?? 0, both.get(deviceNo)?.upToSeq ?? 0) as Seq;
  }

  /** Resolves when everything that was added is written; none of it waits until it is due. */
  async flush(): Promise<void> {
    this.#hurried++;
    this.#waiting?.abort();
    if (this.#collected.length > 0) this.#writing ??= this.#write();
    while (this.#writing) await this.#writing;
    this.#hurried--;
  }

  async #write(): Promise<void> {
    // A turn of the event loop brings many confirmations.
    await new Promise(resolve => setImmediate(resolve));
    let taken: Cursor[] = [];
    try {
      while (this.#collected.length > 0) {
        await this.#due();
        taken = this.#collected;
        this.#collected = [];
        const confirmations = taken.map(cursor => {
          cursor.collected = false;
          const { deviceNo, channel, upToSeq, floorSeq, at, via } = cursor;
          return { deviceNo, channel, upToSeq, floorSeq, at, via };
        });
        await this.#store.write.confirm({ confirmations });
      }
    } catch (error) {
      // The cursor stays behind: after a restart those records are sent again, with the same mid.
      this.#log.warn({ error: String(error) }, 'confirmation_not_stored');
      this.#tryAgain(taken);
    } finally {
      this.#writing = null;
    }
  }

  /** Also where the cloud confirms nothing more of these devices. */
  #tryAgain(cursors: readonly Cursor[]): void {
    for (const cursor of cursors)
      if (!cursor.collected) {
        cursor.collected = true;
        this.#collected.push(cursor);
      }
    const again = () => {
      if (this.#collected.length > 0 && !this.#ending.signal.aborted) this.#writing ??= this.#write();
    };
    void this.#clock.sleep(retryMs, this.#ending.signal).then(again, () => {});
  }

  /** Confirmations that could not be written are not retried. */
  close(): void {
    this.#ending.abort();
  }

  async #due(): Promise<void> {
    const now = this.#clock.monotonic();
    const wait = this.#dueAt - writesAtOnce * writeEveryMs - now;
    this.#dueAt = Math.max(this.#dueAt, now) + writeEveryMs;
    if (wait <= 0 || this.#hurried > 0) return;
    this.#waiting = new AbortController();
    await this.#clock.sleep(wait, this.#waiting.signal).catch(() => {});
    this.#waiting = null;
  }
}
