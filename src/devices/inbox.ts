import { limits } from '../platform/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { ClaimStore, DeviceNo, DirectoryStore, GatewayStore, InboxMessage } from '../store/index.ts';
import type { Counters } from './counters.ts';

/**
 * Sends a message to a connected device. Resolves to false if the device is not connected, or
 * disconnects before the socket has taken the message.
 */
type Handover = (deviceNo: DeviceNo, payload: Uint8Array) => Promise<boolean>;

/** Of what comes while an inbox is emptied, in messages and bytes; more goes into the store. */
const behindMax = 64;
const behindBytesMax = 16 << 10;

/** A message that came while the inbox of its device was being emptied. */
interface Behind {
  readonly payload: Uint8Array;
  readonly delivered: PromiseWithResolvers<boolean>;
}

/**
 * Messages for devices. A device that is subscribed over MQTT gets them at once; for all others
 * they wait in the inbox, oldest first:
 *
 *     the inbox is empty, the device reads ──▶ to the device
 *     it is being emptied                  ──▶ behind what waits in the store, in memory
 *     else                                 ──▶ into the store
 */
export class Inbox {
  readonly #store: GatewayStore & DirectoryStore & ClaimStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #counters: Counters;
  readonly #messagesMax: number;
  readonly #handOver: Handover;
  /** Inboxes that are being emptied, each with what came meanwhile. */
  readonly #emptying = new Map<DeviceNo, Behind[]>();
  /** Of these another process has put a message into the store since the last look. */
  readonly #arrivedMeanwhile = new Set<DeviceNo>();
  /** Called when one of them has come to an end. */
  readonly #resting = new Map<DeviceNo, PromiseWithResolvers<void>>();
  /**
   * Devices whose inbox may hold messages. A look-up in the store for each answer would cost more
   * than the answer.
   */
  readonly #mayWait: Set<DeviceNo>;
  readonly #isHere: (deviceNo: DeviceNo) => boolean;
  readonly #removing = new Map<DeviceNo, Promise<void>>();
  /** The last message of each device that is on its way into the store, which keeps their order. */
  readonly #putting = new Map<DeviceNo, Promise<unknown>>();
  readonly #taken: ((deviceNo: DeviceNo) => void)[] = [];

  constructor(options: {
    store: GatewayStore & DirectoryStore & ClaimStore;
    clock: Clock;
    log: Log;
    counters: Counters;
    messagesMax: number;
    /** The devices that have messages in the store. */
    waiting: ReadonlySet<DeviceNo>;
    handOver: Handover;
    /** The device has a session of its own at this box. */
    isHere: (deviceNo: DeviceNo) => boolean;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#counters = options.counters;
    this.#messagesMax = options.messagesMax;
    this.#handOver = options.handOver;
    this.#isHere = options.isHere;
    this.#mayWait = new Set(options.waiting);
  }

  /**
   * The device itself or, unless it is connected here, the box below that passes messages on to it.
   */
  #receiverOf(deviceNo: DeviceNo): DeviceNo {
    const { directory } = this.#store;
    const belongsTo = directory.deviceByNo(deviceNo)?.belongsTo ?? 'here';
    if (belongsTo === 'here' || this.#isHere(deviceNo)) return deviceNo;
    return directory.device(belongsTo)?.deviceNo ?? deviceNo;
  }

  /** Called when a device has taken everything that waited for it, or what one pull returns. */
  onTaken(listener: (deviceNo: DeviceNo) => void): void {
    this.#taken.push(listener);
  }

  /**
   * Resolves to true when the message was handed over, to false when it is on disk. Rejects with a
   * StoreError when it is neither.
   */
  async deliver(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean> {
    const receiver = this.#receiverOf(deviceNo);
    const behind = this.#emptying.get(receiver);
    if (behind) {
      if (hasRoom(behind, payload)) {
        const delivered = Promise.withResolvers<boolean>();
        behind.push({ payload, delivered });
        return delivered.promise;
      }
      this.#keepAll(receiver, behind);
    } else if (!this.#mayWait.has(receiver) && (await this.#handOver(receiver, payload))) return true;
    return this.#keep(receiver, payload);
  }

  /** Resolves to true when the message was handed over all the same. */
  async #keep(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean> {
    await this.#put(deviceNo, payload);
    this.#mayWait.add(deviceNo);
    const { claims } = this.#store;
    if (!claims.has(deviceNo)) {
      await claims.tellOfMessage(deviceNo);
      return false;
    }
    await this.empty(deviceNo);
    return !this.#mayWait.has(deviceNo);
  }

  /** Another process has put a message into the store. */
  arrived(deviceNo: DeviceNo): void {
    this.mayHold(deviceNo);
    if (this.#emptying.has(deviceNo)) this.#arrivedMeanwhile.add(deviceNo);
    void this.empty(deviceNo);
  }

  /** Another process may have put messages into the store. */
  mayHold(deviceNo: DeviceNo): void {
    this.#mayWait.add(deviceNo);
  }

  /** Resolves when what was handed over to the device is out of the store. */
  async rest(deviceNo: DeviceNo): Promise<void> {
    if (!this.#emptying.has(deviceNo)) return;
    const resting = this.#resting.get(deviceNo) ?? Promise.withResolvers<void>();
    this.#resting.set(deviceNo, resting);
    await resting.promise;
  }

  /** The store is to hold what came while the inbox was being emptied. */
  #keepAll(deviceNo: DeviceNo, behind: Behind[]): void {
    for (const { payload, delivered } of behind.splice(0))
      this.#keep(deviceNo, payload).then(delivered.resolve, delivered.reject);
  }

  /** The store holds nothing more for the device: what came meanwhile goes out, in its order. */
  #handOverAll(deviceNo: DeviceNo, behind: Behind[]): void {
    for (const { payload, delivered } of behind.splice(0))
      this.#handOver(deviceNo, payload)
        .then(taken => taken || this.#keep(deviceNo, payload))
        .then(delivered.resolve, delivered.reject);
  }

  async #put(deviceNo: DeviceNo, payload: Uint8Array): Promise<void> {
    // A small buffer is a piece of a large one, and all of that would be copied to the writer
    // thread: 64 KiB for an answer of 100 bytes, hundreds of MB when a whole site loses power.
    const alone = new Uint8Array(payload);
    const put = this.#store.write.putInbox({
      deviceNo,
      payload: alone,
      at: this.#clock.now(),
      max: this.#messagesMax,
    });
    this.#putting.set(deviceNo, put);
    try {
      const { dropped } = await put;
      if (dropped > 0) this.#counters.add('inbox_dropped', dropped);
    } finally {
      if (this.#putting.get(deviceNo) === put) this.#putting.delete(deviceNo);
    }
  }

  /**
   * Sends what waits to a subscribed device, oldest first, until the inbox is empty or the device
   * takes no more.
   */
  async empty(deviceNo: DeviceNo): Promise<void> {
    if (!this.#mayWait.has(deviceNo) || this.#emptying.has(deviceNo)) return;
    const behind: Behind[] = [];
    this.#emptying.set(deviceNo, behind);
    let isEmpty = false;
    try {
      isEmpty = await this.#sendStored(deviceNo);
    } catch (error) {
      this.#log.warn({ device: deviceNo, error: String(error) }, 'inbox_not_emptied');
    }
    this.#emptying.delete(deviceNo);
    this.#resting.get(deviceNo)?.resolve();
    this.#resting.delete(deviceNo);
    if (isEmpty) this.#handOverAll(deviceNo, behind);
    else this.#keepAll(deviceNo, behind);
  }

  /** Returns false when the device takes no more, with the rest in the store. */
  async #sendStored(deviceNo: DeviceNo): Promise<boolean> {
    let some = false;
    for (;;) {
      // Messages on their way into the store precede those that came meanwhile.
      await this.#putting.get(deviceNo)?.catch(() => {});
      this.#arrivedMeanwhile.delete(deviceNo);
      const messages = await this.#store.read.inbox(deviceNo, { limit: 50, bytesMax: limits.pullBytesMax });
      if (messages.length === 0 && !this.#putting.has(deviceNo) && !this.#arrivedMeanwhile.has(deviceNo)) {
        this.#mayWait.delete(deviceNo);
        if (some) for (const listener of this.#taken) listener(deviceNo);
        return true;
      }
      some ||= messages.length > 0;
      // All in one turn: they go out in one write.
      const taken = await Promise.all(messages.map(({ payload }) => this.#handOver(deviceNo, payload)));
      const refused = taken.indexOf(false);
      const ids = messages.slice(0, refused < 0 ? undefined : refused).map(({ id }) => id);
      if (ids.length > 0) await this.#store.write.removeInbox({ ids });
      if (refused >= 0) return false;
    }
  }

  /** For a pull: what waits, oldest first. It stays until it is removed. */
  async peek(deviceNo: DeviceNo, limit: number): Promise<InboxMessage[]> {
    // Messages that the device is known to have are leaving the store and are not offered again.
    await this.#removing.get(deviceNo);
    // The answer to a push is stored after the push is confirmed: a pull right behind it waits for
    // that. Whoever sent a message that could not be stored has heard of it.
    await this.#putting.get(deviceNo)?.catch(() => {});
    return this.#store.read.inbox(deviceNo, { limit, bytesMax: limits.pullBytesMax });
  }

  /** The device has these. Resolves in any case: what could not be removed is offered again. */
  remove(deviceNo: DeviceNo, ids: readonly number[]): Promise<void> {
    const remove = async () => {
      await this.#store.write.removeInbox({ ids: [...ids] });
      for (const listener of this.#taken) listener(deviceNo);
    };
    const removed: Promise<void> = remove()
      .catch(error => this.#log.warn({ device: deviceNo, error: String(error) }, 'pulled_messages_not_removed'))
      .finally(() => this.#removing.get(deviceNo) === removed && this.#removing.delete(deviceNo));
    this.#removing.set(deviceNo, removed);
    return removed;
  }
}

function hasRoom(behind: readonly Behind[], payload: Uint8Array): boolean {
  const bytes = behind.reduce((sum, one) => sum + one.payload.length, payload.length);
  return behind.length < behindMax && bytes <= behindBytesMax;
}
