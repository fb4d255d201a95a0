import type { Clock, Random } from '../runtime/clock.ts';
import type { DeviceNo, DirectoryStore } from '../store/index.ts';
import { uplinkReasons } from '../words/uplink.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { CloudSession } from './cloud-session.ts';
import type { Downlink } from './downlink.ts';
import { type BoxIdentity, boxCredentials, boxNo, deviceCredentials } from './identities.ts';
import type { Allowance } from './load-shedding.ts';
import type { UpstreamConfig } from './port.ts';
import type { Connect } from './transport.ts';
import type { Uplink } from './uplink.ts';

interface CloudSessionsOptions {
  readonly mode: UpstreamConfig['mode'];
  readonly box: BoxIdentity | null;
  readonly store: DirectoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly connect: Connect;
  readonly breaker: CircuitBreaker;
  readonly allowance: Allowance;
  readonly downlink: Downlink;
  /** A session is up: its queues can take more from the journal. */
  readonly onUp: () => void;
  /** The state of a session's connection has changed, or a session has ended. */
  readonly onChange: () => void;
}

/** The sessions with the cloud: one for each device that needs one, or the box's own for all. */
export class CloudSessions {
  readonly #options: CloudSessionsOptions;
  readonly #sessions = new Map<DeviceNo, CloudSession>();
  readonly #stopping = new Set<Promise<void>>();

  constructor(options: CloudSessionsOptions) {
    this.#options = options;
  }

  [Symbol.iterator](): Iterator<CloudSession> {
    return this.#sessions.values();
  }

  get count(): number {
    return this.#sessions.size;
  }

  *uplinks(): Iterable<Uplink> {
    for (const { uplink } of this.#sessions.values()) yield uplink;
  }

  /** The session that a device's records go over, if there is one. */
  get(deviceNo: DeviceNo): CloudSession | undefined {
    return this.#sessions.get(this.#key(deviceNo));
  }

  /** The same, opened if there is none. */
  open(deviceNo: DeviceNo): CloudSession {
    const key = this.#key(deviceNo);
    let session = this.#sessions.get(key);
    if (session) return session;
    const { clock, random, breaker, allowance, connect, downlink, onUp, onChange } = this.#options;
    const receiver = key === boxNo ? null : key;
    session = new CloudSession({
      candidates: () => this.#candidates(key),
      connect: (credentials, lost, signal) =>
        connect(credentials, { message: payload => downlink.message(receiver, payload), lost }, signal),
      ...{ breaker, allowance, clock, random, onUp, onChange },
    });
    this.#sessions.set(key, session);
    session.start();
    return session;
  }

  /** The box's own, before any device has something to say: messages come down over it. */
  openBox(): CloudSession {
    return this.open(boxNo);
  }

  close(deviceNo: DeviceNo): void {
    const key = this.#key(deviceNo);
    const session = this.#sessions.get(key);
    if (!session) return;
    this.#sessions.delete(key);
    const stopping = session.stop();
    this.#stopping.add(stopping);
    void stopping.then(() => {
      this.#stopping.delete(stopping);
      this.#options.onChange();
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#stopping, ...[...this.#sessions.values()].map(session => session.stop())]);
  }

  #key(deviceNo: DeviceNo): DeviceNo {
    return this.#options.mode === 'per-device' ? deviceNo : boxNo;
  }

  #candidates(key: DeviceNo) {
    const { box, store } = this.#options;
    if (key === boxNo)
      return box
        ? { credentials: [boxCredentials(box)], why: uplinkReasons.say('no_box_key') }
        : { credentials: [], why: uplinkReasons.say('no_box_key') };
    const device = store.directory.deviceByNo(key);
    return {
      credentials: device ? deviceCredentials(device, store.directory) : [],
      why: uplinkReasons.say('no_device_key'),
    };
  }
}
