import type { Clock, Random } from '../runtime/clock.ts';
import { localDays } from '../runtime/local-day.ts';
import type { Log } from '../runtime/log.ts';
import type { Channel, DeviceNo, Seq, Store } from '../store/index.ts';
import type { CloudSession } from './cloud-session.ts';
import type { CloudSessions } from './cloud-sessions.ts';
import type { Confirmations } from './confirmations.ts';
import { DeviceQueues, eachQueue } from './device-queues.ts';
import { JournalReader } from './journal-reader.ts';
import { Pace } from './pace.ts';
import type { UpstreamOptions } from './port.ts';
import { QueueDriver } from './queue-driver.ts';
import { recordsToSendAgain } from './send-again.ts';
import { startOfDay } from './start-of-day.ts';
import type { Outgoing } from './transport.ts';

interface ForwarderOptions {
  readonly sessions: CloudSessions;
  readonly confirmations: Confirmations;
  readonly store: Store;
  readonly leaving: UpstreamOptions['leaving'];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cloudLimits: UpstreamOptions['cloudLimits'];
  readonly onSend: (record: Outgoing) => void;
  /** `count` records of a device wait no longer, none of them after `upTo`. */
  readonly onPassed: (deviceNo: DeviceNo, count: number, upTo: Seq) => void;
}

/**
 * Takes what devices sent from the journal to the cloud: two queues for each device that has
 * something to say, over the session that it uses.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #queues = new Map<DeviceNo, DeviceQueues>();
  readonly #reader: JournalReader;
  readonly #dayOf: (now: number) => string;
  /**
   * They outlive the queues: what a device sent in the last second counts after it has come back.
   */
  readonly #paces = new Map<DeviceNo, Pace>();
  #closed = false;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#reader = new JournalReader(options.store, options.leaving, () => this.#queues.values());
    this.#dayOf = localDays(options.cloudLimits.timeZone);
  }

  /** Something was committed, or a session has come up. */
  readOn(): void {
    this.#reader.schedule();
  }

  /** Sees to it that the device has a session, and its queues go over it. */
  forward(deviceNo: DeviceNo): void {
    if (this.#closed || this.#queues.has(deviceNo)) return;
    const device = this.#options.store.directory.deviceByNo(deviceNo);
    if (!device) return;
    const { sessions, log } = this.#options;
    const session = sessions.open(deviceNo);
    const queues = this.#queuesOf(deviceNo, session, log.child({ device: device.deviceId }));
    session.queues.set(deviceNo, queues);
    this.#queues.set(deviceNo, queues);
    this.#reader.schedule();
  }

  /** Nothing of the device is in flight, waits in memory or is being parked. */
  isIdle(deviceNo: DeviceNo): boolean {
    return this.#queues.get(deviceNo)?.isIdle ?? true;
  }

  /** Ends the device's own session (mode per-device); the cursors stay. */
  release(deviceNo: DeviceNo): void {
    const queues = this.#queues.get(deviceNo);
    this.#queues.delete(deviceNo);
    for (const queue of eachQueue(queues ? [queues] : [])) queue.close();
    this.#options.sessions.close(deviceNo);
  }

  /** Takes up the parked records that staff want sent again. */
  async loadSendAgain(): Promise<void> {
    for await (const { record } of recordsToSendAgain(this.#options, 'stamped')) {
      this.forward(record.deviceNo);
      const queue = this.#queues.get(record.deviceNo)?.[record.channel];
      queue?.addAgain(record);
      queue?.go();
    }
  }

  close(): void {
    this.#closed = true;
    this.#reader.close();
    for (const queue of eachQueue(this.#queues.values())) queue.close();
  }

  #queuesOf(deviceNo: DeviceNo, session: CloudSession, log: Log): DeviceQueues {
    const { store, clock, random, confirmations, onSend, onPassed } = this.#options;
    const pace = this.#paceOf(deviceNo);
    const queueOf = (channel: Channel): QueueDriver =>
      new QueueDriver({
        ...{ deviceNo, channel, pace, confirmations, store, clock, random, log, onSend },
        cursor: confirmations.upTo(deviceNo, channel),
        window: session.window,
        onPassed: (count, upTo) => onPassed(deviceNo, count, upTo),
        floor: () => queues.passedTo,
        devicesBeside: () => session.queues.size,
        readOn: () => this.#reader.schedule(),
        waitForRoom: queue => session.waitForRoom(queue),
      });
    const queues: DeviceQueues = new DeviceQueues(queueOf('device'), queueOf('log'));
    return queues;
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
    });
    this.#paces.set(deviceNo, pace);
    store.read.confirmedLogs(deviceNo, startOfDay(this.#dayOf, clock.now())).then(
      count => {
        pace.resume(count);
        // With that the day may be spent: the queue then waits for the next one.
        this.#queues.get(deviceNo)?.log.go();
      },
      error => log.warn({ error: String(error) }, "today's confirmed logs could not be counted"),
    );
    return pace;
  }
}
