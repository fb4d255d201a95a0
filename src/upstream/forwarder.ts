import type { Clock, Random } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { localDays } from '../runtime/wall-time.ts';
import type { Channel, DeviceNo, DirectoryStore, ForwardingStore, JournalStore, Seq } from '../store/index.ts';
import type { CloudSession } from './cloud-session.ts';
import type { CloudSessions } from './cloud-sessions.ts';
import type { Confirmations } from './confirmations.ts';
import { DeviceQueues, ForwarderQueues } from './device-queues.ts';
import { JournalReader } from './journal-reader.ts';
import type { Form } from './outgoing.ts';
import { Pace } from './pace.ts';
import type { UpstreamOptions } from './port.ts';
import { QueueDriver, type QueueDriverOptions } from './queue-driver.ts';
import { recordsToSendAgain } from './send-again.ts';
import { startOfDay } from './start-of-day.ts';
import type { Outgoing } from './transport.ts';

interface ForwarderOptions {
  /** How records go over the sessions' transport. */
  readonly form: Form;
  readonly sessions: CloudSessions;
  readonly confirmations: Confirmations;
  readonly store: ForwardingStore & JournalStore & DirectoryStore;
  readonly leaving: UpstreamOptions['leaving'];
  readonly trueTime: UpstreamOptions['trueTime'];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cloudLimits: UpstreamOptions['cloudLimits'];
  readonly onSend: (record: Outgoing) => void;
  /** `count` records of a device wait no longer, none of them after `upTo`. */
  readonly onPassed: (deviceNo: DeviceNo, count: number, upTo: Seq) => void;
}

/** Options that differ from queue to queue. */
type OfQueue = Pick<QueueDriverOptions, 'deviceNo' | 'channel' | 'cursor' | 'pace' | 'floor' | 'log'>;

/**
 * Takes what devices sent from the journal to the cloud: two queues for each device that has
 * something to send, over the session that it uses; or (mode batch) one queue of all devices over
 * the box's session, because the `seq` of a batch rises over all of them.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #queues = new ForwarderQueues();
  readonly #reader: JournalReader;
  readonly #dayOf: (now: number) => string;
  /**
   * They outlive the queues: what a device sent in the last second counts after it has come back.
   */
  readonly #paces = new Map<DeviceNo, Pace>();
  readonly #openedAt: number;
  #closed = false;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#reader = new JournalReader(options, this.#queues);
    this.#openedAt = options.clock.monotonic();
    this.#dayOf = localDays(options.cloudLimits.timeZone);
  }

  /** Something was committed, or a session has come up. */
  readOn(): void {
    this.#reader.schedule();
  }

  /** Mode batch: one queue of all devices from now on. Nothing up to `cursor` waits. */
  forwardAll(cursor: Seq): void {
    const session = this.#options.sessions.openBox();
    const queue: QueueDriver = this.#queue({
      ...{ deviceNo: null, channel: null, cursor, pace: null, session, log: this.#options.log },
      floor: () => queue.passedTo,
    });
    this.#queues.setOfAll(queue);
  }

  /** Sees to it that the device has a session, and its queues go over it. */
  forward(deviceNo: DeviceNo): void {
    if (this.#closed || this.#queues.isOfAll || this.#queues.ofDevice(deviceNo)) return;
    const device = this.#options.store.directory.deviceByNo(deviceNo);
    if (!device) return;
    const { sessions, log } = this.#options;
    const session = sessions.open(deviceNo);
    this.#queues.set(deviceNo, this.#deviceQueues(deviceNo, session, log.child({ device: device.deviceId })));
    this.#reader.schedule();
  }

  /** Nothing of the device is in flight, waits in memory or is being parked. */
  isIdle(deviceNo: DeviceNo): boolean {
    return this.#queues.ofDevice(deviceNo)?.isIdle ?? true;
  }

  /** Ends the device's own session (mode per-device); the cursors stay. */
  release(deviceNo: DeviceNo): void {
    this.#queues.delete(deviceNo);
    this.#options.sessions.close(deviceNo);
  }

  /** Takes up the parked records that staff want sent again. */
  async loadSendAgain(): Promise<void> {
    for await (const record of recordsToSendAgain(this.#options, this.#options.form)) {
      this.forward(record.deviceNo);
      const queue = this.#queues.of(record.deviceNo, record.channel);
      queue?.addAgain(record);
      queue?.go();
    }
  }

  close(): void {
    this.#closed = true;
    this.#reader.close();
    for (const queue of this.#queues.all) queue.close();
  }

  #deviceQueues(deviceNo: DeviceNo, session: CloudSession, log: Log): DeviceQueues {
    const queueOf = (channel: Channel): QueueDriver =>
      this.#queue({
        ...{ deviceNo, channel, session, log },
        cursor: this.#options.confirmations.upTo(deviceNo, channel),
        pace: channel === 'log' ? this.#paceOf(deviceNo) : null,
        floor: () => queues.passedTo,
      });
    const queues: DeviceQueues = new DeviceQueues(queueOf('device'), queueOf('log'));
    return queues;
  }

  #queue({ session, ...own }: OfQueue & { readonly session: CloudSession }): QueueDriver {
    const { store, clock, random, confirmations, sessions, onSend, onPassed } = this.#options;
    const queue = new QueueDriver({
      ...own,
      ...{ store, clock, random, confirmations, onSend, onPassed },
      window: session.window,
      sessions: () => sessions.count,
      readOn: () => this.#reader.schedule(),
      waitForRoom: queue => session.waitForRoom(queue),
    });
    session.queues.add(queue);
    return queue;
  }

  #paceOf(deviceNo: DeviceNo): Pace {
    const known = this.#paces.get(deviceNo);
    if (known) return known;
    const { store, clock, log, cloudLimits } = this.#options;
    const pace = new Pace({
      perSecond: cloudLimits.logPerSecond,
      perDay: cloudLimits.logPerDay,
      clock,
      dayOf: this.#dayOf,
      openedAt: this.#openedAt,
    });
    this.#paces.set(deviceNo, pace);
    store.read.confirmedLogs(deviceNo, startOfDay(this.#dayOf, clock.now())).then(
      count => {
        pace.resume(count);
        // With that the day may be spent: the queue then waits for the next one.
        this.#queues.ofDevice(deviceNo)?.log.go();
      },
      error => log.warn({ error: String(error) }, 'confirmed_logs_not_counted'),
    );
    return pace;
  }
}
